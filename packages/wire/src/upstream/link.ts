/** One run of a server, from its handshake to its end, in all eras that it speaks. */

import { setTimeout as sleep } from 'node:timers/promises';

import { CallsignError, type Call, type Era, type Kind, type Reply } from '@callsign/core';

import { TASKS_EXTENSION } from '../extensions/capabilities/extension-capabilities.js';
import { TaskWatch } from '../extensions/tasks/task-watch.js';
import { keepListening } from '../rpc/message/resumable-stream.js';
import { LISTS } from '../rpc/message/protocol.js';
import { Connection } from './connection.js';
import {
  discover,
  openEither,
  openSession,
  ownMeta,
  withOther,
  type Greeting,
} from './handshake.js';
import type { LinkEvents, LinkOptions, Transport } from './link-options.js';
import { fetchLists, type FetchedLists, type Lists } from './lists.js';
import { Skills } from './skills.js';
import { forwardToSession, forwardWithQuestions, withoutServerInfo } from './translate.js';

/** How long calls of a replaced link may take. An instance that hands a server over has a limit itself. */
const LEAVE_MS = 60_000;
const LOOK_MS = 20;
/** How much later than the session the stateless era may answer. Some servers never answer. */
const LAG_MS = 2_000;
const SUBSCRIPTIONS = new Set(['resources/subscribe', 'resources/unsubscribe']);

/** If the second connection ends sooner than this, it is not opened again. */
const SHORT_LIFE_MS = 5_000;

