/** Calls that may ask their caller something take turns, so that the asked caller is certain. */

import { CallsignError, type Call, type Caller, type Reply } from '@callsign/core';

import { LATE_MS } from '../extensions/request/open-questions.js';
import { replyOf } from '../rpc/message/rpc-error.js';

/** Whether an item asked a question when it last ran. */
type Habit = 'quiet' | 'asks';

export interface TurnsOptions {
  /** How long a call that might ask waits before it is sent without a turn. */
  readonly unknownMs?: number;
  /** The same for a call that is known to ask. */
  readonly askingMs?: number;
  /** How long a turn continues after its call was cancelled. */
  readonly lateMs?: number;
}

interface Waiting {
  readonly call: Call;
  readonly since: number;
  /** Sends the call, in its turn or without one. */
  readonly go: (inTurn: boolean) => void;
  timer: NodeJS.Timeout | undefined;
}

const MAX_WAITING = 1_024;

/**
 * On a pipe, a question does not name the call that caused it. Calls of one caller never wait for
 * each other. Callers who cannot be asked do not take part. An item that ran without a question
 * needs no turn until it asks. Turns only make it easier to assign questions, and the wait for a
 * turn is limited. `OpenQuestions` guarantees that no question reaches the wrong caller.
 */
export class Turns {
  readonly #options: Required<TurnsOptions>;
  readonly #habits = new Map<string, Habit>();
  /** Calls about which the server asked, or may have asked. */
  readonly #asked = new WeakSet<Call>();
  /** The caller whose turn it is, and the number of its calls. */
  #holder: string | undefined;
  #held = 0;
  #queue: Waiting[] = [];

  constructor({ unknownMs = 1_000, askingMs = 30_000, lateMs = LATE_MS }: TurnsOptions = {}) {
    this.#options = { unknownMs, askingMs, lateMs };
  }

  /** Calls that wait for their turn. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Whether a call needs no turn. */
  isFree(call: Call): boolean {
    return this.#habits.get(keyOf(call)) === 'quiet' || !canBeAsked(call.caller);
  }

  /** Sends a call in its turn: at once, unless a call of another caller may ask too. */
  run(call: Call, send: () => Promise<Reply>): Promise<Reply> {
    if (this.isFree(call)) return send();
    if (this.#holder === undefined || this.#holder === call.caller.id)
      return this.#inTurn(call, send);
    return this.#queue.length < MAX_WAITING ? this.#queued(call, send) : send();
  }

  /** The server asked about one of these calls. If there are several, it is not known which. */
  asked(calls: readonly Call[]): void {
    for (const call of calls) {
      this.#asked.add(call);
      if (calls.length === 1) this.#habits.set(keyOf(call), 'asks');
    }
  }

  async #inTurn(call: Call, send: () => Promise<Reply>): Promise<Reply> {
    this.#holder = call.caller.id;
    this.#held++;
    try {
      return this.#learn(call, await send());
    } finally {
      // After a cancellation the server may still ask about the call for a moment.
      if (call.context.isCancelled) setTimeout(() => this.#release(), this.#options.lateMs).unref();
      else this.#release();
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
      };
      const waiting: Waiting = {
        call,
        since: Date.now(),
        go: (inTurn) => {
          leave();
          resolve(
            inTurn
              ? this.#inTurn(call, decided)
              : decided().then((reply) => this.#learn(call, reply)),
          );
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
    const patience = this.#habits.get(keyOf(waiting.call)) === 'asks' ? askingMs : unknownMs;
    const left = waiting.since + patience - Date.now();
    if (left <= 0) waiting.go(false);
    else waiting.timer = setTimeout(() => this.#wait(waiting), left);
  }

  /** Only an answer shows that nothing was asked. A failed call may have ended before that. */
  #learn(call: Call, reply: Reply): Reply {
    const isQuiet = reply.ok && !call.context.isCancelled && !this.#asked.has(call);
    if (isQuiet) this.#habits.set(keyOf(call), 'quiet');
    return reply;
  }

  /** A call of the turn has ended. After the last one, all calls of the next caller go on. */
  #release(): void {
    if (--this.#held > 0) return;
    this.#holder = undefined;
    const next = this.#queue[0]?.call.caller.id;
    for (const { call, go } of this.#queue) if (call.caller.id === next) go(true);
  }
}

/** The key of a habit: the name of the tool or, for other methods, which rarely ask, the method. */
function keyOf({ method, target, name }: Call): string {
  return method === 'tools/call' ? (target?.ref.tool ?? name) : method;
}

/** Requests for roots do not count, since calls rarely cause them. */
function canBeAsked(caller: Caller): boolean {
  return caller.can('elicitation') || caller.can('sampling');
}
