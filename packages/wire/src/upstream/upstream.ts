/** A server behind us, as a Source: started, listed, called, and started again when it falls. */

import { byKind, CallsignError, KINDS, NOTHING } from '@callsign/core';
import type { Call, Era, Item, Kind, Offer, Question, Reply } from '@callsign/core';
import type { Route, Source, SourceEvent, Unsubscribe } from '@callsign/core';

import type { Implementation } from '../message/protocol.js';
import { reasonOf, replyOf } from '../message/rpc-error.js';
import { DEFAULT_RESTART, restartDelay, type RestartPolicy } from './backoff.js';
import { abilitiesOf } from './handshake.js';
import { Link, type Transport } from './link.js';
import type { Lists } from './lists.js';
import { deliverLog } from './log-delivery.js';
import { changedKinds, readUri } from './notifications.js';
import { putQuestion } from './question.js';
import { Turns } from './turns.js';

export interface UpstreamOptions {
  readonly key: string;
  readonly transport: Transport;
  readonly self: Implementation;
  readonly era?: Era | 'auto';
  readonly startTimeoutMs?: number;
  readonly restart?: RestartPolicy;
  /** Calls that may wait for an answer at once. */
  readonly maxPending?: number;
  /** Text that may wait to be taken by the server. */
  readonly maxBacklog?: number;
  /** Answers a question outside of any call; `undefined` if no client can. */
  readonly answer?: (question: Question, server: string) => Promise<Reply> | undefined;
  readonly log?: (level: 'info' | 'warning' | 'error', message: string) => void;
}

export type UpstreamState =
  | { readonly is: 'starting' | 'ready' | 'stopped' }
  /** Down, and coming back. */
  | { readonly is: 'waiting'; readonly reason: string; readonly delayMs: number }
  /** Given up. */
  | { readonly is: 'failed'; readonly reason: string };

/** Changes come in bursts; the lists are fetched once for all of them. */
const GATHER_MS = 20;
/** A server that lived this long has shown that it can; its next fall counts as the first. */
const LONG_LIFE_MS = 60_000;
const NO_LISTS: Lists = byKind(() => []);

export class Upstream implements Source {
  readonly key: string;
  /** How often it was started again. */
  restarts = 0;
  /** Settles when the first start has come to an end, good or bad. */
  readonly settled: Promise<void>;
  readonly #options: UpstreamOptions;
  readonly #listeners = new Set<(event: SourceEvent) => void>();
  readonly #watchers = new Set<(state: UpstreamState) => void>();
  readonly #routes = byKind(() => new Map<string, Route>());
  readonly #stale = new Set<Kind>();
  readonly #turns = new Turns();
  #settle: () => void = () => undefined;
  #state: UpstreamState = { is: 'starting' };
  #link: Link | undefined;
  #lists: Lists = NO_LISTS;
  #offer: Offer = NOTHING;
  #failures = 0;
  #readySince = 0;
  #probe = true;
  #restartTimer: NodeJS.Timeout | undefined;
  #isRefreshing = false;
  /** The end of the last life, while it is still coming. */
  #gone: Promise<void> = Promise.resolve();
  #logLevel: string | undefined;

  constructor(options: UpstreamOptions) {
    this.key = options.key;
    this.#options = options;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get state(): UpstreamState {
    return this.#state;
  }

  get offer(): Offer {
    return this.#offer;
  }

  /** Calls that have come and are not answered. */
  get callsUnderWay(): number {
    return this.#turns.waiting + (this.#link?.callsUnderWay ?? 0);
  }

  route(kind: Kind, name: string): Route | undefined {
    return this.#routes[kind].get(name);
  }

