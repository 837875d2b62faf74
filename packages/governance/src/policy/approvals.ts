/** Calls that wait for the operator because their client cannot ask a user. */

import { randomBytes } from 'node:crypto';

import { Listeners, type Clock, type Unsubscribe } from '@callsign/core';

import {
  type Answer,
  type CallSummary,
  type Scope,
  SCOPES,
  type SummaryArguments,
} from './question.js';

/** A waiting call, as the operator sees it. Its arguments are redacted. */
export interface PendingApproval extends CallSummary {
  readonly id: string;
  readonly caller: {
    /** The caller, if there was a credential. */
    readonly name: string | undefined;
    readonly client: string;
  };
  readonly waitedMs: number;
  readonly remainingMs: number;
  /** The widest scope that an approval may have. */
  readonly furthest: Scope;
}

/** How the wait of a call ended. */
export type Outcome = 'approved' | 'denied' | 'expired' | 'withdrawn';

/** Reports that a call started or stopped waiting. */
export type ApprovalEvent =
  | { readonly type: 'waiting'; readonly id: string; readonly tool: string }
  | {
      readonly type: 'settled';
      readonly id: string;
      readonly tool: string;
      readonly outcome: Outcome;
    };

/** A call that needs an approval. */
export interface ApprovalRequest {
  /** From `newId`. Default: a new one. */
  readonly id?: string;
  readonly summary: CallSummary;
  readonly caller: PendingApproval['caller'];
  readonly timeoutMs: number;
  /** The widest scope that an approval may have. */
  readonly furthest: Scope;
  /** The complete arguments, redacted. */
  readonly wholeArguments: () => SummaryArguments;
}

/** The operator's decision. */
export type OperatorDecision =
  | {
      readonly approve: true;
      readonly scope?: Scope;
      /** The numbers of the calls of a script that are approved. Missing: all. */
      readonly only?: readonly number[];
    }
  | { readonly approve: false; readonly reason?: string };

/** A call that an operator has asked to decide, now or before. */
export interface DecidedApproval {
  readonly approval: PendingApproval;
  /** The decision that came first. Missing if there is none. */
  readonly decision?: OperatorDecision;
  /** Missing if the instance where the call waits has not said yet how the wait ended. */
  readonly outcome?: Outcome;
}

/** Whether an approval of some calls names only calls that the script wants to make. */
export function isAbout(
  decision: OperatorDecision,
  { calls = [] }: Pick<CallSummary, 'calls'>,
): boolean {
  if (!decision.approve || decision.only === undefined) return true;
  const numbers = new Set(calls.map(({ number }) => number));
  return decision.only.length > 0 && decision.only.every((each) => numbers.has(each));
}

/** A call in the queue. */
export interface Ticket {
  /** `undefined`: the call was refused at once. */
  readonly id: string | undefined;
  readonly answer: Promise<Answer>;
  /** Call it when the call was cancelled. */
  withdraw(): void;
}

interface Waiting extends ApprovalRequest {
  readonly since: number;
  readonly settle: (answer: Answer, outcome: Outcome, decision?: OperatorDecision) => void;
}

export interface ApprovalsOptions {
  readonly clock: Clock;
  /** Further calls are refused at once. */
  readonly maxPending?: number;
  /** Letters of an id. More if many instances make ids. */
  readonly idLength?: number;
}

const MAX_PENDING = 100;
/** How many ended calls are remembered, so that an operator who decides again gets the same answer. */
const MAX_SETTLED = 200;
const MAX_REASON = 300;
const ID_LENGTH = 6;

/** The queue of this instance. Every call is settled exactly once. */
export class Approvals {
  readonly #clock: Clock;
  readonly #maxPending: number;
  readonly #idLength: number;
  readonly #waiting = new Map<string, Waiting>();
  /** Oldest first. */
  readonly #settled = new Map<string, DecidedApproval>();
  /** Runs before a call expires, since a decision may have come that is not known here yet. */
  lastLook: (() => Promise<unknown>) | undefined;
  readonly #listeners = new Listeners<ApprovalEvent>();

  constructor({ clock, maxPending = MAX_PENDING, idLength = ID_LENGTH }: ApprovalsOptions) {
    this.#clock = clock;
    this.#maxPending = maxPending;
    this.#idLength = idLength;
  }

