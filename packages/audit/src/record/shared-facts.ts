/** What records of calls have in common: the label of the tool, the caller, the decision, the outcome. */

import type { LabelHints, Risk, Voice } from '@callsign/annotations';
import type { Call, Caller, Outcome, Target, Verdict } from '@callsign/core';
import { redactUrl } from '@callsign/secrets';

import type { Shared } from './audit-entry.js';
import type { CallerFacts, Severity } from './audit-record.js';
import { bounded } from './bounded.js';

/** How many are remembered of one tool: outcomes and verdicts are few, clients without sessions may be many. */
const REMEMBERED = 32;

const SEVERITY: Readonly<Record<Risk, Severity>> = {
  read: 'info',
  write: 'notice',
  destructive: 'warning',
};

/** Absent of a call that is about to be made. */
type End = Outcome | undefined;

interface Known {
  readonly name: string;
  readonly method: string;
  readonly caller: CallerFacts;
  readonly verdict: Verdict | undefined;
  readonly outcome: End;
  readonly retries: number;
  readonly shared: Shared;
}

export class SharedFacts {
  readonly #keepsArguments: boolean;
  /** Of each session by itself, so that many of them do not push each other out. */
  readonly #bySession = new WeakMap<Caller, WeakMap<Target, Known[]>>();
  readonly #sessionless = new WeakMap<Target, Known[]>();
  /** Who called what last: the next call is often the same. */
  #last: { readonly caller: Caller; readonly target: Target; readonly known: Known[] } | undefined;

  constructor(keepsArguments: boolean) {
    this.#keepsArguments = keepsArguments;
  }

  /** The same object for calls that differ in nothing but what each record holds for itself. */
  of(call: Call, target: Target, outcome: End): Shared {
    const known = this.#knownOf(call.caller, target);
    for (let at = known.length - 1; at >= 0; at--) {
      if (isSame(known[at]!, call, outcome)) return known[at]!.shared;
    }
    if (known.length >= REMEMBERED) known.splice(0, REMEMBERED / 2);
    const fresh = this.#write(call, target, outcome);
    known.push(fresh);
    return fresh.shared;
  }

  /** The newest last. */
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
    const caller = callerFacts(call.caller);
    const text = JSON.stringify({
      kind: outcome === undefined ? 'intent' : 'call',
      severity: SEVERITY[target.risk],
      tool: redactUrl(bounded(target.canonical)),
      risk: target.risk,
      riskFrom: whoSaid(target.risk, target.hints),
      name: redactUrl(bounded(name)),
      method,
      caller,
      decision: verdict?.decision,
      rule: verdict && bounded(verdict.rule),
      outcome,
      retries: outcome === undefined ? undefined : retries,
    });
    const definition = this.#keepsArguments ? { definition: target.item.json } : {};
    return { name, method, caller, verdict, outcome, retries, shared: { text, ...definition } };
  }
}

/** The same of a call that found nothing. Not kept: there is no end of names that are wrong. */
export function unknownText({ name, method, caller }: Call): string {
  const called = redactUrl(bounded(name));
  return JSON.stringify({
    kind: 'call',
    severity: 'notice',
    tool: called,
    name: called,
    method,
    caller: callerFacts(caller),
    outcome: 'unknown',
    retries: 0,
  });
}

/** Where there are no sessions, each request has a number of its own, which is not for sharing. */
export function sessionOf({ era, id }: Caller): string | undefined {
  return era === 'session' ? undefined : id;
}

function isSame(known: Known, call: Call, outcome: End): boolean {
  return (
    known.outcome === outcome &&
    known.name === call.name &&
    known.method === call.method &&
    known.retries === call.context.retries &&
    isSameVerdict(known.verdict, call.context.verdict) &&
    isSameCaller(known.caller, call.caller)
  );
}

function isSameVerdict(one: Verdict | undefined, other: Verdict | undefined): boolean {
  if (one === other || !one || !other) return one === other;
  return one.decision === other.decision && one.rule === other.rule;
}

function isSameCaller(known: CallerFacts, { principal, client, id, era }: Caller): boolean {
  return (
    known.era === era &&
    (era !== 'session' || known.session === id) &&
    known.client === bounded(client.name) &&
    known.version === bounded(client.version) &&
    known.principal === (principal && bounded(principal.name))
  );
}

function callerFacts(caller: Caller): CallerFacts {
  const { principal, client, id, era } = caller;
  return {
    ...(principal ? { principal: bounded(principal.name) } : {}),
    client: bounded(client.name),
    version: bounded(client.version),
    session: sessionOf(caller) === undefined ? id : '',
    era,
  };
}

/** A read is one because of the one hint, everything else is what it is because of the other. */
function whoSaid(risk: Risk, { readOnlyHint, destructiveHint }: LabelHints): Voice {
  return risk === 'read' ? readOnlyHint.evidence.by : destructiveHint.evidence.by;
}
