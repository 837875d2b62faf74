/** A server behind us, as a Source: started, listed, called, and started again when it ends. */

import { CallsignError, KINDS } from '@callsign/core';
import type { Call, Era, Item, Kind, Offer, Question, Reply } from '@callsign/core';
import type { Route, Source, SourceEvent, Unsubscribe } from '@callsign/core';

import { reasonOf, replyOf, WATCH_TASKS } from '@callsign/rpc';
import { DEFAULT_RESTART, restartDelay } from './backoff.js';
import { Link } from './link.js';
import { LIST_LIMITS } from './list-budget.js';
import { ListRefresh } from './list-refresh.js';
import type { FetchedLists } from './lists.js';
import { deliverLog } from './log-delivery.js';
import { changedKinds, eventOf } from './notifications.js';
import { Offered, offerOf } from './offered.js';
import { putQuestion } from './question.js';
import { waitForStart } from './start-wait.js';
import { Turns } from './turns.js';
import type { UpstreamOptions } from './upstream-options.js';
import { StateHolder, type UpstreamState } from './upstream-state.js';

/** After so long a life, the next end counts as the first failure. */
const LONG_LIFE_MS = 60_000;

export class Upstream implements Source {
  readonly key: string;
  /** How often it was started again. */
  restarts = 0;
  /** Settles when the first start has come to an end, good or bad. */
  readonly settled: Promise<void>;
  readonly #options: UpstreamOptions;
  readonly #listeners = new Set<(event: SourceEvent) => void>();
  readonly #offered = new Offered((kind, item) => this.#routeTo(kind, item));
  readonly #refresh = new ListRefresh({
    isReady: () => this.#state.isReady,
    fetch: (kinds) => this.#fetch(kinds),
  });
  readonly #turns = new Turns();
  readonly #state = new StateHolder(() => this.#options.startTimeoutMs ?? 30_000);
  readonly #maxPending: number;
  #settle: () => void = () => undefined;
  #link: Link | undefined;
  #failures = 0;
  /** Calls that wait for a start. */
  #waiting = 0;
  #readySince = 0;
  #probe = true;
  #restartTimer: NodeJS.Timeout | undefined;
  /** The end of the last life, while it is still coming. */
  #gone: Promise<void> = Promise.resolve();
  #logLevel: string | undefined;

  constructor(options: UpstreamOptions) {
    this.key = options.key;
    this.#options = options;
    this.#maxPending = options.maxPending ?? 1_024;
    if (options.remembered) this.#offered.take(options.remembered);
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
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
    return this.#state.isReady ? undefined : this.#reason();
  }

  get callsUnderWay(): number {
    return this.#waiting + this.#turns.waiting + (this.#link?.callsUnderWay ?? 0);
  }

  route(kind: Kind, name: string): Route | undefined {
    return this.#offered.route(kind, name);
  }

  relay(_: string, call: Call): Promise<Reply> {
    return this.#send(call, undefined);
  }

  capabilitiesFor(era: Era): readonly string[] {
    return this.#offered.capabilitiesFor(era);
  }

  subscribe(listener: (event: SourceEvent) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onState(listener: (state: UpstreamState) => void): Unsubscribe {
    return this.#state.onChange(listener);
  }

  tell(method: string, params: string): void {
    if (method === 'logging/setLevel') this.#logLevel = params;
    if (!this.#state.isReady) return;
    if (method === 'logging/setLevel') this.#link?.setLogLevel(params);
    else if (method === WATCH_TASKS) void this.#link?.watchTasks(params);
    else this.#link?.notify(method, params);
  }

  async start(): Promise<void> {
    if (this.state.is === 'stopped') return;
    this.#state.become({ is: 'starting' });
    this.#refresh.clear();
    let link: Link | undefined;
    try {
      this.#link = link = this.#openLink();
      await link.greet();
      const fetched = await link.lists(KINDS, this.#offered.lists);
      if (this.#link !== link) return;
      if (link.isClosed) throw new CallsignError('upstream-closed', { server: this.key });
      this.#readySince = Date.now();
      this.#publish(link, fetched);
      if (this.restarts > 0) this.#emit({ type: 'restarted' });
      if (this.#logLevel !== undefined) link.setLogLevel(this.#logLevel);
      // What has changed while the lists were on their way.
      this.#refresh.note([]);
    } catch (error) {
      if (this.#link !== link) return;
      // The probe may have been too much for an old server, and a newer one needs it.
      this.#probe = !this.#probe;
      this.#down(link?.closedBecause ?? reasonOf(error));
    } finally {
      this.#settle();
    }
  }

  async tryAgain(): Promise<void> {
    if (this.state.is !== 'failed' && this.state.is !== 'waiting') return;
    clearTimeout(this.#restartTimer);
    this.#failures = 0;
    this.#state.hopeAgain();
    this.restarts++;
    this.#state.become({ is: 'starting' });
    await this.#gone.then(() => this.start());
  }

  /** Ends the server and does not start it again. Resolves when every process of it is gone. */
  async stop(): Promise<void> {
    this.#state.become({ is: 'stopped' });
    clearTimeout(this.#restartTimer);
    this.#settle();
    const link = this.#link;
    this.#link = undefined;
    this.#withdraw();
    await Promise.all([this.#gone, link?.close()]);
  }

  #openLink(): Link {
    const { key, era = 'auto', log } = this.#options;
    const link: Link = new Link(
      {
        ...this.#options,
        era,
        probe: this.#probe,
        timeoutMs: this.#state.startLimit,
        maxPending: this.#maxPending,
        maxBacklog: this.#options.maxBacklog ?? 64 * 1024 * 1024,
        limits: { ...LIST_LIMITS, ...this.#options.lists },
        warn: (message) => log?.('warning', `[${key}] ${message}`),
      },
      {
        onNotification: (method, params, calls) => this.#onNotification(method, params, calls),
        onQuestion: (question, calls) => this.#onQuestion(question, calls),
        onClose: (reason) => {
          if (this.#link === link && this.#state.isReady) this.#down(reason);
        },
      },
    );
    return link;
  }

  /** Takes what the server lists now. Tells of changes only. */
  #publish(link: Link, fetched: FetchedLists, told: readonly Kind[] = []): void {
    const { failures } = fetched;
    const change = this.#offered.take(offerOf(link.greeting, fetched));
    // The offer comes first: what waited for this state finds it.
    this.#state.become(failures.length > 0 ? { is: 'ready', failures } : { is: 'ready' });
    const kinds = KINDS.filter((kind) => change.kinds.includes(kind) || told.includes(kind));
    if (change.isAny || kinds.length > 0) this.#emit({ type: 'changed', kinds });
    if (change.isAny) this.#options.onOffer?.(this.#offered.now!);
  }

  #withdraw(): void {
    this.#offered.clear();
    this.#emit({ type: 'changed', kinds: KINDS });
  }

  #routeTo(kind: Kind, item: Item): Route {
    // What a client makes of a template is already the server's own; anything else goes by its own name.
    const nameJson = kind === 'template' ? undefined : JSON.stringify(item.name);
    return { item, send: (call) => this.#send(call, nameJson) };
  }

  #send(call: Call, nameJson: string | undefined): Promise<Reply> {
    const link = this.#state.isReady ? this.#link : undefined;
    if (!link) return this.#sendLater(call, nameJson);
    if (!link.asksBlindly(call) || this.#turns.isFree(call)) return link.send(call, nameJson);
    return this.#turns.run(call, () =>
      this.#link === link ? link.send(call, nameJson) : this.#sendLater(call, nameJson),
    );
  }

  /** Waits for the server as long as it is expected, within the limit of its start. */
  async #sendLater(call: Call, nameJson: string | undefined): Promise<Reply> {
    const { key: server } = this;
    if (!this.#state.isReady && !this.#state.isExpected) return this.#refusal();
    if (this.#waiting >= this.#maxPending) {
      return replyOf(new CallsignError('upstream-busy', { server, pending: this.#waiting }));
    }
    this.#waiting++;
    const wait = { server, decided: this.#state.decided(), limitMs: this.#state.startLimit };
    const ended = await waitForStart(call, wait).finally(() => this.#waiting--);
    if (ended === 'cancelled') return replyOf(new CallsignError('call-cancelled'));
    if (!this.#state.isReady) return this.#refusal();
    await call.context.recheck?.();
    if (this.#options.stillOffers?.(call) !== false) return this.#send(call, nameJson);
    return this.#refusal('it offers this no longer');
  }

  #reason(): string {
    const { reason } = this.#state;
    const advice = this.state.is === 'failed' ? this.#options.advice : undefined;
    return advice === undefined ? reason : `${reason}. ${advice}`;
  }

  #refusal(reason = this.#reason()): Reply {
    return replyOf(new CallsignError('upstream-unavailable', { server: this.key, reason }));
  }

  #onNotification(method: string, params: string | undefined, calls: readonly Call[]): void {
    const kinds = changedKinds(method);
    if (kinds.length > 0) this.#refresh.note(kinds);
    else if (params === undefined) return;
    else if (method === 'notifications/message') {
      deliverLog(params, calls, () => this.#emit({ type: 'log', params }));
    } else {
      const event = eventOf(method, params);
      if (event) this.#emit(event);
    }
  }

  #onQuestion(question: Question, calls: readonly Call[]): Promise<Reply> {
    if (question.method !== 'roots/list') this.#turns.asked(calls);
    return putQuestion(question, { server: this.key, calls, answer: this.#options.answer });
  }

  async #fetch(kinds: readonly Kind[]): Promise<void> {
    const link = this.#link;
    try {
      const fetched = await link?.lists(kinds, this.#offered.lists);
      if (fetched && this.#link === link && !link?.isClosed) this.#publish(link!, fetched, kinds);
    } catch (error) {
      const reason = reasonOf(error);
      this.#options.log?.('warning', `[${this.key}] its new lists did not come: ${reason}`);
    }
  }

  #down(cause: string): void {
    if (this.state.is === 'stopped') return;
    const { restart: policy = DEFAULT_RESTART, explain, dropsUnavailable, log } = this.#options;
    if (this.#state.isReady && Date.now() - this.#readySince > LONG_LIFE_MS) this.#failures = 0;
    this.#failures++;
    // One process at a time: the next start waits until the last one is gone, with all that it left.
    this.#gone = this.#link?.close() ?? Promise.resolve();
    this.#link = undefined;
    const reason = explain?.(cause) ?? cause;
    if (this.#failures >= policy.giveUpAfter) {
      log?.('error', `[${this.key}] given up: ${cause}`);
      this.#state.become({ is: 'failed', reason });
      if (dropsUnavailable === true) this.#withdraw();
    } else {
      const delayMs = restartDelay(this.#failures, policy);
      this.restarts++;
      log?.('warning', `[${this.key}] ${cause}; starting again in ${delayMs} ms`);
      this.#state.become({ is: 'waiting', reason, delayMs });
      const again = (): void => void this.#gone.then(() => this.start());
      this.#restartTimer = setTimeout(again, delayMs);
    }
  }

  #emit(event: SourceEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
