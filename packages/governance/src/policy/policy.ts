/** Decides about calls: once per tool if that is enough, otherwise per call. */

import { type Caller, globMatcher, memberText, type Target, type Verdict } from '@callsign/core';
import { toolTitle } from '@callsign/effects';

import { type Circumstances, compileExpression, type Expression, failureOf } from './expression.js';
import { DECISIONS, type PolicyRule, type PolicySettings } from './policy-settings.js';
import { ArgumentsError, readArguments } from './read-arguments.js';

/** Decisions are pure: the same call gets the same verdict until the settings change. */
export interface Policy {
  /** The decision for a call. `call` unset: for a call without arguments. */
  judge(
    target: Target,
    caller: Pick<Caller, 'client' | 'principal'>,
    call?: { readonly params: string },
  ): Verdict;
  /** The decision for all calls of a tool; `undefined` if it depends on the call. */
  standing(target: Target): Verdict | undefined;
  /** Whether a call of the tool may need a confirmation. */
  mayConfirm(target: Target): boolean;
  /** The variables of a call that the decision depends on. */
  reads(target: Target): ReadonlySet<string>;
}

export interface PolicyOptions {
  /** Denies everything except reads, even if a rule allows it. */
  readonly readOnly?: boolean;
}

/** A compiled rule. */
interface Clause {
  readonly verdict: Verdict;
  readonly matches: (canonical: string) => boolean;
  readonly when: Expression | undefined;
}

/**
 * What a decision about one tool needs: the rules that depend on the call, and the decision if none
 * of them matches.
 */
interface Course {
  readonly open: readonly (Clause & { readonly when: Expression })[];
  readonly end: Verdict;
  readonly known: Pick<Circumstances, 'annotations' | 'tool'>;
}

const NOT_A_TOOL: Verdict = { decision: 'allow', rule: 'The policy applies to tools only.' };

/** Compiles all rules. Verdicts about tools are cached by their target. */
export function createPolicy(settings: PolicySettings, options: PolicyOptions = {}): Policy {
  const clauses = settings.rules.map(clauseOf);
  if (options.readOnly) clauses.unshift(READ_ONLY);
  const courses = new WeakMap<Target, Course>();

  return {
    judge(target, caller, call) {
      const { open, end, known } = courseOf(target);
      if (open.length === 0) return end;
      const facts = factsOf(known, caller, call?.params ?? '{}', open);
      for (const { verdict, when } of open) {
        try {
          if (when.holds(facts(when))) return settled(verdict, target);
        } catch (error) {
          return unjudged(verdict, error);
        }
      }
      return end;
    },
    standing(target) {
      const { open, end } = courseOf(target);
      const isSettled = open.every(({ verdict }) => verdict.decision === 'deny');
      return open.length === 0 || (isSettled && end.decision === 'deny') ? end : undefined;
    },
    mayConfirm(target) {
      const { open, end } = courseOf(target);
      return [...open.map(({ verdict }) => settled(verdict, target)), end].some(
        ({ decision }) => decision === 'confirm',
      );
    },
    reads: (target) => new Set(courseOf(target).open.flatMap(({ when }) => [...when.reads])),
  };

  function courseOf(target: Target): Course {
    const before = courses.get(target);
    if (before) return before;
    // A prompt or resource is not a read if a method of an unknown extension names it.
    const isJudged = target.kind === 'tool' || target.risk !== 'read';
    const course = isJudged ? newCourse(target) : passing(target);
    courses.set(target, course);
    return course;
  }

  /** Collects rules up to the first one that does not depend on the call. */
  function newCourse(target: Target): Course {
    const known = knownOf(target);
    const open: (Clause & { readonly when: Expression })[] = [];
    for (const clause of clauses) {
      const { matches, when, verdict } = clause;
      if (!matches(target.canonical)) continue;
      if (when && (when.reads.has('args') || when.reads.has('caller')))
        open.push({ ...clause, when });
      else {
        const end = outcomeOf(verdict, when, known);
        if (end) return { open, known, end: settled(end, target) };
      }
    }
    return { open, known, end: settled(byLabel(settings, target), target) };
  }

  /** A dry run writes nothing, so no person needs to be asked. */
  function settled(verdict: Verdict, { risk }: Target): Verdict {
    const isHarmless = verdict.decision === 'deny' || risk === 'read';
    if (!settings.dryRun || isHarmless) return verdict;
    return { decision: 'dry-run', rule: 'policy.dryRun is true' };
  }
}

