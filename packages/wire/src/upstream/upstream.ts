/** A server behind us, as a Source: started, listed, called, and started again when it ends. */

import { setTimeout as pause } from 'node:timers/promises';

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
  memberText,
  type CallsignErrorCode,
} from '@callsign/core';

import { canAnswer } from '../extensions/request/answerable.js';
import { ask } from '../extensions/request/input-required.js';
import { areOneCallers, haveOneAnswer } from '../extensions/request/open-questions.js';
import { LISTS } from '../rpc/message/protocol.js';
import { reasonOf, replyOf } from '../rpc/message/rpc-error.js';
import { DEFAULT_RESTART, Failures, restartDelay } from '../rpc/stream/backoff.js';
import type { Transport } from './link-options.js';
import type { Link } from './link.js';
import { ListRefresh } from './list-refresh.js';
import type { FetchedLists } from './lists.js';
import { Offered, offerOf, type CachedOffer } from './offered.js';
import { openLink, START_MS } from './open-link.js';
import { publishOffer } from './publish-offer.js';
import { UpstreamCalls } from './upstream-calls.js';
import type { UpstreamOptions } from './upstream-options.js';
import { StateHolder, type UpstreamState } from './upstream-state.js';

/** How long a waiting call waits for the client's answer to a question for its roots. */
const ROOTS_MS = 2_000;
const TAKE_OVER_MS = 100;

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
    fetch: (kinds, announced) => this.#fetch(kinds, announced),
  });
  readonly #failures = new Failures();
  readonly #state: StateHolder;
  readonly #calls: UpstreamCalls;
  #settle: () => void = () => undefined;
  #link: Link | undefined;
  /** Counts starts. A start whose number is not the current one must stop. */
  #starts = 0;
  /** Whether its first start is over. */
  #hasStarted = false;
  #probe = true;
  #restartTimer: NodeJS.Timeout | undefined;
  /** The end of the last run, while it is in progress. */
  #gone: Promise<void> = Promise.resolve();
  #logLevel: string | undefined;
  /** The answer to the last question for roots. */
  #roots: Promise<unknown> | undefined;

  constructor(options: UpstreamOptions) {
    this.key = options.key;
    this.#options = options;
    const { isAsleep = false } = options;
    this.#state = new StateHolder(() => options.startTimeoutMs ?? START_MS, isAsleep);
    const link = (): Link | undefined => this.#link;
    const onMoved = (): void => void this.move();
    const wake = (): void => this.wake();
    this.#calls = new UpstreamCalls({ options, state: this.#state, link, onMoved, wake });
    if (options.cached) this.#offered.take(options.cached);
    this.settled = new Promise((resolve) => {
      this.#settle = () => {
        this.isSettled = true;
        resolve();
      };
    });
    // Nothing is known to be missing.
    if (isAsleep) this.#settle();
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
    const { isReady, isAsleep } = this.#state;
    return isReady || isAsleep ? undefined : this.#state.reasonWith(this.#options);
  }

  /** Everything that it offers, to remember it; `undefined` if nothing is known. */
  get cachedOffer(): CachedOffer | undefined {
    return this.#offered.now;
  }

  get callsUnderWay(): number {
    return this.#calls.underWay;
  }

  /** Changes with every request to the server. */
  get activity(): string {
    return `${this.#starts} ${this.#link?.sent ?? 0}`;
  }

  /** Whether a call, or a question of the server, waits for an answer. */
  get isBusy(): boolean {
    return this.callsUnderWay > 0 || (this.#link?.openQuestions ?? 0) > 0;
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
    if (failure?.isAtProbe && !this.#hasStarted) {
      await this.#gone;
      if (start === this.#starts) failure = await this.#attempt(start);
    }
    this.#hasStarted = true;
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
      this.#roots = undefined;
      this.#link = link = this.#openLink(way);
      await link.greet();
      isGreeted = true;
      const fetched = await link.lists(KINDS, this.#offered.lists);
      if (this.#roots && this.#calls.underWay > 0) await whenTaken(this.#roots);
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
    const { is } = this.state;
    const hasFailed = 'reason' in this.state && this.state.reason !== undefined;
    if (is === 'failed' || is === 'waiting' || (is === 'asleep' && hasFailed))
      await this.#restart();
  }

  /**
   * Ends the process of a server that is ready and has nothing to do. What it offers stays listed, and the next call
   * starts it. Returns false if it is busy, or not ready.
   */
  sleep(): boolean {
    if (!this.#state.isReady || this.isBusy) return false;
    // From here on, calls wait for the next start.
    this.#starts++;
    this.#refresh.clear();
    this.#leave(this.#link);
    this.#state.become({ is: 'asleep' });
    return true;
  }

  /** Starts a server that is asleep. */
  wake(): void {
    if (!this.#state.isAsleep) return;
    this.#failures.forget();
    this.#state.hopeAgain();
    this.#state.become({ is: 'starting' });
    void this.#startWhenGone();
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
        onAsked: (method, calls) => {
          if (method === 'roots/list') this.#options.onRoots?.(calls);
        },
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
  #publish(link: Link, fetched: FetchedLists, announced: readonly Kind[] = []): Promise<void> {
    const isUp = (): boolean => this.#link === link && !link.isClosed;
    const [offered, state, events] = [this.#offered, this.#state, this.#events];
    const offer = offerOf(link.greeting, fetched);
    const { redact, onOffer } = this.#options;
    const failures = fetched.failures.map((each) => redact?.(each) ?? each);
    return publishOffer({ offered, state, events, onOffer, isUp }, offer, failures, announced);
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
    const { answer } = this.#options;
    const reply = putQuestion(question, { server: this.key, calls, answer });
    if (question.method === 'roots/list') this.#roots = reply;
    return reply;
  }

  async #fetch(kinds: readonly Kind[], announced: readonly Kind[]): Promise<void> {
    const link = this.#link;
    try {
      const fetched = await link?.lists(kinds, this.#offered.lists);
      if (fetched) await this.#publish(link!, fetched, announced);
    } catch (error) {
      if (link?.isClosed) return;
      const message = `[${this.key}] could not refresh its lists: ${reasonOf(error)}`;
      this.#options.log?.('warning', message);
    }
  }

  /** One process at a time: the next start waits until the last one, and all that it started, have ended. */
  #leave(link: Link | undefined): void {
    // First, because leaving tells of the end of the link. An end that we want is no failure.
    this.#link = undefined;
    this.#gone = link?.leave(0) ?? Promise.resolve();
  }

  /** Whether it runs without us, so that only the connection is made again. */
  get #isRemote(): boolean {
    const { transport } = this.#options;
    return 'onePipe' in transport && !transport.onePipe;
  }

  #down(cause: string, isFailure = true): void {
    if (this.state.is === 'stopped') return;
    const { restart: policy = DEFAULT_RESTART, explain, dropsUnavailable } = this.#options;
    const { log, startAgain } = this.#options;
    const reason = explain?.(cause) ?? cause;
    // More of the sentence follows.
    const why = cause.replace(/\.$/, '');
    const delayMs = isFailure ? this.#failures.next(policy) : restartDelay(1, policy);
    const hasFailedOften = delayMs === undefined || this.#state.willBeHopeless;
    // No client could call a server of which no tool is known.
    const maySleep = this.#options.sleepsAfterFailure === true && this.#offered.now !== undefined;
    if (hasFailedOften && maySleep) {
      log?.('warning', `[${this.key}] ${why}; the next call starts it again`);
      this.#state.become({ is: 'asleep', reason });
    } else if (delayMs === undefined) {
      const next = startAgain === undefined ? cause : `${why}. ${startAgain}`;
      log?.('error', `[${this.key}] gave up: ${next}`);
      this.#state.become({ is: 'failed', reason });
      if (dropsUnavailable === true) this.#withdraw();
    } else {
      this.restarts++;
      log?.(
        'warning',
        `[${this.key}] ${why}; ${this.#isRemote ? 'trying' : 'starting'} again in ${delayMs} ms`,
      );
      this.#state.become({ is: 'waiting', reason, delayMs });
      this.#restartTimer = setTimeout(() => void this.#startWhenGone(), delayMs);
    }
  }
}

/**
 * The call that has woken a server must not overtake the roots of its client: the server would refuse its files. How
 * long a server needs to take them over cannot be seen from outside.
 */
async function whenTaken(roots: Promise<unknown>): Promise<void> {
  await Promise.race([roots.catch(() => undefined), pause(ROOTS_MS)]);
  await pause(TAKE_OVER_MS);
}

/**
 * `calls`: those that may have caused the message. If they belong to one caller, it goes to that
 * caller. Without calls it concerns the server, and goes to all who may see it. If they belong to
 * callers with different credentials, or to different connections of this machine, it goes to none:
 * a guess could show the data of one to another.
 */
function deliverLog(params: string, calls: readonly Call[], toAll: () => void): void {
  if (calls.length === 0) return toAll();
  if (areOneCallers(calls)) return calls.at(-1)!.context.log?.(params);
  const [first] = calls;
  const { principal, connection } = first!.caller;
  const isSame = ({ caller }: Call): boolean =>
    caller.principal?.name === principal?.name && caller.connection === connection;
  if (calls.every(isSame)) toAll();
}

/** The kinds whose lists have changed; none for other notifications. */
function changedKinds(method: string): readonly Kind[] {
  return LISTS.find(({ notification }) => notification === method)?.kinds ?? [];
}

/**
 * The event for a notification: a log message, or a change of a resource, a task or a page. The two
 * eras name task notifications differently.
 */
function eventOf(method: string, params: string): SourceEvent | undefined {
  switch (method) {
    case 'notifications/message':
      return { type: 'log', params };
    case 'notifications/resources/updated':
      return { type: 'resource-updated', uri: readUri(params), params };
    case 'notifications/tasks/status':
    case 'notifications/tasks':
      return { type: 'task', params };
    case 'notifications/elicitation/complete':
      return { type: 'elicitation', params };
    default:
      return undefined;
  }
}

/** The resource that a notification is about. */
function readUri(params: string): string {
  const text = memberText(params, 'uri');
  const uri: unknown = text === undefined ? '' : JSON.parse(text);
  return typeof uri === 'string' ? uri : '';
}

/** Decides which client answers a server's question, and the error if none can. */
interface AskedOptions {
  readonly server: string;
  /** The calls that may have caused the question. */
  readonly calls: readonly Call[];
  /** Answers questions that belong to no call. `undefined`: no client can. */
  readonly answer: ((question: Question, server: string) => Promise<Reply> | undefined) | undefined;
}

/**
 * Asks the caller whose call caused the question. If several callers are possible and one of them
 * could answer, it asks none: a guess could show the data of one to another.
 */
function putQuestion(question: Question, options: AskedOptions): Promise<Reply> {
  const { server, calls, answer } = options;
  const { method } = question;
  const refuse = (code: CallsignErrorCode): Promise<Reply> =>
    Promise.resolve(replyOf(new CallsignError(code, { server, method })));
  if (calls.length === 0) return answer?.(question, server) ?? refuse('question-without-caller');
  if (!haveOneAnswer(calls, question)) return refuse('question-without-caller');
  const call = calls.findLast(({ context }) => !context.isCancelled);
  if (call === undefined) return refuse('call-cancelled');
  return canAnswer(call.caller, question) ? ask(call, question) : refuse('question-not-supported');
}
