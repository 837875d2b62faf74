/** A client's session: handshake, calls, notifications, questions. */

import { randomUUID } from 'node:crypto';

import {
  type Call,
  type Caller,
  CallsignError,
  type Era,
  InFlight,
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
import type { Message } from '../rpc/message/message.js';
import { failedReply, replyOf } from '../rpc/message/rpc-error.js';
import { listText, notificationText, replyText } from '../rpc/message/rpc-text.js';
import { announcedCapabilities } from './announced-capabilities.js';
import { AskedPages } from './asked-pages.js';
import { EarlyMessages } from './early-messages.js';
import { greetingJson } from './greeting.js';
import { readHello, type Hello } from './hello.js';
import { withHidden } from './hidden-target.js';
import { foundLater } from './late-target.js';
import { ListChanges } from './list-changes.js';
import { prepareList, sessionList } from './listing.js';
import { logLevelIn, passesLevel, type LogLevel } from './log-level.js';
import type { OnAbandoned, Outlet } from './outlet.js';
import { idInUse, isCall, LIST_KINDS, prepareCall, type Prepared } from './prepared-call.js';
import { SessionCall, tokenOf, type SessionLink } from './session-call.js';
import { newsFor, tellOfTasks } from './session-news.js';
import type { Surface } from './surface.js';
import { WatchedResources } from './watched-resources.js';

type Sendable = Extract<Prepared, { readonly call: Call }>;

/** One client of the session era, on stdio or over HTTP. */
export class Session implements Caller, SessionLink {
  readonly id: string = randomUUID();
  readonly era: Era = 'session';
  /** From the latest request. Always the same caller. */
  principal: Principal | undefined;
  client: Caller['client'] = { name: 'unknown', version: '0' };
  capabilities = '{}';
  /** The agreed protocol version. */
  version: string | undefined;
  readonly #surface: Surface;
  readonly #send: Outlet;
  readonly #onAbandoned: OnAbandoned;
  readonly #questions = new Questions();
  /** Calls under way, and those that wait for servers to start. */
  readonly #calls = new InFlight<string, Call>();
  readonly #watched: WatchedResources;
  readonly #pages = new AskedPages();
  readonly #early = new EarlyMessages((message) => this.receive(message));
  readonly #changes: ListChanges;
  readonly #forgetTasks: Unsubscribe;
  #stop: Unsubscribe;
  #declared: Hello['declared'] = {};
  #view: Source;
  #isReady = false;
  #logLevel: LogLevel | undefined;

  constructor(surface: Surface, send: Outlet, onAbandoned: OnAbandoned = () => undefined) {
    this.#surface = surface;
    this.#send = send;
    this.#onAbandoned = onAbandoned;
    this.#watched = new WatchedResources(surface.watch);
    this.#changes = new ListChanges(({ notification }) => send(notificationText(notification)), {
      whenStarted: surface.whenStarted,
      onlyListed: true,
    });
    this.principal = surface.principal;
    this.#forgetTasks = tellOfTasks(surface.tasks, this, (text) => this.#isReady && send(text));
    this.#view = surface.viewFor(undefined, this.principal);
    this.#stop = this.#view.subscribe((event) => this.#onEvent(event));
  }

  get callsUnderWay(): number {
    return this.#calls.size + this.#early.size;
  }

  can(capability: string): boolean {
    return this.#declared[capability] !== undefined;
  }

  receive(message: Message): void {
    if (this.#early.takes(this.#view, message)) return;
    if (message.method === undefined) this.#onAnswer(message);
    else if (message.id === undefined) this.#onNotification(message, message.method);
    else if (isCall(message.method, this.era)) this.#onCall(message, message.method, message.id);
    else if (message.method === 'initialize') void this.#onInitialize(message, message.id);
    else if (LIST_KINDS.has(message.method))
      void this.#onList(message, LIST_KINDS.get(message.method)!, message.id);
    else this.#onRequest(message, message.method, message.id);
  }

  /** Registers an `initialize` that was already answered. */
  welcome(message: Message): void {
    this.#initialize(message);
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
    this.#early.close();
    this.#forgetTasks();
    this.#changes.close();
    this.#questions.end();
    for (const call of this.#calls.values()) call.context.cancel('The client disconnected.');
    this.#calls.clear();
    this.#surface.logWishes.set(this, undefined);
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
    if (!prepared.unknown || this.#surface.isSettled()) return void this.#refuse(id, prepared);
    void this.#onCallLater(prepared.unknown, message, method, id);
  }

  /** The tool may belong to a server that is still starting. */
  async #onCallLater(unknown: Call, message: Message, method: string, id: string): Promise<void> {
    this.#calls.set(id, unknown);
    const prepared = await foundLater({
      surface: this.#surface,
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
    if (unknown) this.#surface.onUnknown?.(await withHidden(unknown, this.#view));
    this.#respond(id, await reply);
  }

  #prepare(message: Message, method: string, id: string): Prepared {
    const context = new SessionCall(this, id, tokenOf(message));
    return prepareCall(message, method, this.#view, this, context, this.#surface);
  }

  #start(id: string, { call, route }: Sendable): void {
    this.#calls.set(id, call);
    const own = this.#watched.begin(call);
    if (own) return this.#finish(id, call, own);
    const sent = Tasks.isFor(call) ? this.#surface.tasks.send(call, route) : route.send(call);
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
      await this.#surface.whenListed(this.client);
      await prepareList(this.#view, kind);
      // No `await` from here on: what is sent must be what counts as received.
      this.#changes.listed(kind);
      this.#send(listText(id, sessionList(kind, this.#view.offer)), id, true);
      this.#surface.onListed?.();
    } catch (error) {
      this.#respond(id, replyOf(error));
    }
  }

  async #onInitialize(message: Message, id: string): Promise<void> {
    try {
      this.#initialize(message);
      const placed = this.#surface.whenPlaced();
      if (placed) await placed;
      this.#respond(id, this.#greeting());
    } catch (error) {
      this.#respond(id, replyOf(error));
    }
  }

  #initialize({ params = '{}' }: Message): void {
    const { client, capabilities, declared, version } = readHello(params);
    this.client = client;
    this.capabilities = capabilities;
    this.#declared = declared;
    this.version = version;
    // The client is known only now, so this view replaces the first one.
    this.#stop();
    this.#view = this.#surface.viewFor(this.client, this.principal);
    this.#stop = this.#view.subscribe((event) => this.#onEvent(event));
  }

  #greeting(): Reply {
    const json = greetingJson({
      protocolVersion: this.version!,
      capabilities: announcedCapabilities(this.#surface, this.#view, this.era),
      self: this.#surface.self,
      instructions: this.#view.instructions,
    });
    return { ok: true, json };
  }

  #setLogLevel(level: LogLevel): void {
    this.#logLevel = level;
    this.#surface.logWishes.set(this, level);
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
    if (this.#early.delays(() => this.cancel(id, reason))) return;
    const call = this.#calls.get(id);
    if (!call) return;
    this.#calls.delete(id);
    call.context.cancel(reason?.startsWith('"') ? (JSON.parse(reason) as string) : undefined);
    this.#onAbandoned(id);
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
    else if (event.type === 'task' || event.type === 'elicitation') {
      const news = newsFor(this, event, this.#surface.tasks, this.#pages);
      if (news !== undefined) this.#send(news);
    } else if (this.#watched.has(event.uri)) {
      this.#send(notificationText('notifications/resources/updated', event.params));
    }
  }

  #respond(id: string, reply: Reply): void {
    this.#send(replyText(id, reply), id, true);
  }
}
