/** A client's session: handshake, calls, notifications, questions. */

import { randomUUID } from 'node:crypto';

import {
  type Call,
  CallContext,
  type Caller,
  CallsignError,
  elementsOf,
  type Era,
  type Kind,
  memberText,
  type Principal,
  type Question,
  type Reply,
  type Source,
  type SourceEvent,
  type Unsubscribe,
} from '@callsign/core';

import { canAnswer, unanswerable } from '../extensions/request/answerable.js';
import { asksForNextPage } from '../extensions/request/next-page.js';
import { Questions } from '../extensions/request/questions.js';
import { Tasks } from '../extensions/tasks/tasks.js';
import { UnderWay } from '../rpc/fast/under-way.js';
import type { Message } from '../rpc/message/message.js';
import { failedReply, replyOf } from '../rpc/message/rpc-error.js';
import { listText, notificationText, replyText } from '../rpc/message/rpc-text.js';
import type { Text } from '../rpc/stream/long-text.js';
import { announcedCapabilities } from './announced-capabilities.js';
import { agreedVersion, initializeResult } from './initialize-result.js';
import { ListChanges } from './list-changes.js';
import { prepareList, sessionList } from './listing.js';
import { logLevelIn, passesLevel, type LogLevel } from './log-level.js';
import {
  foundLater,
  idInUse,
  isCall,
  LIST_KINDS,
  namesReady,
  prepareCall,
  tokenOf,
  withHidden,
  type Prepared,
} from './prepared-call.js';
import type { ClientSession, ServedSource } from './served-source.js';
import { WatchedResources } from './watched-resources.js';

/**
 * Sends a message to the client. `about`: the id of the request that it belongs to. `isAnswer`: it
 * is the last message for that request. Returns false if the client is gone, or reads too slowly to
 * get this notification.
 */
export type SendMessage = (text: Text, about?: string, isAnswer?: boolean) => boolean;

/** Called for requests that get no reply because the client cancelled them. */
type OnAbandoned = (id: string) => void;

type Sendable = Extract<Prepared, { readonly call: Call }>;

/** One client of the session era, on stdio or over HTTP. */
export class Session implements ClientSession {
  readonly id: string = randomUUID();
  readonly era: Era = 'session';
  /** From the latest request. Always the same caller. */
  principal: Principal | undefined;
  readonly connection: Caller['connection'];
  readonly sets: Caller['sets'];
  client: Caller['client'] = { name: 'unknown', version: '0' };
  capabilities = '{}';
  /** The agreed protocol version. */
  version: string | undefined;
  readonly #served: ServedSource;
  readonly #send: SendMessage;
  readonly #onAbandoned: OnAbandoned;
  readonly #questions = new Questions();
  /** Calls under way, and those that wait for servers to start. */
  readonly #calls = new UnderWay<string, Call>();
  readonly #watched: WatchedResources;
  readonly #pages = new AskedPages();
  /** Resolves when the names of the view are rendered. Until then, messages wait in their order. */
  #naming: Promise<void> | undefined;
  #waiting = 0;
  #isEnded = false;
  readonly #changes: ListChanges;
  readonly #forgetTasks: Unsubscribe;
  readonly #leave: Unsubscribe | undefined;
  #stop: Unsubscribe;
  #declared: InitializeParams['declared'] = {};
  #view: Source;
  #isReady = false;
  #logLevel: LogLevel | undefined;

