/**
 * What records of calls have in common: label, caller, decisions and outcome. Written as text once,
 * and used again for similar calls.
 */

import type { Call, Caller, ModuleVerdict, Outcome, Target, Verdict } from '@callsign/core';
import { redactText, redactUrl } from '@callsign/core/secrets';
import type { Evidence, LabelHints, Risk } from '@callsign/effects';

import type { Facts } from './audit-entry.js';
import type { Severity } from './audit-record.js';
import { bounded } from './bounded.js';

/**
 * How many are remembered per tool. Outcomes and decisions are few, but clients without sessions
 * may be many.
 */
const REMEMBERED = 32;

const SEVERITY: Readonly<Record<Risk, Severity>> = {
  read: 'info',
  write: 'notice',
  destructive: 'warning',
};

/** `undefined` for a call that is about to be made. */
type End = Outcome | undefined;

interface CallerMembers {
  readonly caller: string | undefined;
  readonly client: string;
  readonly clientVersion: string;
  readonly era: Caller['era'];
}

interface Known {
  readonly name: string;
  readonly method: string;
  readonly caller: CallerMembers;
  readonly verdict: Verdict | undefined;
  readonly decisions: readonly ModuleVerdict[];
  readonly outcome: End;
  readonly retries: number;
  readonly script: string | undefined;
  readonly facts: Facts;
}

export class CallFacts {
  readonly #keepsArguments: boolean;
  /** One list per session, so that many sessions do not displace each other. */
  readonly #bySession = new WeakMap<Caller, WeakMap<Target, Known[]>>();
  readonly #sessionless = new WeakMap<Target, Known[]>();
  /** The list for the last call, since the next call is often similar. */
  #last: { readonly caller: Caller; readonly target: Target; readonly known: Known[] } | undefined;

  constructor(keepsArguments: boolean) {
    this.#keepsArguments = keepsArguments;
  }

  /** Returns one object for all calls that differ only in what each record holds for itself. */
  of(call: Call, target: Target, outcome: End): Facts {
    const known = this.#knownOf(call.caller, target);
    for (let at = known.length - 1; at >= 0; at--) {
      if (isSame(known[at]!, call, outcome)) return known[at]!.facts;
    }
    if (known.length >= REMEMBERED) known.splice(0, REMEMBERED / 2);
    const fresh = this.#write(call, target, outcome);
    known.push(fresh);
    return fresh.facts;
  }

  /** The newest comes last. */
  #knownOf(caller: Caller, target: Target): Known[] {
    if (this.#last?.caller === caller && this.#last.target === target) return this.#last.known;
    let tools = caller.era === 'session' ? this.#bySession.get(caller) : this.#sessionless;
    if (!tools) this.#bySession.set(caller, (tools = new WeakMap()));
    let known = tools.get(target);
    if (!known) tools.set(target, (known = []));
    this.#last = { caller, target, known };
    return known;
  }

  #write(call: Call, target: Target, outcome: End): Known {
    const { name, method } = call;
    const { verdict, retries } = call.context;
    const script = scriptOf(call);
    const caller = callerMembers(call.caller);
    const decisions = [...call.context.decisions];
    const text = membersText({
      kind: outcome === undefined ? 'intent' : 'call',
      severity: SEVERITY[target.risk],
      server: target.ref.server,
      tool: safeName(target.canonical),
      name: safeName(name),
      method,
      risk: target.risk,
      evidence: evidenceOf(target.risk, target.hints),
      ...safeCaller(caller),
      account: target.account === undefined ? undefined : safeName(target.account),
      decision: verdict?.decision,
      rule: verdict && safeName(verdict.rule),
      decisions: decisions.length === 0 ? undefined : decisions.map(safeVerdict),
      outcome,
      retries: outcome === undefined ? undefined : retries,
      script,
    });
    const facts = { text, ...(this.#keepsArguments ? { definition: target.item.json } : {}) };
    return {
      name,
      method,
      caller,
      verdict,
      decisions,
      outcome,
      retries,
      script,
      facts,
    };
  }
}

/**
 * The facts of a call to an unknown name. Not remembered, since there is no limit to wrong names.
 */
export function unknownFacts({ name, method, caller }: Call): Facts {
  const called = safeName(name);
  const text = membersText({
    kind: 'call',
    severity: 'notice',
    tool: called,
    name: called,
    method,
    ...safeCaller(callerMembers(caller)),
    outcome: 'unknown',
    retries: 0,
  });
  return { text };
}

/** The members of a JSON object without its braces. */
function membersText(members: object): string {
  return JSON.stringify(members).slice(1, -1);
}

/** A name may be a URL with a token in it, or a token itself. */
function safeName(name: string): string {
  return redactUrl(bounded(name));
}

function safeVerdict({ module, decision, rule }: ModuleVerdict): ModuleVerdict {
  return { module: safeName(module), decision, rule: safeName(rule) };
}

/** A client may announce any text as its name. */
function safeCaller({ caller, client, clientVersion, era }: CallerMembers): CallerMembers {
  return {
    caller: caller === undefined ? undefined : safeName(caller),
    client: redactText(client),
    clientVersion: redactText(clientVersion),
    era,
  };
}

function isSame(known: Known, call: Call, outcome: End): boolean {
  return (
    known.outcome === outcome &&
    known.name === call.name &&
    known.method === call.method &&
    known.retries === call.context.retries &&
    known.script === scriptOf(call) &&
    isSameVerdict(known.verdict, call.context.verdict) &&
    areSameDecisions(known.decisions, call.context.decisions) &&
    isSameCaller(known.caller, call.caller)
  );
}

/** A script has one id, for the call that runs it and for those that it makes. */
function scriptOf({ context }: Call): string | undefined {
  return context.script?.id ?? context.runs;
}

function areSameDecisions(
  known: readonly ModuleVerdict[],
  others: readonly ModuleVerdict[],
): boolean {
  if (known.length !== others.length) return false;
  return known.every((one, i) => {
    return one.module === others[i]!.module && isSameVerdict(one, others[i]);
  });
}

function isSameVerdict(one: Verdict | undefined, other: Verdict | undefined): boolean {
  if (one === other || !one || !other) return one === other;
  return one.decision === other.decision && one.rule === other.rule;
}

/** Callers of one list have the same era. */
function isSameCaller(known: CallerMembers, { principal, client }: Caller): boolean {
  return (
    known.client === bounded(client.name) &&
    known.clientVersion === bounded(client.version) &&
    known.caller === (principal && bounded(principal.name))
  );
}

function callerMembers({ principal, client, era }: Caller): CallerMembers {
  return {
    caller: principal && bounded(principal.name),
    client: bounded(client.name),
    clientVersion: bounded(client.version),
    era,
  };
}

/** A read follows from readOnlyHint, any other risk from destructiveHint. */
function evidenceOf(risk: Risk, { readOnlyHint, destructiveHint }: LabelHints): Evidence {
  return risk === 'read' ? readOnlyHint.evidence : destructiveHint.evidence;
}