  /** Waiting calls, oldest first. */
  get pending(): PendingApproval[] {
    return Array.from(this.#waiting, ([id, waiting]) => this.#pending(id, waiting));
  }

  /** A waiting call with its complete arguments; `undefined` if no call with this id waits. */
  whole(id: string): PendingApproval | undefined {
    const waiting = this.#waiting.get(id);
    return waiting && { ...this.#pending(id, waiting), ...waiting.wholeArguments() };
  }

  /** A waiting call with everything that a store of several instances needs. */
  posted(id: string): (PendingApproval & { whole: SummaryArguments }) | undefined {
    const waiting = this.#waiting.get(id);
    return waiting && { ...this.#pending(id, waiting), whole: waiting.wholeArguments() };
  }

  /** Adds a call to the queue. */
  request(request: ApprovalRequest): Ticket {
    if (this.#waiting.size >= this.#maxPending) {
      const refusal = `${this.#waiting.size} calls are already waiting for the operator`;
      return { id: undefined, answer: Promise.resolve({ refusal }), withdraw: () => undefined };
    }
    const { id = this.newId() } = request;
    const { tool } = request.summary;
    const answer = new Promise<Answer>((resolve) => {
      const stop = this.#clock.after(request.timeoutMs, () => {
        const refusal = `the operator did not answer within ${request.timeoutMs / 1000} s`;
        const expire = (): void => settle({ refusal }, 'expired');
        if (this.lastLook) this.lastLook().then(expire, expire);
        else expire();
      });
      const settle: Waiting['settle'] = (given, outcome, decision) => {
        const waiting = this.#waiting.get(id);
        if (!waiting) return;
        const approval = this.#pending(id, waiting);
        this.#remember({ approval, outcome, ...(decision ? { decision } : {}) });
        this.#waiting.delete(id);
        stop();
        resolve(given);
        this.#listeners.tell({ type: 'settled', id, tool, outcome });
      };
      this.#waiting.set(id, { ...request, since: this.#clock.now(), settle });
    });
    this.#listeners.tell({ type: 'waiting', id, tool });
    return {
      id,
      answer,
      withdraw: () =>
        this.#waiting.get(id)?.settle({ refusal: 'the call was withdrawn' }, 'withdrawn'),
    };
  }

  /** A call that waits no more, if it is one of the last; `undefined` otherwise. */
  settled(id: string): DecidedApproval | undefined {
    return this.#settled.get(id);
  }

  /** Decides about a call. Returns false if no call with this id waits. */
  decide(id: string, decision: OperatorDecision): boolean {
    const waiting = this.#waiting.get(id);
    if (!waiting) return false;
    if (decision.approve && !isAbout(decision, waiting.summary)) {
      // It may have been made at another instance. To take it for a yes to all would be wrong.
      const refusal = 'the approval names calls that the script does not make';
      waiting.settle({ refusal }, 'denied', decision);
    } else if (decision.approve) {
      const { scope = 'once', only } = decision;
      const reach = Math.min(SCOPES.indexOf(scope), SCOPES.indexOf(waiting.furthest));
      const covered = only === undefined ? {} : { only };
      waiting.settle({ scope: SCOPES[reach]!, ...covered }, 'approved', decision);
    } else {
      const reason = decision.reason?.slice(0, MAX_REASON);
      const why = reason === undefined ? '' : `: ${reason}`;
      waiting.settle({ refusal: `the operator denied it${why}` }, 'denied', decision);
    }
    return true;
  }

  /** Called when a call starts or stops waiting. */
  subscribe(listener: (event: ApprovalEvent) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  #remember(ended: DecidedApproval): void {
    this.#settled.set(ended.approval.id, ended);
    const [oldest] = this.#settled.keys();
    if (this.#settled.size > MAX_SETTLED) this.#settled.delete(oldest!);
  }

  #pending(id: string, { summary, caller, since, timeoutMs, furthest }: Waiting): PendingApproval {
    const now = this.#clock.now();
    return {
      id,
      ...summary,
      caller,
      waitedMs: now - since,
      remainingMs: Math.max(0, since + timeoutMs - now),
      furthest,
    };
  }

  /** Short enough to type. */
  newId(start: string = ''): string {
    for (;;) {
      const id = `${start}${randomBytes(this.#idLength / 2).toString('hex')}`;
      if (!this.#waiting.has(id)) return id;
    }
  }
}