/** One per start of a server. The upstream creates a new one for the next start. */
export class Link {
  readonly #options: LinkOptions;
  readonly #events: LinkEvents;
  /** All open connections, with the times when they were opened. */
  readonly #connections = new Map<Connection, number>();
  #primary: Connection;
  #greeting: Greeting | undefined;
  /** Calls between one question of their server and the next, or before a second connection is open. */
  readonly #asking = new Set<Call>();
  /** Resources that a stateless server was asked to watch, as JSON text, and how to end each. */
  readonly #watched = new Map<string, () => void>();
  /** Late skills are published with the next list of resources. */
  readonly #skills = new Skills(() =>
    this.#events.onNotification('notifications/resources/list_changed', undefined, []),
  );
  /** Tasks that clients listen to. Servers with sessions report all of them unasked. */
  readonly tasks: TaskWatch;
  /** The connection in the other era, opened when first needed. */
  #secondary: Promise<Connection | undefined> | undefined;

  constructor(options: LinkOptions, events: LinkEvents) {
    this.#options = options;
    this.#events = events;
    const meta = ownMeta(options.self, { extensions: { [TASKS_EXTENSION]: {} } });
    this.tasks = new TaskWatch({ meta, connection: () => this.#stateless() });
    this.#primary = this.#connect(options.era === 'stateless' ? 'stateless' : 'session');
  }

  /** What the server says about itself; set after the handshake. */
  get greeting(): Greeting {
    return this.#greeting!;
  }

  get isClosed(): boolean {
    return this.#primary.isClosed && !this.#primary.isEnding;
  }

  /** Why it is closed, or takes no more calls, for people. */
  get closedBecause(): string | undefined {
    return this.#primary.closedBecause;
  }

  get transport(): Transport {
    return this.#options.transport;
  }

  /** Whether a question of the server may not say which call caused it. On a pipe, none does. */
  hidesWhichCallAsks({ caller }: Call): boolean {
    const { era, speaksBoth } = this.greeting;
    return era === 'session' && (caller.era === 'session' || !speaksBoth);
  }

  async greet(): Promise<void> {
    this.#greeting = await this.#greet();
    if (this.#greeting.era === 'stateless') this.#listen(this.#primary);
  }

  async lists(kinds: readonly Kind[], before: Lists): Promise<FetchedLists> {
    const { self, timeoutMs, limits, warn } = this.#options;
    const { capabilities, capabilitiesJson, era } = this.greeting;
    const meta = era === 'stateless' ? { meta: ownMeta(self) } : {};
    const asked = { connection: this.#primary, timeoutMs, limits, warn, ...meta };
    const [lists, skills] = await Promise.all([
      fetchLists(kinds, before, { ...asked, capabilities }),
      this.#skills.fetch({ ...asked, capabilities: capabilitiesJson }),
    ]);
    return { ...lists, skills };
  }

  /** Calls that wait for the server, or for a client that the server has asked. */
  get callsUnderWay(): number {
    let calls = this.#asking.size;
    for (const connection of this.#connections.keys()) calls += connection.callsUnderWay;
    return calls;
  }

  /** How many requests were sent. */
  get sent(): number {
    let sent = 0;
    for (const connection of this.#connections.keys()) sent += connection.sent;
    return sent;
  }

  /** Questions of the server that have no answer yet. */
  get openQuestions(): number {
    let questions = 0;
    for (const connection of this.#connections.keys()) questions += connection.openQuestions;
    return questions;
  }

  /**
   * Another link replaces this one. Calls under way here get their answers within `graceMs`. Calls at another instance,
   * or in a session that was dropped, get them, or hear that they did not run, while the next link is opened.
   */
  async leave(graceMs: number): Promise<void> {
    if (!this.transport.isMoving && !this.#primary.isEnding) return this.#closeWhenIdle(graceMs);
    void this.#closeWhenIdle(LEAVE_MS);
  }

  async #closeWhenIdle(limitMs: number): Promise<void> {
    const end = performance.now() + limitMs;
    while (this.callsUnderWay > 0 && !this.isClosed && performance.now() < end)
      await sleep(LOOK_MS, undefined, { ref: false });
    await this.close();
  }

  /** Sends a call over the connection that suits its era. */
  send(given: Call, nameJson: string | undefined): Promise<Reply> {
    const { era, speaksBoth } = this.greeting;
    const call = this.#options.transport.prepare?.(given) ?? given;
    const primary = this.#primary;
    if (SUBSCRIPTIONS.has(call.method)) return this.#subscribe(call, nameJson);
    if (this.transport.translates) return primary.forward(call, nameJson);
    if (call.caller.era === era) {
      const sent = primary.forward(call, nameJson);
      return era === 'session' ? sent : sent.then(withoutServerInfo);
    }
    if (call.caller.era === 'session') {
      this.#asking.add(call);
      return forwardWithQuestions(primary, call, nameJson).finally(() => this.#asking.delete(call));
    }
    if (!speaksBoth) return forwardToSession(primary, call, nameJson);
    const isOpen = this.#secondary !== undefined;
    this.#secondary ??= this.#openOther();
    const sent = this.#secondary.then(async (other) => {
      // A second process takes its time to start.
      if (!isOpen) await call.context.recheck?.();
      return other
        ? other.forward(call, nameJson).then(withoutServerInfo)
        : primary.forward(call, nameJson);
    });
    if (isOpen) return sent;
    this.#asking.add(call);
    return sent.finally(() => this.#asking.delete(call));
  }

  /** A notification for the server, if it has a session. */
  notify(method: string, params: string): void {
    if (this.greeting.era === 'session') this.#primary.notify(method, params);
  }

  setLogLevel(params: string): void {
    const { era, capabilities } = this.greeting;
    if (era !== 'session' || !capabilities.logging) return;
    this.#primary.request('logging/setLevel', params, 10_000).catch(() => undefined);
  }

  /** Resolves when all of its processes and streams have ended. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#connections.keys(), (connection) => connection.close()));
  }

  async #stateless(): Promise<Connection | undefined> {
    const { era, speaksBoth } = this.greeting;
    if (era === 'stateless') return this.#primary;
    return speaksBoth ? this.#secondary : undefined;
  }

  #connect(era: Era): Connection {
    const { key, transport, self, maxPending, maxBacklog, explain } = this.#options;
    const connection: Connection = new Connection({
      server: key,
      explain,
      open: transport.open(era),
      maxPending,
      maxBacklog,
      rewrite: transport.rewrite,
      ...(era === 'stateless' ? { notificationMeta: ownMeta(self) } : {}),
      events: {
        onNotification: (method, params, calls) =>
          this.#events.onNotification(method, params, calls),
        onAsked: (method, calls) => this.#events.onAsked?.(method, calls),
        onQuestion: (...asked) => this.#events.onQuestion(...asked),
        onClose: (reason) => this.#onClose(connection, reason),
      },
    });
    this.#connections.set(connection, Date.now());
    return connection;
  }

  #greet(): Promise<Greeting> {
    const { era, self, transport, timeoutMs, probe } = this.#options;
    const can = this.#options.clientCapabilities?.();
    if (era === 'session') return openSession(this.#primary, self, timeoutMs, can);
    if (era === 'stateless') return this.#greetStateless();
    if (transport.onePipe) return openEither(this.#primary, self, timeoutMs, probe, can);
    return this.#greetOverHttp();
  }

  async #greetStateless(): Promise<Greeting> {
    const { self, timeoutMs } = this.#options;
    const greeting = await discover(this.#primary, self, timeoutMs);
    if (greeting) return greeting;
    throw new CallsignError('upstream-unavailable', {
      reason: 'it does not speak the stateless era',
    });
  }

  /** Over HTTP the two eras are two separate conversations. */
  async #greetOverHttp(): Promise<Greeting> {
    const { self, timeoutMs } = this.#options;
    const session = this.#primary;
    const stateless = this.#connect('stateless');
    const discovered = discover(stateless, self, timeoutMs).catch(() => undefined);
    const [opened] = await Promise.allSettled([
      openSession(session, self, timeoutMs, this.#options.clientCapabilities?.()),
    ]);
    const isOpen = opened.status === 'fulfilled';
    const other = await (isOpen
      ? Promise.race([discovered, sleep(LAG_MS, undefined, { ref: false })])
      : discovered);
    if (opened.status === 'fulfilled') {
      if (!other) void stateless.close();
      else {
        this.#secondary = Promise.resolve(stateless);
        this.#listen(stateless);
      }
      return withOther(opened.value, other);
    }
    if (!other) {
      void stateless.close();
      throw opened.reason;
    }
    this.#primary = stateless;
    void session.close();
    return other;
  }

  /** The stateless connection of a server of both eras. On a pipe it is a second process. */
  async #openOther(): Promise<Connection | undefined> {
    const { self, timeoutMs } = this.#options;
    const connection = this.#connect('stateless');
    if (await discover(connection, self, timeoutMs)) {
      this.#listen(connection);
      return connection;
    }
    void connection.close();
    return undefined;
  }

  /** With sessions, subscribing is a request. Without, it is part of the stream of changes. */
  #subscribe(call: Call, nameJson: string | undefined): Promise<Reply> {
    if (this.greeting.era === 'session') return this.#primary.forward(call, nameJson);
    const uri = nameJson ?? JSON.stringify(call.nameForServer ?? call.name);
    if (call.method === 'resources/unsubscribe') this.#watched.get(uri)?.();
    else if (!this.#watched.has(uri)) {
      const meta = ownMeta(this.#options.self);
      const params = `{"notifications":{"resourceSubscriptions":[${uri}]},"_meta":${meta}}`;
      // Set first: it may be over at once.
      this.#watched.set(uri, () => undefined);
      const stop = keepListening(this.#primary, {
        params,
        onMissed: () =>
          this.#events.onNotification('notifications/resources/updated', `{"uri":${uri}}`, []),
        onOver: () => this.#watched.delete(uri),
      });
      if (this.#watched.has(uri)) this.#watched.set(uri, stop);
    }
    return Promise.resolve({ ok: true, json: '{}' });
  }

  #listen(connection: Connection): void {
    listenForChanges(connection, ownMeta(this.#options.self), () => this.#events.onMissed());
  }

  #onClose(connection: Connection, reason: string): void {
    if (connection === this.#primary) return this.#events.onClose(reason);
    // The next call that needs the other connection opens it again, unless it failed too soon.
    const isHopeless = Date.now() - (this.#connections.get(connection) ?? 0) < SHORT_LIFE_MS;
    this.#secondary = isHopeless ? Promise.resolve(undefined) : undefined;
    void connection.close().finally(() => this.#connections.delete(connection));
  }
}

/** `meta`: the `_meta` of our requests, as JSON text. `onMissed`: changes may have been missed. */
function listenForChanges(connection: Connection, meta: string, onMissed: () => void): void {
  const wanted = Object.fromEntries(LISTS.map(({ flag }) => [flag, true]));
  const params = `{"notifications":${JSON.stringify(wanted)},"_meta":${meta}}`;
  keepListening(connection, { params, onMissed });
}
