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

/** Reports that a call started or stopped waiting. */
export type ApprovalEvent =
  | { readonly type: 'waiting'; readonly id: string; readonly tool: string }
  | {
      readonly type: 'settled';
      readonly id: string;
      readonly tool: string;
      readonly outcome: 'approved' | 'denied' | 'expired' | 'withdrawn';
    };

/** A call that needs an approval. */
export interface ApprovalRequest {
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
  | { readonly approve: true; readonly scope?: Scope }
  | { readonly approve: false; readonly reason?: string };

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
  readonly settle: (answer: Answer, outcome: Settled['outcome']) => void;
}

type Settled = Extract<ApprovalEvent, { type: 'settled' }>;

export interface ApprovalsOptions {
  readonly clock: Clock;
  /** Further calls are refused at once. */
  readonly maxPending?: number;
  /** Letters of an id. More if many instances make ids. */
  readonly idLength?: number;
}

const MAX_PENDING = 100;
const MAX_REASON = 300;
const ID_LENGTH = 6;

/** The queue of this instance. Every call is settled exactly once. */
export class Approvals {
  readonly #clock: Clock;
  readonly #maxPending: number;
  readonly #idLength: number;
  readonly #waiting = new Map<string, Waiting>();
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

  /** A waiting call with everything that a board of several instances needs. */
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
    const id = this.#newId();
    const { tool } = request.summary;
    const answer = new Promise<Answer>((resolve) => {
      const stop = this.#clock.after(request.timeoutMs, () => {
        const seconds = request.timeoutMs / 1000;
        settle({ refusal: `the operator did not answer within ${seconds} s` }, 'expired');
      });
      const settle: Waiting['settle'] = (given, outcome) => {
        if (!this.#waiting.delete(id)) return;
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

  /** Decides about a call. False: no call with this id waits. */
  decide(id: string, decision: OperatorDecision): boolean {
    const waiting = this.#waiting.get(id);
    if (!waiting) return false;
    if (decision.approve) {
      const { scope = 'once' } = decision;
      const reach = Math.min(SCOPES.indexOf(scope), SCOPES.indexOf(waiting.furthest));
      waiting.settle({ scope: SCOPES[reach]! }, 'approved');
    } else {
      const reason = decision.reason?.slice(0, MAX_REASON);
      const why = reason === undefined ? '' : `: ${reason}`;
      waiting.settle({ refusal: `the operator denied it${why}` }, 'denied');
    }
    return true;
  }

  /** Called when a call starts or stops waiting. */
  subscribe(listener: (event: ApprovalEvent) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  #pending(id: string, { summary, caller, since, timeoutMs, furthest }: Waiting): PendingApproval {
    const now = this.#clock.now();
    return {
      id,
      ...summary,
      caller,
      waitedMs: now - since,
      remainingMs: since + timeoutMs - now,
      furthest,
    };
  }

  /** Short enough to type. */
  #newId(): string {
    for (;;) {
      const id = randomBytes(this.#idLength / 2).toString('hex');
      if (!this.#waiting.has(id)) return id;
    }
  }
}