const READ_ONLY: Clause = {
  verdict: { decision: 'deny', rule: 'the gateway was started with --read-only' },
  matches: () => true,
  when: {
    text: 'tool.risk != "read"',
    reads: new Set(['tool']),
    maxArguments: Infinity,
    holds: ({ tool }) => tool?.risk !== 'read',
  },
};

/** The strictest decision for its risk, its reach and a contradiction. */
function byLabel(settings: PolicySettings, { risk, hints, contradiction }: Target): Verdict {
  const keys = [
    risk,
    ...(hints.openWorldHint.value ? (['openWorld'] as const) : []),
    ...(contradiction ? (['contradiction'] as const) : []),
  ];
  const verdicts = keys.flatMap((key): Verdict[] => {
    const decision = settings[key];
    return decision === undefined ? [] : [{ decision, rule: saying(key, decision) }];
  });
  // If they are equally strict, the risk is named as the reason.
  return verdicts.reduce((a, b) => (strictness(b) > strictness(a) ? b : a));
}

function strictness({ decision }: Verdict): number {
  return DECISIONS.indexOf(decision);
}

function saying(key: string, decision: string): string {
  return `policy.${key} is "${decision}"`;
}

function clauseOf(rule: PolicyRule, index: number): Clause {
  const { match, when, decision } = rule;
  return {
    verdict: { decision, rule: `policy.rules[${index}] (${reasonOf(rule)})` },
    matches: match === undefined ? () => true : globMatcher(match),
    when: when === undefined ? undefined : compiled(when),
  };
}

/** The rule's reason, or else its text. */
function reasonOf({ match, when, decision, reason }: PolicyRule): string {
  if (reason !== undefined) return reason;
  const about = match === undefined ? '' : ` ${match}`;
  return `${decision}${about}${when === undefined ? '' : ` when ${when}`}`;
}

/** Throws only for a rule that was not checked: the configuration checks all of them. */
function compiled(when: string): Expression {
  const result = compileExpression(when);
  if (!result.ok) throw new RangeError(`${when}: ${result.message}; ${result.advice}`);
  return result.expression;
}

function outcomeOf(
  verdict: Verdict,
  when: Expression | undefined,
  known: Course['known'],
): Verdict | undefined {
  try {
    return when === undefined || when.holds(known) ? verdict : undefined;
  } catch (error) {
    return unjudged(verdict, error);
  }
}

/** A rule that cannot be evaluated denies the call, even if it would allow it. */
function unjudged({ rule }: Verdict, error: unknown): Verdict {
  const why =
    error instanceof ArgumentsError
      ? `the arguments are not clear: ${error.message}`
      : failureOf(error);
  return { decision: 'deny', rule: `${rule} could not be evaluated: ${why}` };
}

function passing(target: Target): Course {
  return { open: [], end: NOT_A_TOOL, known: knownOf(target) };
}

function knownOf({ ref, risk, hints, item }: Target): Course['known'] {
  const read = (member: string): unknown => JSON.parse(memberText(item.json, member) ?? 'null');
  const title = toolTitle({ title: read('title'), annotations: read('annotations') });
  return {
    tool: { server: ref.server, name: ref.tool, risk, title: title ?? ref.tool },
    annotations: {
      readOnly: hints.readOnlyHint.value,
      destructive: hints.destructiveHint.value,
      idempotent: hints.idempotentHint.value,
      openWorld: hints.openWorldHint.value,
    },
  };
}

/**
 * The variables for expressions. Arguments are parsed at most once, and only if an expression uses
 * them.
 */
function factsOf(
  known: Course['known'],
  { principal, client }: Pick<Caller, 'client' | 'principal'>,
  params: string,
  open: Course['open'],
): (when: Expression) => Partial<Circumstances> {
  const caller = {
    name: principal?.name ?? '',
    roles: principal?.roles ?? [],
    client: client.name,
  };
  let args: Circumstances['args'] | undefined;
  return ({ reads }) => {
    if (!reads.has('args')) return { ...known, caller };
    args ??= readArguments(params, Math.min(...open.map(({ when }) => when.maxArguments)));
    return { ...known, caller, args };
  };
}
