/** The calls of a server: each is sent at once, in its turn, or when the server has started. */

import { CallsignError, type Call, type Reply } from '@callsign/core';

import { replyOf } from '../rpc/message/rpc-error.js';
import type { Link } from './link.js';
import { MAX_MOVES, MAX_PENDING } from './open-link.js';
import { waitForStart, wasMissed } from './start-wait.js';
import { Turns } from './turns.js';
import type { UpstreamOptions } from './upstream-options.js';
import type { StateHolder } from './upstream-state.js';

export interface UpstreamCallsOptions {
  readonly options: UpstreamOptions;
  readonly state: StateHolder;
  /** The current connection. */
  readonly link: () => Link | undefined;
  /** Called when the server must be reached in another way. */
  readonly onMoved: () => void;
  /** Starts a server that is asleep. */
  readonly wake: () => void;
}

export class UpstreamCalls {
  readonly #options: UpstreamOptions;
  readonly #state: StateHolder;
  readonly #link: () => Link | undefined;
  readonly #onMoved: () => void;
  readonly #wake: () => void;
  readonly #turns = new Turns();
  /** Calls that wait for a start. */
  #waiting = 0;

  constructor({ options, state, link, onMoved, wake }: UpstreamCallsOptions) {
    this.#options = options;
    this.#state = state;
    this.#link = link;
    this.#onMoved = onMoved;
    this.#wake = wake;
  }

  get underWay(): number {
    return this.#waiting + this.#turns.waiting + (this.#link()?.callsUnderWay ?? 0);
  }

  /** The server has put a question during one of these calls, and did not say which. */
  asked(calls: readonly Call[], method: string): void {
    this.#turns.asked(calls, method);
  }

  /** `nameJson`: the server's own name for the called item. Default: the call has it already. */
  send(call: Call, nameJson: string | undefined): Promise<Reply> {
    const link = this.#state.isReady ? this.#link() : undefined;
    if (!link) return this.#sendLater(call, nameJson);
    const { onePipe } = link.transport;
    if (!link.hidesWhichCallAsks(call) || this.#turns.isFree(call, onePipe))
      return this.#sendOver(link, call, nameJson);
    return this.#turns.run(call, () =>
      this.#link() === link
        ? this.#sendOver(link, call, nameJson)
        : this.#sendLater(call, nameJson),
    );
  }

  #sendOver(link: Link, call: Call, nameJson: string | undefined): Promise<Reply> {
    return link.transport.onePipe
      ? link.send(call, nameJson)
      : this.#sendAgain(call, nameJson, link);
  }

  /** A call that did not reach the server waits for a new session, or until it is known where the server runs. */
  async #sendAgain(call: Call, nameJson: string | undefined, link: Link): Promise<Reply> {
    const reply = await link.send(call, nameJson);
    if (!wasMissed(reply, link.transport) || ++call.context.moves > MAX_MOVES) return reply;
    if (this.#link() === link && link.transport.isMoving) this.#onMoved();
    if (reply.fault?.details['session'] === 'ended') call.context.wasRefused = true;
    return this.#sendLater(call, nameJson);
  }

  /** Waits for the server as long as it is expected, within the limit of its start. */
  async #sendLater(call: Call, nameJson: string | undefined): Promise<Reply> {
    const { key: server, maxPending = MAX_PENDING } = this.#options;
    const { isReady, isExpected, isAsleep } = this.#state;
    if (!isReady && !isExpected && !isAsleep) return this.#refusal();
    if (this.#waiting >= maxPending) {
      return replyOf(new CallsignError('upstream-busy', { server, pending: this.#waiting }));
    }
    // Counted before the start, so that nothing puts the server to sleep meanwhile.
    this.#waiting++;
    if (isAsleep) this.#wake();
    this.#options.onAwaited?.();
    const wait = {
      server,
      whenDecided: (decided: () => void) => this.#state.whenDecided(decided),
      limitMs: this.#state.startLimit,
    };
    try {
      const ended = await waitForStart(call, wait);
      if (ended === 'cancelled') return replyOf(new CallsignError('call-cancelled'));
      if (!this.#state.isReady) return this.#refusal();
      await call.context.recheck?.();
      if (this.#options.stillOffers?.(call) === false)
        return this.#refusal('it no longer offers this');
    } finally {
      this.#waiting--;
    }
    // At once, so that the call is counted all the time.
    return this.send(call, nameJson);
  }

  #refusal(reason = this.#state.reasonWith(this.#options)): Reply {
    return replyOf(
      new CallsignError('upstream-unavailable', { server: this.#options.key, reason }),
    );
  }
}