  subscribe(listener: (event: SourceEvent) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells of every change of its state, after it. */
  onState(listener: (state: UpstreamState) => void): Unsubscribe {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  tell(method: string, params: string): void {
    if (method === 'logging/setLevel') this.#logLevel = params;
    if (this.#state.is !== 'ready') return;
    if (method === 'logging/setLevel') this.#link?.setLogLevel(params);
    else this.#link?.notify(method, params);
  }

  /** Starts the server; resolves when that has come to an end. */
  async start(): Promise<void> {
    if (this.#state.is === 'stopped') return;
    this.#become({ is: 'starting' });
    this.#stale.clear();
    let link: Link | undefined;
    try {
      this.#link = link = this.#openLink();
      await link.greet();
      const lists = await link.lists(KINDS, NO_LISTS);
      if (this.#link !== link) return;
      if (link.isClosed) throw new CallsignError('upstream-closed', { server: this.key });
      this.#lists = lists;
      this.#become({ is: 'ready' });
      this.#readySince = Date.now();
      this.#publish(link, KINDS);
      if (this.#logLevel !== undefined) link.setLogLevel(this.#logLevel);
      // What has changed while the lists were on their way.
      if (this.#stale.size > 0) this.#refreshSoon([]);
    } catch (error) {
      if (this.#link !== link) return;
      // The probe may have been too much for an old server, and a newer one needs it.
      this.#probe = !this.#probe;
      this.#down(link?.closedBecause ?? reasonOf(error));
    } finally {
      this.#settle();
    }
  }

  /** Starts now, if it waits for that or was given up. */
  async tryAgain(): Promise<void> {
    if (this.#state.is !== 'failed' && this.#state.is !== 'waiting') return;
    clearTimeout(this.#restartTimer);
    this.#failures = 0;
    this.restarts++;
    this.#become({ is: 'starting' });
    await this.#gone.then(() => this.start());
  }

  /** Ends the server and does not start it again. Resolves when every process of it is gone. */
  async stop(): Promise<void> {
    this.#become({ is: 'stopped' });
    clearTimeout(this.#restartTimer);
    this.#settle();
    const link = this.#link;
    this.#link = undefined;
    this.#withdraw();
    await Promise.all([this.#gone, link?.close()]);
  }

  #openLink(): Link {
    const { key, transport, self, era = 'auto', log } = this.#options;
    const link: Link = new Link(
      {
        key,
        transport,
        self,
        era,
        probe: this.#probe,
        timeoutMs: this.#options.startTimeoutMs ?? 30_000,
        maxPending: this.#options.maxPending ?? 1_024,
        maxBacklog: this.#options.maxBacklog ?? 64 * 1024 * 1024,
        warn: (message) => log?.('warning', `[${key}] ${message}`),
      },
      {
        onNotification: (method, params, calls) => this.#onNotification(method, params, calls),
        onQuestion: (question, calls) => this.#onQuestion(question, calls),
        onClose: (reason) => {
          if (this.#link === link && this.#state.is === 'ready') this.#down(reason);
        },
      },
    );
    return link;
  }

  #publish({ greeting: { capabilities } }: Link, kinds: readonly Kind[]): void {
    this.#offer = { ...this.#lists, abilities: abilitiesOf(capabilities) };
    for (const kind of kinds) {
      this.#routes[kind].clear();
      for (const item of this.#lists[kind])
        this.#routes[kind].set(item.name, this.#routeTo(kind, item));
    }
    this.#emit({ type: 'changed', kinds });
  }

  #withdraw(): void {
    this.#lists = NO_LISTS;
    this.#offer = NOTHING;
    for (const kind of KINDS) this.#routes[kind].clear();
    this.#emit({ type: 'changed', kinds: KINDS });
  }

  #routeTo(kind: Kind, item: Item): Route {
    // What a client makes of a template is already the server's own; anything else goes by its own name.
    const nameJson = kind === 'template' ? undefined : JSON.stringify(item.name);
    return { item, send: (call) => this.#send(call, nameJson) };
  }

  #send(call: Call, nameJson: string | undefined): Promise<Reply> {
    const link = this.#state.is === 'ready' ? this.#link : undefined;
    if (!link?.asksBlindly(call) || this.#turns.isFree(call)) return this.#sendNow(call, nameJson);
    return this.#turns.run(call, () => this.#sendNow(call, nameJson));
  }

  #sendNow(call: Call, nameJson: string | undefined): Promise<Reply> {
    if (this.#link && this.#state.is === 'ready') return this.#link.send(call, nameJson);
    const reason = 'reason' in this.#state ? this.#state.reason : `it is ${this.#state.is}`;
    const error = new CallsignError('upstream-unavailable', { server: this.key, reason });
    return Promise.resolve(replyOf(error));
  }

  #onNotification(method: string, params: string | undefined, calls: readonly Call[]): void {
    const kinds = changedKinds(method);
    if (kinds.length > 0) this.#refreshSoon(kinds);
    else if (params === undefined) return;
    else if (method === 'notifications/message') {
      deliverLog(params, calls, () => this.#emit({ type: 'log', params }));
    } else if (method === 'notifications/resources/updated') {
      this.#emit({ type: 'resource-updated', uri: readUri(params), params });
    }
  }

  #onQuestion(question: Question, calls: readonly Call[]): Promise<Reply> {
    if (question.method !== 'roots/list') this.#turns.asked(calls);
    return putQuestion(question, { server: this.key, calls, answer: this.#options.answer });
  }

  /** Notes what has changed; fetched is it once we are ready for it, and one time after the other. */
  #refreshSoon(kinds: readonly Kind[]): void {
    for (const kind of kinds) this.#stale.add(kind);
    if (this.#isRefreshing || this.#state.is !== 'ready') return;
    this.#isRefreshing = true;
    setTimeout(() => void this.#refresh(), GATHER_MS);
  }

  async #refresh(): Promise<void> {
    const kinds = [...this.#stale];
    this.#stale.clear();
    const link = this.#link;
    try {
      const lists = await link?.lists(kinds, this.#lists);
      if (link && lists && this.#link === link && !link.isClosed) {
        this.#lists = lists;
        this.#publish(link, kinds);
      }
    } catch (error) {
      const reason = reasonOf(error);
      this.#options.log?.('warning', `[${this.key}] its new lists did not come: ${reason}`);
    }
    this.#isRefreshing = false;
    if (this.#stale.size > 0) this.#refreshSoon([]);
  }

  #down(reason: string): void {
    if (this.#state.is === 'stopped') return;
    const wasReady = this.#state.is === 'ready';
    if (wasReady && Date.now() - this.#readySince > LONG_LIFE_MS) this.#failures = 0;
    const policy = this.#options.restart ?? DEFAULT_RESTART;
    this.#failures++;
    // One process at a time: the next start waits until the last one is gone, with all that it left.
    this.#gone = this.#link?.close() ?? Promise.resolve();
    this.#link = undefined;
    if (this.#failures >= policy.giveUpAfter) {
      this.#become({ is: 'failed', reason });
      this.#options.log?.('error', `[${this.key}] given up: ${reason}`);
    } else {
      const delayMs = restartDelay(this.#failures, policy);
      this.restarts++;
      this.#become({ is: 'waiting', reason, delayMs });
      this.#options.log?.('warning', `[${this.key}] ${reason}; starting again in ${delayMs} ms`);
      const again = (): void => void this.#gone.then(() => this.start());
      this.#restartTimer = setTimeout(again, delayMs);
    }
    if (wasReady) this.#withdraw();
  }

  #become(state: UpstreamState): void {
    this.#state = state;
    for (const watcher of this.#watchers) watcher(state);
  }

  #emit(event: SourceEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
