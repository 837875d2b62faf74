/**
 * Calls to session-era servers that stay open while a stateless client collects answers. The client
 * comes back with a `requestState`, which only its caller can use, once.
 */

import { createHmac, randomBytes } from 'node:crypto';

import {
  CallsignError,
  membersOf,
  memberText,
  type Call,
  type Question,
  type Reply,
} from '@callsign/core';

import { canAnswer, isInputRequest, unanswerable } from '../extensions/request/answerable.js';
import { ownerOf } from '../extensions/tasks/task-table.js';
import { failedReply, replyOf } from '../rpc/message/rpc-error.js';
import { sameText } from '../rpc/message/same-text.js';
import type { Homes, Marked } from './homes.js';
import type { StatelessCall } from './stateless-call.js';

/** What a held call needs next: its end, or more answers. */
export type Outcome = { readonly reply: Reply } | { readonly inputRequired: string };

/** A held call that continues. */
export interface Resumed {
  readonly call: Call;
  readonly outcome: Promise<Outcome>;
}

/** A call that is open at its server. */
interface Held {
  readonly id: string;
  readonly call: Call;
  /** Identifies caller and call. Only the same caller may continue it, with the same call. */
  readonly binding: string;
  readonly asked: Map<
    string,
    { readonly question: Question; readonly resolve: (reply: Reply) => void }
  >;
  /** How often the client was asked. */
  rounds: number;
  /** The round that waits for answers. Unset while the server works. */
  awaited: number | undefined;
  lastKey: number;
  ended: Reply | undefined;
  wake: (() => void) | undefined;
  /** Waits for further questions of a round. */
  gathering: NodeJS.Timeout | undefined;
  /** Waits for the client's answers. */
  timer: NodeJS.Timeout | undefined;
}

const CANCELLED: Reply = replyOf(new CallsignError('call-cancelled'));
/** Questions that come within this time of each other are asked together. */
const GATHER_MS = 10;

export interface HeldCallsOptions {
  /** How long a client may take for its answers. Unset: 10 minutes. */
  readonly timeoutMs?: number;
  /** For one principal, or without one. Unset: 1,024. */
  readonly maxPerPrincipal?: number;
  /** In total. Unset: 5,120. */
  readonly maxHeld?: number;
  /** Set if there are several instances. */
  readonly homes?: Homes | undefined;
}

/** Shared by all listeners, since a client may come back on another connection. */
export class HeldCalls {
  readonly #secret = randomBytes(32);
  readonly #prefix: string;
  readonly #homes: Homes | undefined;
  readonly #held = new Map<string, Held>();
  readonly #timeoutMs: number;
  readonly #maxPerPrincipal: number;
  readonly #maxHeld: number;