  constructor(served: ServedSource, send: SendMessage, onAbandoned: OnAbandoned = () => undefined) {
    this.#served = served;
    this.#send = send;
    this.#onAbandoned = onAbandoned;
    this.#watched = new WatchedResources(served.watch);
    this.#changes = new ListChanges(({ notification }) => send(notificationText(notification)), {
      whenStarted: served.whenStarted,
      onlyListed: true,
    });
    this.principal = served.principal;
    this.connection = served.connection;
    this.sets = served.sets;
    // News of tasks that do not come as events of servers.
    this.#forgetTasks = served.tasks.subscribe(this, (_, params) => {
      if (this.#isReady) send(notificationText('notifications/tasks/status', params));
    });
    this.#view = served.viewFor(undefined, this.principal, this.connection);
    this.#stop = this.#view.subscribe((event) => this.#onEvent(event));
    this.#leave = served.onSession?.(this);
  }

  get callsUnderWay(): number {
    return this.#calls.size + this.#waiting;
  }

  can(capability: string): boolean {
    return this.#declared[capability] !== undefined;
  }

  receive(message: Message): void {
    this.#naming ??= namesReady(this.#view, message.method);
    if (this.#naming) this.#afterNaming(this.#naming, () => this.#receiveLater(message));
    else this.#receive(message);
  }

  /** No caller is left that could answer for an error. */
  #receiveLater(message: Message): void {
    try {
      this.receive(message);
    } catch (error) {
      const { id, method } = message;
      if (id !== undefined && method !== undefined) this.#respond(id, replyOf(error));
    }
  }

  #receive(message: Message): void {
    if (message.method === undefined) this.#onAnswer(message);
    else if (message.id === undefined) this.#onNotification(message, message.method);
    else if (isCall(message.method, this.era)) this.#onCall(message, message.method, message.id);
    else if (message.method === 'initialize') void this.#onInitialize(message, message.id);
    else if (LIST_KINDS.has(message.method))
      void this.#onList(message, LIST_KINDS.get(message.method)!, message.id);
    else this.#onRequest(message, message.method, message.id);
  }

  /** Whether the client may see anything of a server. */
  seesServer(server: string): boolean {
    return this.#view.seesServer?.(server) !== false;
  }

  /** Asks the client a question outside of any call. */
  ask(question: Question): Promise<Reply> {
    return this.#questions.put(question, (text) => this.#send(text));
  }

  /** Cleans up after a disconnect: cancels calls, rejects questions, drops subscriptions. */
  end(): void {
    this.#stop();
    this.#isEnded = true;
    this.#leave?.();
    this.#forgetTasks();
    this.#changes.close();
    this.#questions.end();
    for (const call of this.#calls.values()) call.context.cancel('The client disconnected.');
    this.#calls.clear();
    this.#served.logLevels.set(this, undefined);
    this.#watched.end(this.#view, this);
  }

  askAbout(question: Question, about: string): Promise<Reply> {
    const call = this.#calls.get(about);
    this.#pages.note(call?.target?.ref.server ?? '', question);
    return canAnswer(this, question)
      ? this.#questions.put(question, (text) => this.#send(text, about), call?.context)
      : Promise.resolve(unanswerable(call, question));
  }

  sendAbout(text: string, about: string): boolean {
    return this.#send(text, about);
  }

  logAbout(params: string, about?: string): void {
    if (!passesLevel(params, this.#logLevel)) return;
    this.#send(notificationText('notifications/message', params), about);
  }

  #onRequest({ params = '{}' }: Message, method: string, id: string): void {
    try {
      if (method === 'logging/setLevel') this.#setLogLevel(logLevelIn(params));
      else if (method !== 'ping') throw new CallsignError('method-not-found', { method });
      this.#respond(id, { ok: true, json: '{}' });
    } catch (error) {
      this.#respond(id, replyOf(error));
    }
  }

  /** The hot path. It awaits nothing but the server's reply. */
  #onCall(message: Message, method: string, id: string): void {
    if (this.#calls.has(id)) return this.#respond(id, idInUse());
    const prepared = this.#prepare(message, method, id);
    if ('call' in prepared) return this.#start(id, prepared);
    const { unknown } = prepared;
    const answered =
      !unknown || this.#served.isSettled()
        ? this.#refuse(id, prepared)
        : this.#onCallLater(unknown, message, method, id);
    answered.catch((error: unknown) => {
      this.#calls.delete(id);
      this.#respond(id, replyOf(error));
    });
  }

  /** The tool may belong to a server that is still starting. */
  async #onCallLater(unknown: Call, message: Message, method: string, id: string): Promise<void> {
    this.#calls.set(id, unknown);
    const prepared = await foundLater({
      served: this.#served,
      view: () => this.#view,
      prepare: () => this.#prepare(message, method, id),
      // A cancelled call's id may be in use again.
      isWanted: () => this.#calls.get(id) === unknown,
    });
    if (!prepared) return;
    this.#calls.delete(id);
    if ('call' in prepared) this.#start(id, prepared);
    else await this.#refuse(id, prepared);
  }

  async #refuse(id: string, { reply, unknown }: Exclude<Prepared, Sendable>): Promise<void> {
    if (unknown) this.#served.onUnknown?.(await withHidden(unknown, this.#view));
    this.#respond(id, await reply);
  }

  #prepare(message: Message, method: string, id: string): Prepared {
    const context = new SessionCallContext(this, id, tokenOf(message));
    return prepareCall(message, method, this.#view, this, context, this.#served);
  }

  #start(id: string, { call, route }: Sendable): void {
    this.#calls.set(id, call);
    const own = this.#watched.begin(call);
    if (own) return this.#finish(id, call, own);
    const sent = Tasks.isFor(call) ? this.#served.tasks.send(call, route) : route.send(call);
    sent.then(
      (reply) => this.#finish(id, call, reply),
      (error: unknown) => this.#finish(id, call, failedReply(call, error)),
    );
  }

  #finish(id: string, call: Call, reply: Reply): void {
    const { isCancelled } = call.context;
    this.#watched.ended(call, reply.ok && !isCancelled);
    // A cancelled call gets no reply, and its id may be in use again.
    if (isCancelled) return;
    this.#calls.delete(id);
    if (!reply.ok) this.#pages.note(call.target?.ref.server ?? '', { params: reply.json });
    this.#respond(id, reply);
  }

  async #onList({ params = '{}' }: Message, kind: Kind, id: string): Promise<void> {
    try {
      if (asksForNextPage(params)) throw new CallsignError('unknown-cursor');
      await this.#served.whenListed(this.client);
      await prepareList(this.#view, kind);
      // No `await` from here on: what is sent must be what counts as received.
      this.#changes.listed(kind);
      this.#send(listText(id, sessionList(kind, this.#view.offer)), id, true);
      this.#served.onListed?.();
    } catch (error) {
      this.#respond(id, replyOf(error));
    }
  }

  async #onInitialize(message: Message, id: string): Promise<void> {
    try {
      this.#initialize(message);
      const placed = this.#served.whenPlaced(this.client);
      if (placed) await placed;
      this.#respond(id, this.#greeting());
    } catch (error) {
      this.#respond(id, replyOf(error));
    }
  }

  #initialize({ params = '{}' }: Message): void {
    const { client, capabilities, declared, version } = readInitialize(params);
    this.client = client;
    this.capabilities = capabilities;
    this.#declared = declared;
    this.version = version;
    // The client is known only now, so this view replaces the first one.
    this.#stop();
    this.#view = this.#served.viewFor(this.client, this.principal, this.connection);
    this.#stop = this.#view.subscribe((event) => this.#onEvent(event));
  }

  #greeting(): Reply {
    const json = initializeResult({
      protocolVersion: this.version!,
      capabilities: announcedCapabilities(this.#served, this.#view, this.era),
      self: this.#served.self,
      instructions: this.#view.instructions,
    });
    return { ok: true, json };
  }

  #setLogLevel(level: LogLevel): void {
    this.#logLevel = level;
    this.#served.logLevels.set(this, level);
  }

  #onNotification({ params = '{}' }: Message, method: string): void {
    if (method === 'notifications/initialized') {
      this.#isReady = true;
      if (this.can('roots')) this.#view.tell('notifications/roots/list_changed', '{}');
    } else if (method === 'notifications/cancelled') {
      this.cancel(memberText(params, 'requestId') ?? '', memberText(params, 'reason'));
    } else if (method === 'notifications/roots/list_changed') {
      this.#view.tell(method, '{}');
    }
  }

  /** Cancels a request; `reason` is JSON text. */
  cancel(id: string, reason?: string): void {
    if (this.#naming) return this.#afterNaming(this.#naming, () => this.cancel(id, reason));
    const call = this.#calls.get(id);
    if (!call) return;
    this.#calls.delete(id);
    call.context.cancel(reason?.startsWith('"') ? (JSON.parse(reason) as string) : undefined);
    this.#onAbandoned(id);
  }

  /** Runs the work after all messages that wait. Drops it if the client leaves first. */
  #afterNaming(naming: Promise<void>, work: () => void): void {
    this.#waiting++;
    const run = (): void => {
      this.#waiting--;
      if (this.#naming === naming) this.#naming = undefined;
      if (!this.#isEnded) work();
    };
    void naming.then(run);
  }

  #onAnswer({ id, result, error }: Message): void {
    this.#questions.take(id, { ok: result !== undefined, json: result ?? error ?? '{}' });
  }

  #onEvent(event: SourceEvent): void {
    // The protocol allows no notification before `notifications/initialized`.
    if (!this.#isReady || event.type === 'changing') return;
    if (event.type === 'changed') this.#changes.note(event.kinds);
    else if (event.type === 'log') this.logAbout(event.params);
    else if (event.type === 'started') this.#watched.again(this.#view, this, event.server);
    else if (event.type === 'task') {
      const params = this.#served.tasks.paramsFor(event.server ?? '', event.params, this);
      if (params !== undefined) this.#send(notificationText('notifications/tasks/status', params));
    } else if (event.type === 'elicitation') {
      if (!this.#pages.has(event.server ?? '', event.params)) return;
      this.#send(notificationText('notifications/elicitation/complete', event.params));
    } else if (this.#watched.has(event.uri)) {
      this.#send(notificationText('notifications/resources/updated', event.params));
    }
  }

  #respond(id: string, reply: Reply): void {
    this.#send(replyText(id, reply), id, true);
  }
}

