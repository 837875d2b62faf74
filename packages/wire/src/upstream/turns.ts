/** Calls that may ask their caller something take turns, so that the asked caller is certain. */

import { CallsignError, type Call, type Caller, type Reply } from '@callsign/core';

import { QUESTION_CAPABILITIES } from '../extensions/request/answerable.js';
import { LATE_MS } from '../extensions/request/open-questions.js';
import { replyOf } from '../rpc/message/rpc-error.js';

export interface TurnsOptions {
  /** How long a call that might ask waits before it is sent without a turn. */
  readonly unknownMs?: number;
  /** How long a call that is known to ask waits, counted from the last call that ended. */
  readonly askingMs?: number;
  /** How long a turn continues after its call was cancelled. */
  readonly lateMs?: number;
}

interface Waiting {
  readonly call: Call;
  readonly since: number;
  /** Sends the call. */
  readonly go: () => void;
  timer: NodeJS.Timeout | undefined;
}

const MAX_WAITING = 1_024;
const NONE: ReadonlySet<string> = new Set();
/** What an item may ask about which nothing is known. */
const ANY: ReadonlySet<string> = new Set(QUESTION_CAPABILITIES.keys());

/**
 * On a pipe, a question does not name the call that caused it. So two calls that may ask overlap
 * only if it does not matter which of them asked: they belong to one caller, or neither caller can
 * answer. An item that ran without a question needs no turn until it asks. Turns only make it
 * easier to assign questions, and the wait for a turn is limited. `OpenQuestions` guarantees that no
 * question reaches the wrong caller.
 */
export class Turns {
  readonly #options: Required<TurnsOptions>;
  /** The methods of the questions that an item asks, if that is known. */
  readonly #questions = new Map<string, ReadonlySet<string>>();
  /** Calls about which the server asked, or may have asked. */
  readonly #asked = new WeakSet<Call>();
  readonly #running = new Set<Call>();
  #queue: Waiting[] = [];
  /** When a call ended last. */
  #movedAt = 0;

  constructor({ unknownMs = 1_000, askingMs = 30_000, lateMs = LATE_MS }: TurnsOptions = {}) {
    this.#options = { unknownMs, askingMs, lateMs };
  }

  /** Calls that wait for their turn. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Whether a call needs no turn. `mayAsk`: whether an item may ask about which nothing is known. */
  isFree(call: Call, mayAsk: boolean = true): boolean {
    const questions = this.#questions.get(keyOf(call));
    return questions ? questions.size === 0 : !mayAsk;
  }

  /** Sends a call in its turn: at once, unless it must not overlap with others. */
  run(call: Call, send: () => Promise<Reply>): Promise<Reply> {
    // A call that has its turn may have to be sent again.
    if (this.isFree(call) || this.#running.has(call)) return send();
    // Otherwise new calls of one caller could keep all others waiting.
    if (this.#queue.length === 0 && this.#fits(call)) return this.#inTurn(call, send);
    return this.#queue.length < MAX_WAITING ? this.#queued(call, send) : this.#inTurn(call, send);
  }

  /** The server asked about one of these calls. If there are several, it is not known which. */
  asked(calls: readonly Call[], method: string): void {
    const isExplained = calls.some((call) => this.#questions.get(keyOf(call))?.has(method));
    for (const call of calls) {
      this.#asked.add(call);
      const key = keyOf(call);
      if (!isExplained)
        this.#questions.set(key, new Set([...(this.#questions.get(key) ?? NONE), method]));
    }
  }

  async #inTurn(call: Call, send: () => Promise<Reply>): Promise<Reply> {
    this.#running.add(call);
    try {
      return this.#learn(call, await send());
    } finally {
      // After a cancellation the server may still ask about the call for a moment.
      if (call.context.isStopped) setTimeout(() => this.#end(call), this.#options.lateMs).unref();
      else this.#end(call);
    }
  }

  #queued(call: Call, send: () => Promise<Reply>): Promise<Reply> {
    // After the wait the call may no longer be allowed.
    const decided = async (): Promise<Reply> => {
      await call.context.recheck?.();
      return send();
    };
    return new Promise((resolve) => {
      const leave = (): void => {
        clearTimeout(waiting.timer);
        call.context.offCancel(giveUp);
        this.#queue = this.#queue.filter((other) => other !== waiting);
      };
      const giveUp = (): void => {
        leave();
        resolve(replyOf(new CallsignError('call-cancelled')));
        this.#advance();
      };
      const waiting: Waiting = {
        call,
        since: Date.now(),
        go: () => {
          leave();
          resolve(this.#inTurn(call, decided));
        },
        timer: undefined,
      };
      call.context.onCancel(giveUp);
      this.#queue.push(waiting);
      this.#wait(waiting);
    });
  }

  /** The limit depends on whether the item asks, which may become known during the wait. */
  #wait(waiting: Waiting): void {
    const { unknownMs, askingMs } = this.#options;
    const { call, since } = waiting;
    const due = this.#questions.has(keyOf(call))
      ? Math.max(since, this.#movedAt) + askingMs
      : since + unknownMs;
    const left = due - Date.now();
    if (left <= 0) waiting.go();
    else waiting.timer = setTimeout(() => this.#wait(waiting), left);
  }

  /** Only an answer shows that nothing was asked. A failed call may have ended before that. */
  #learn(call: Call, reply: Reply): Reply {
    const isQuiet = reply.ok && !call.context.isStopped && !this.#asked.has(call);
    if (isQuiet) this.#questions.set(keyOf(call), NONE);
    return reply;
  }

  #end(call: Call): void {
    this.#running.delete(call);
    this.#movedAt = Date.now();
    this.#advance();
  }

  /** Sends the calls whose turn it is, the oldest first. */
  #advance(): void {
    for (const { call, go } of this.#queue) if (this.isFree(call)) go();
    for (let [next] = this.#queue; next && this.#fits(next.call); [next] = this.#queue) next.go();
  }

  #fits(call: Call): boolean {
    for (const other of this.#running) if (!this.#mayOverlap(call, other)) return false;
    return true;
  }

  /** Whether each question of either call would get the same answer from both callers. */
  #mayOverlap(one: Call, other: Call): boolean {
    if (one.caller.id === other.caller.id) return true;
    const [asks, othersAsks] = [this.#askedBy(one), this.#askedBy(other)];
    // A call that does not ask ends, and then only the other can have asked.
    if (asks.size === 0 || othersAsks.size === 0) return true;
    for (const methods of [asks, othersAsks]) {
      for (const method of methods)
        if (canBeAsked(one.caller, method) || canBeAsked(other.caller, method)) return false;
    }
    return true;
  }

  #askedBy(call: Call): ReadonlySet<string> {
    return this.#questions.get(keyOf(call)) ?? ANY;
  }
}

/** The key of a habit: the name of the tool or, for other methods, which rarely ask, the method. */
function keyOf({ method, target, name }: Call): string {
  return method === 'tools/call' ? (target?.ref.tool ?? name) : method;
}

/** Unknown kinds of questions are passed on to every client. */
function canBeAsked(caller: Caller, method: string): boolean {
  const capability = QUESTION_CAPABILITIES.get(method);
  return capability === undefined || caller.can(capability);
}
