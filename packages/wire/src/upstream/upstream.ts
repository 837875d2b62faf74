/** A server behind us, as a Source: started, listed, called, and started again when it ends. */

import {
  type Call,
  CallsignError,
  type Era,
  type Item,
  type Kind,
  KINDS,
  Listeners,
  type Offer,
  type Question,
  type Reply,
  type Route,
  type Source,
  type SourceEvent,
  type Unsubscribe,
} from '@callsign/core';

import { reasonOf } from '../rpc/message/rpc-error.js';
import { DEFAULT_RESTART, Failures, restartDelay } from '../rpc/stream/backoff.js';
import type { Transport } from './link-options.js';
import type { Link } from './link.js';
import { ListRefresh } from './list-refresh.js';
import type { FetchedLists } from './lists.js';
import { deliverLog } from './log-delivery.js';
import { changedKinds, eventOf } from './notifications.js';
import { Offered, offerOf } from './offered.js';
import { openLink, START_MS } from './open-link.js';
import { publishOffer } from './publish-offer.js';
import { putQuestion } from './question.js';
import { UpstreamCalls } from './upstream-calls.js';
import type { UpstreamOptions } from './upstream-options.js';
import { StateHolder, type UpstreamState } from './upstream-state.js';

/** One server. While it is down, what it offered last stays listed (see `dropsUnavailable`). */
export class Upstream implements Source {
  readonly key: string;
  /** How often it was started again. */
  restarts = 0;
  /** Resolves when the first start has succeeded or failed, or has taken too long. */
  readonly settled: Promise<void>;
  isSettled = false;
  readonly #options: UpstreamOptions;
  readonly #events = new Listeners<SourceEvent>();
  readonly #offered = new Offered((kind, item) => this.#routeTo(kind, item));
  readonly #refresh = new ListRefresh({
    isReady: () => this.#state.isReady,
    fetch: (kinds, told) => this.#fetch(kinds, told),
  });
  readonly #failures = new Failures();
  readonly #state = new StateHolder(() => this.#options.startTimeoutMs ?? START_MS);
  readonly #calls: UpstreamCalls;
  #settle: () => void = () => undefined;
  #link: Link | undefined;
  /** Counts starts. A start whose number is not the current one must stop. */
  #starts = 0;
  #probe = true;
  #restartTimer: NodeJS.Timeout | undefined;
  /** The end of the last run, while it is in progress. */
  #gone: Promise<void> = Promise.resolve();
  #logLevel: string | undefined;

  constructor(options: UpstreamOptions) {
    this.key = options.key;
    this.#options = options;
    const link = (): Link | undefined => this.#link;
    const onMoved = (): void => void this.move();
    this.#calls = new UpstreamCalls({ options, state: this.#state, link, onMoved });
    if (options.remembered) this.#offered.take(options.remembered);
    this.settled = new Promise((resolve) => {
      this.#settle = () => {
        this.isSettled = true;
        resolve();
      };
    });
  }

  get state(): UpstreamState {
    return this.#state.now;
  }

  get offer(): Offer {
    return this.#offered.offer;
  }

  get skills(): readonly Item[] | undefined {
    return this.#offered.now?.skills;
  }

  get instructions(): string | undefined {
    return this.#offered.now?.instructions;
  }

  get unavailable(): string | undefined {
    return this.#state.isReady ? undefined : this.#state.reasonWith(this.#options);
  }

  get callsUnderWay(): number {
    return this.#calls.underWay;
  }

  route(kind: Kind, name: string): Route | undefined {
    return this.#offered.route(kind, name);
  }

  relay(_: string, call: Call): Promise<Reply> {
    return this.#calls.send(call, undefined);
  }

  capabilitiesFor(era: Era): readonly string[] {
    return this.#offered.capabilitiesFor(era);
  }

  subscribe(listener: (event: SourceEvent) => void): Unsubscribe {
    return this.#events.add(listener);
  }

  onState(listener: (state: UpstreamState) => void): Unsubscribe {
    return this.#state.onChange(listener);
  }

  tell(method: string, params: string): void {
    if (method === 'logging/setLevel') this.#logLevel = params;
    if (!this.#state.isReady) return;
    if (method === 'logging/setLevel') this.#link?.setLogLevel(params);
    else if (!this.#link?.tasks.heed(method, params)) this.#link?.notify(method, params);
  }

  async start(): Promise<void> {
    if (this.state.is === 'stopped') return;
    this.#state.become({ is: 'starting' });
    this.#refresh.clear();
    const start = ++this.#starts;
    // It may never be known where a server runs that moves between instances.
    const late = setTimeout(this.#settle, this.#state.startLimit);
    let failure = await this.#attempt(start);
    // An old server may end at the probe. It is started again at once, as part of its first start.
    if (failure?.isAtProbe && !this.isSettled) {
      await this.#gone;
      if (start === this.#starts) failure = await this.#attempt(start);
    }
    clearTimeout(late);
    // It was stopped, or has moved, in the meantime.
    if (start !== this.#starts) return;
    if (failure) this.#down(failure.reason);
    this.#settle();
  }

  /** `undefined`: it is ready, or another start has replaced it. `isAtProbe`: a probed process ended without an answer. */
  async #attempt(start: number): Promise<{ reason: string; isAtProbe: boolean } | undefined> {
    let link: Link | undefined;
    let isGreeted = false;
    try {
      const { transport } = this.#options;
      const way = 'where' in transport ? await transport.where() : transport;
      if (start !== this.#starts) return undefined;
      this.#link = link = this.#openLink(way);
      await link.greet();
      isGreeted = true;
      const fetched = await link.lists(KINDS, this.#offered.lists);
      if (link.closedBecause) throw new CallsignError('upstream-closed', { server: this.key });
      await this.#publish(link, fetched);
      if (this.#link !== link) return undefined;
      if (!this.#state.isReady) throw new CallsignError('upstream-closed', { server: this.key });
      this.#failures.ready();
      this.#events.tell({ type: 'started' });
      if (this.#logLevel !== undefined) link.setLogLevel(this.#logLevel);
      // Fetch what changed while the lists were on their way.
      this.#refresh.note([]);
      return undefined;
    } catch (error) {
      if (this.#link !== link || start !== this.#starts) return undefined;
      const ended = link?.closedBecause;
      const isOld = ended !== undefined && !isGreeted && link!.transport.onePipe;
      const isAtProbe = this.#probe && isOld;
      // A new server needs the probe, and an old one may fail because of it: alternate.
      this.#probe = !this.#probe;
      this.#leave(link);
      return { reason: ended ?? reasonOf(error), isAtProbe };
    }
  }

  async tryAgain(): Promise<void> {
    if (this.state.is === 'failed' || this.state.is === 'waiting') await this.#restart();
  }

  /** Reaches the server in another way. New calls wait. Resolves when calls under way have ended, within `graceMs`. */
  async move(graceMs = 0): Promise<void> {
    if (this.state.is === 'stopped') return;
    this.#starts++;
    const link = this.#link;
    this.#link = undefined;
    this.#gone = Promise.all([this.#gone, link?.leave(graceMs)]).then(() => undefined);
    void this.#restart();
    await this.#gone;
  }

  async #restart(): Promise<void> {
    clearTimeout(this.#restartTimer);
    this.#failures.forget();
    this.#state.hopeAgain();
    this.restarts++;
    this.#state.become({ is: 'starting' });
    await this.#startWhenGone();
  }

  /** Only the latest request for a start counts. */
  async #startWhenGone(): Promise<void> {
    const start = ++this.#starts;
    await this.#gone;
    if (start === this.#starts) await this.start();
  }

  /** Ends the server and does not start it again. Resolves when all of its processes have ended. */
  async stop(): Promise<void> {
    this.#state.become({ is: 'stopped' });
    this.#starts++;
    clearTimeout(this.#restartTimer);
    this.#settle();
    const link = this.#link;
    this.#link = undefined;
    this.#withdraw();
    await Promise.all([this.#gone, link?.close()]);
  }

  #openLink(transport: Transport): Link {
    const link: Link = openLink(this.#options, transport, {
      probe: this.#probe,
      events: {
        onNotification: (method, params, calls) => this.#onNotification(method, params, calls),
        onMissed: () => this.#refresh.note(KINDS, false),
        onQuestion: (...asked) => this.#onQuestion(...asked),
        onClose: (reason) => {
          if (this.#link !== link || !this.#state.isReady) return;
          // The end of a session is no failure: the server has answered in it.
          const isFailure = link.isClosed;
          this.#leave(link);
          this.#down(reason, isFailure);
        },
      },
    });
    return link;
  }

  /** Takes the server's current lists over, unless it ends before they are announced. */
  #publish(link: Link, fetched: FetchedLists, told: readonly Kind[] = []): Promise<void> {
    const isUp = (): boolean => this.#link === link && !link.isClosed;
    const [offered, state, events] = [this.#offered, this.#state, this.#events];
    const offer = offerOf(link.greeting, fetched);
    const { redact, onOffer } = this.#options;
    const failures = fetched.failures.map((each) => redact?.(each) ?? each);
    return publishOffer({ offered, state, events, onOffer, isUp }, offer, failures, told);
  }

  #withdraw(): void {
    this.#offered.clear();
    this.#events.tell({ type: 'changed', kinds: KINDS });
  }

  #routeTo(kind: Kind, item: Item): Route {
    // A URI from a template is already the server's own. Other items get the server's name.
    const nameJson = kind === 'template' ? undefined : JSON.stringify(item.name);
    return { item, send: (call) => this.#calls.send(call, nameJson) };
  }

  #onNotification(method: string, params: string | undefined, calls: readonly Call[]): void {
    const kinds = changedKinds(method);
    if (kinds.length > 0) return this.#refresh.note(kinds);
    const event = params === undefined ? undefined : eventOf(method, params);
    if (event?.type === 'log') deliverLog(event.params, calls, () => this.#events.tell(event));
    else if (event) this.#events.tell(event);
  }

  #onQuestion(question: Question, calls: readonly Call[], isNamed: boolean): Promise<Reply> {
    if (!isNamed) this.#calls.asked(calls, question.method);
    return putQuestion(question, { server: this.key, calls, answer: this.#options.answer });
  }

  async #fetch(kinds: readonly Kind[], told: readonly Kind[]): Promise<void> {
    const link = this.#link;
    try {
      const fetched = await link?.lists(kinds, this.#offered.lists);
      if (fetched) await this.#publish(link!, fetched, told);
    } catch (error) {
      if (link?.isClosed) return;
      const message = `[${this.key}] its changed lists could not be read: ${reasonOf(error)}`;
      this.#options.log?.('warning', message);
    }
  }

  /** One process at a time: the next start waits until the last one, and all that it started, have ended. */
  #leave(link: Link | undefined): void {
    this.#gone = link?.leave(0) ?? Promise.resolve();
    this.#link = undefined;
  }

  #down(cause: string, isFailure = true): void {
    if (this.state.is === 'stopped') return;
    const { restart: policy = DEFAULT_RESTART, explain, dropsUnavailable, log } = this.#options;
    const reason = explain?.(cause) ?? cause;
    const delayMs = isFailure ? this.#failures.next(policy) : restartDelay(1, policy);
    if (delayMs === undefined) {
      log?.('error', `[${this.key}] given up: ${cause}`);
      this.#state.become({ is: 'failed', reason });
      if (dropsUnavailable === true) this.#withdraw();
    } else {
      this.restarts++;
      log?.('warning', `[${this.key}] ${cause}; starting again in ${delayMs} ms`);
      this.#state.become({ is: 'waiting', reason, delayMs });
      this.#restartTimer = setTimeout(() => void this.#startWhenGone(), delayMs);
    }
  }
}