/** The context of a call in a session: sends its messages back to the client. */
class SessionCallContext extends CallContext {
  override readonly requestId: string;
  readonly #session: Session;
  readonly #token: string | undefined;

  /** `token`: the client's progress token as JSON text, if it sent one. */
  constructor(session: Session, id: string, token: string | undefined) {
    super();
    this.requestId = id;
    this.#session = session;
    this.#token = token;
  }

  override ask(question: Question): Promise<Reply> {
    return this.#session.askAbout(question, this.requestId);
  }

  override progress(params: string, start: number, end: number): boolean {
    if (this.#token === undefined) return true;
    const own = params.slice(0, start) + this.#token + params.slice(end);
    return this.#session.sendAbout(notificationText('notifications/progress', own), this.requestId);
  }

  override log(params: string): void {
    this.#session.logAbout(params, this.requestId);
  }
}

/** What a client says about itself in `initialize`. */
interface InitializeParams {
  readonly client: Caller['client'];
  /** The client's capabilities, as JSON text and as an object. */
  readonly capabilities: string;
  readonly declared: Readonly<Record<string, unknown>>;
  /** The agreed protocol version. */
  readonly version: string;
}

/** Reads the parameters of `initialize`. Missing or invalid values count as unknown. */
function readInitialize(params: string): InitializeParams {
  if (!params.startsWith('{')) {
    throw new CallsignError('invalid-params', { reason: 'params must be an object' });
  }
  const asked = JSON.parse(params) as Record<string, unknown>;
  const { protocolVersion, clientInfo, capabilities } = asked;
  const { name, version } = (clientInfo ?? {}) as Record<string, unknown>;
  const isDeclared = typeof capabilities === 'object' && capabilities !== null;
  return {
    client: {
      name: typeof name === 'string' ? name : 'unknown',
      version: typeof version === 'string' ? version : '0',
    },
    capabilities: isDeclared ? memberText(params, 'capabilities')! : '{}',
    declared: isDeclared ? (capabilities as Record<string, unknown>) : {},
    version: agreedVersion(protocolVersion),
  };
}

/** Pages. More than a client can have open. The oldest are dropped. */
const MOST_PAGES = 256;

/** Web pages that servers asked one client to open. News about a page goes to that client only. */
class AskedPages {
  readonly #asked = new Set<string>();

  /** Records the pages in a question of a server, or in an error (`data.elicitations`). */
  note(server: string, { params }: Pick<Question, 'params'>): void {
    if (!params.includes('licitationId')) return;
    const listed = elementsOf(memberText(memberText(params, 'data') ?? '{}', 'elicitations') ?? '');
    for (const one of [params, ...(listed ?? [])]) this.#add(keyOf(server, one));
  }

  /** Whether this client was asked to open the page of a notification. */
  has(server: string, params: string): boolean {
    const key = keyOf(server, params);
    return key !== undefined && this.#asked.has(key);
  }

  #add(key: string | undefined): void {
    if (key === undefined) return;
    this.#asked.add(key);
    const [oldest] = this.#asked;
    if (oldest !== undefined && this.#asked.size > MOST_PAGES) this.#asked.delete(oldest);
  }
}

function keyOf(server: string, json: string): string | undefined {
  const id = json.startsWith('{') ? memberText(json, 'elicitationId') : undefined;
  return id === undefined ? undefined : `${server}:${id}`;
}