  constructor({
    timeoutMs = 600_000,
    maxPerPrincipal = 1_024,
    maxHeld = 5_120,
    homes,
  }: HeldCallsOptions = {}) {
    this.#homes = homes;
    // States of a gateway behind this one have another prefix, or a seal that we cannot open.
    this.#prefix = homes ? 'callsign.' : `callsign.${randomBytes(6).toString('base64url')}.`;
    this.#timeoutMs = timeoutMs;
    this.#maxPerPrincipal = maxPerPrincipal;
    this.#maxHeld = maxHeld;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Whether we created a `requestState`. Any other belongs to the server. */
  isOurs(state: string): boolean {
    return this.#read(state) !== undefined;
  }

  /** The way to the instance that holds the call; `undefined` if it is this one, or unknown. */
  relayOf(state: string): Marked['relay'] {
    return this.#read(state)?.relay;
  }

  /** Sends a call and waits for its end or its first questions. Most calls have none. */
  begin(call: Call, binding: string, send: () => Promise<Reply>): Promise<Outcome> {
    return new Promise((resolve) => {
      let held: Held | undefined;
      (call.context as StatelessCall).onQuestion = (question) => {
        if (!held) {
          held = hold(call, binding);
          resolve(this.#next(held));
        }
        return this.#ask(held, question);
      };
      const onEnd = (reply: Reply): void => {
        if (held) this.#onEnd(held, reply);
        else resolve({ reply });
      };
      send().then(onEnd, (error: unknown) => onEnd(failedReply(call, error)));
    });
  }

  /**
   * Continues a held call. `answers` is the JSON text of `inputResponses`. A state works once, for
   * the caller that got it and with the same arguments, until it expires. `undefined`: the state is
   * not valid.
   */
  resume(
    state: string,
    binding: string,
    { argumentsJson }: Pick<Call, 'argumentsJson'>,
    answers: string | undefined,
  ): Resumed | undefined {
    const [id = '', round = '', mac = '', ...rest] = (this.#read(state)?.text ?? '').split('.');
    const held = this.#held.get(id);
    const isGenuine = rest.length === 0 && sameText(mac, this.#mac(id, round, binding));
    if (!held || !isGenuine || held.binding !== binding || String(held.awaited) !== round) {
      return undefined;
    }
    // The server has the first ones already.
    if (argumentsJson !== held.call.argumentsJson) return undefined;
    clearTimeout(held.timer);
    held.awaited = undefined;
    return { call: held.call, outcome: this.#continue(held, answers) };
  }

  /** Gives the answers to the server, if the call is still allowed. */
  async #continue(held: Held, answers: string | undefined): Promise<Outcome> {
    const { context } = held.call;
    try {
      await context.recheck?.();
    } catch (error) {
      context.stop('The call is no longer allowed.');
      this.#drop(held);
      return { reply: failedReply(held.call, error) };
    }
    const given = answers === undefined ? undefined : membersOf(answers);
    for (const [key, { start, end }] of given ?? []) {
      const asked = held.asked.get(key);
      const json = answers!.slice(start, end);
      // An answer that is not an object does not count. The question stays open.
      if (!asked || !json.startsWith('{')) continue;
      held.asked.delete(key);
      asked.resolve({ ok: true, json });
    }
    return this.#next(held);
  }

  #ask(held: Held, question: Question): Promise<Reply> {
    const { call, asked, id } = held;
    if (!isInputRequest(question) || !canAnswer(call.caller, question)) {
      return Promise.resolve(unanswerable(call, question));
    }
    const limit = this.#held.has(id) ? undefined : this.#reachedLimit(call);
    if (limit !== undefined) {
      const what = 'calls that wait for answers';
      return Promise.resolve(replyOf(new CallsignError('too-many', { limit, what })));
    }
    return new Promise((resolve) => {
      this.#held.set(id, held);
      const key = `q${++held.lastKey}`;
      asked.set(key, { question, resolve });
      void question.withdrawn?.then(() => asked.delete(key) && resolve(CANCELLED));
      clearTimeout(held.gathering);
      held.gathering = setTimeout(() => held.wake?.(), GATHER_MS);
    });
  }

  /** The limit that one more call would exceed. */
  #reachedLimit({ caller }: Call): number | undefined {
    const all = this.#held.size;
    if (all >= this.#maxHeld) return this.#maxHeld;
    if (all < this.#maxPerPrincipal) return undefined;
    const owner = ownerOf(caller);
    let own = 0;
    for (const { call } of this.#held.values()) if (ownerOf(call.caller) === owner) own++;
    return own >= this.#maxPerPrincipal ? this.#maxPerPrincipal : undefined;
  }

  /** Waits until there is something to send to the client. */
  async #next(held: Held): Promise<Outcome> {
    while (held.ended === undefined && held.asked.size === 0) {
      await new Promise<void>((resolve) => {
        held.wake = resolve;
      });
    }
    held.wake = undefined;
    if (held.ended !== undefined) {
      this.#drop(held);
      return { reply: held.ended };
    }
    const round = ++held.rounds;
    held.awaited = round;
    held.timer = setTimeout(() => this.#expire(held), this.#timeoutMs);
    held.timer.unref();
    const requests = Array.from(held.asked, ([key, { question }]) => {
      const { method, params } = question;
      return `"${key}":{"method":${JSON.stringify(method)},"params":${params}}`;
    });
    const text = `${held.id}.${round}.${this.#mac(held.id, String(round), held.binding)}`;
    const state = `${this.#prefix}${this.#homes?.mark(text) ?? text}`;
    return {
      inputRequired: `{"resultType":"input_required","inputRequests":{${requests.join(',')}},"requestState":"${state}"}`,
    };
  }

  /** The server has answered. The client gets the reply when it comes back with its answers. */
  #onEnd(held: Held, reply: Reply): void {
    held.ended = reply;
    if (held.awaited === undefined) this.#drop(held);
    held.wake?.();
  }

  #expire(held: Held): void {
    this.#drop(held);
    held.call.context.cancel('The client did not come back with its answers.');
  }

  #drop({ id, timer, gathering, asked }: Held): void {
    clearTimeout(timer);
    clearTimeout(gathering);
    this.#held.delete(id);
    for (const { resolve } of asked.values()) resolve(CANCELLED);
    asked.clear();
  }

  #read(state: string): Marked | undefined {
    if (!state.startsWith(this.#prefix)) return undefined;
    const text = state.slice(this.#prefix.length);
    return this.#homes ? this.#homes.open(text) : { text };
  }

  #mac(id: string, round: string, binding: string): string {
    return createHmac('sha256', this.#secret)
      .update(`${id}\0${round}\0${binding}`)
      .digest('base64url');
  }
}

/** The `requestState` in the parameters of a request; `undefined` if there is none. */
export function requestStateIn(params: string): string | undefined {
  // Almost no request has it, and a search is much cheaper than a scan.
  const text = params.includes('"requestState"') ? memberText(params, 'requestState') : undefined;
  const state: unknown = text === undefined ? undefined : JSON.parse(text);
  return typeof state === 'string' ? state : undefined;
}

function hold(call: Call, binding: string): Held {
  return {
    id: randomBytes(9).toString('base64url'),
    call,
    binding,
    asked: new Map(),
    rounds: 0,
    awaited: undefined,
    lastKey: 0,
    ended: undefined,
    wake: undefined,
    gathering: undefined,
    timer: undefined,
  };
}
