/** The listener of a gateway in the background: the clients of this person, each through `callsign connect`. */

import { randomUUID } from 'node:crypto';
import { chmodSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { isListening, prepareSocketFolder } from '@callsign/config';
import type { ClientConnection, Log } from '@callsign/core';
import { drained, type Gateway } from '@callsign/gateway/host';
import { openStdioListener, PendingCalls, type ServedSource, type Session } from '@callsign/wire';

import { VERSION } from '../command/version.js';
import { setProblem } from '../config-file/set-problem.js';
import { answerHello, HANDSHAKE, type Hello, HelloError } from '../connect/hello.js';
import { goodbyeLine } from '../connect/relay.js';
import { sharedKey, type SharedGateway } from '../connect/shared-gateway.js';
import type { Program } from '../connect/start-gateway.js';
import { answerLoose } from '../fleet/loose-question.js';
import { clientsOf, type Listener } from './listeners.js';

const HELLO_MS = 5_000;
/** How long a client waits until the configuration was read with its variables. */
const READ_MS = 5_000;
/** Not the name of a profile: the one that fits the client. */
const AUTO = 'auto';
/** How often we look whether our socket is still ours, and whether a newer version may take over. */
const LOOK_MS = 2_000;
/** For a `connect` with a handshake that we do not know. */
const FORCED_DRAIN_MS = 60_000;
/** How long a gateway that ends waits for clients to read its goodbye. One that hangs reads nothing. */
const HANG_UP_MS = 5_000;

export interface SharedSocketOptions {
  readonly gateway: Gateway;
  readonly shared: SharedGateway;
  /** Without a client and without work, the gateway stops after this time. */
  readonly idleMs: number;
  /** Resolves when the configuration was read with the variables of all clients. */
  readonly whenRead: () => Promise<void>;
  readonly log: Log;
}

interface ConnectedClient {
  readonly socket: Socket;
  readonly session: Session;
  readonly connection: ClientConnection;
}

/** Another gateway of this person already serves this configuration. */
export class AlreadyServed extends Error {}

export class SharedSocket implements Listener {
  /** Resolves when the gateway should stop: no client for a while, or a newer version is here. */
  readonly closed: Promise<void>;
  /** The program of a newer version that should take over. */
  successor: Program | undefined;
  readonly #options: SharedSocketOptions;
  readonly #served: ServedSource;
  readonly #key: Buffer;
  readonly #clients = new Set<ConnectedClient>();
  #server: Server | undefined;
  #isLeaving = false;
  /** Of our socket, to notice that another one took its place. */
  #inode: number | undefined;
  #idleSince = Date.now();
  #close: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SharedSocketOptions) {
    this.#options = options;
    this.#served = options.gateway.served();
    this.#key = sharedKey(options.shared.state);
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
    const { gateway } = options;
    gateway.answerLoose = (question, server) => answerLoose(this.#sessions(), question, server);
  }

  /** Throws `AlreadyServed` if another process listens there. */
  async open(): Promise<void> {
    prepareSocketFolder(this.#options.shared.state);
    await this.#listen();
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
  }

  clients(): ReturnType<Listener['clients']> {
    return clientsOf(this.#sessions());
  }

  drain(): Promise<void> {
    return this.#leave(this.#drainMs);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopListening();
    this.#sayGoodbye();
    await Promise.all(
      Array.from(this.#clients, async ({ socket }) => {
        socket.end();
        await Promise.race([
          new Promise((gone) => socket.once('close', gone)),
          sleep(1_000, undefined, { ref: false }),
        ]);
        socket.destroy();
      }),
    );
  }

  get #drainMs(): number {
    return this.#options.gateway.config.settings.http.drainMs;
  }

  /**
   * Answers everything that clients have sent before they read the goodbye. What they send later goes to the next gateway.
   */
  async #leave(limitMs: number): Promise<void> {
    this.#stopListening();
    this.#sayGoodbye();
    const late = new AbortController();
    const hungUp = Array.from(this.#clients, async ({ socket }) => {
      if (!socket.readableEnded && !socket.destroyed)
        await new Promise((done) => socket.once('end', done).once('close', done));
    });
    const patience = sleep(HANG_UP_MS, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([Promise.all(hungUp), patience]);
    late.abort();
    await this.#calls(limitMs);
  }

  /** Tells the clients whether to come back at once. They do if they were not told. */
  #sayGoodbye(): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    const goodbye = goodbyeLine(this.successor === undefined);
    for (const { socket } of this.#clients) socket.write(goodbye);
  }

  #sessions(): Session[] {
    return Array.from(this.#clients, ({ session }) => session);
  }

  async #listen(): Promise<void> {
    const { address } = this.#options.shared;
    for (;;) {
      // A client that has closed its end still gets its answers.
      const server = createServer({ allowHalfOpen: true }, (socket) => void this.#greet(socket));
      const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
        server.once('error', resolve);
        server.listen(address, () => resolve(undefined));
      });
      if (!failure) {
        server.on('error', () => undefined);
        this.#server = server;
        if (process.platform !== 'win32') {
          chmodSync(address, 0o600);
          this.#inode = inodeOf(address);
        }
        return;
      }
      if (failure.code !== 'EADDRINUSE') throw failure;
      if (await isListening(address)) throw new AlreadyServed();
      await removeStale(address);
    }
  }

  async #greet(socket: Socket): Promise<void> {
    const { shared, log } = this.#options;
    socket.on('error', () => undefined);
    const timer = setTimeout(() => socket.destroy(), HELLO_MS);
    try {
      const hello = await answerHello(socket, this.#key, VERSION, (said) => this.#problemOf(said));
      clearTimeout(timer);
      await this.#serve(socket, hello);
    } catch (error) {
      clearTimeout(timer);
      // Ending alone would leave it open for as long as the other side likes.
      socket.destroySoon();
      if (!(error instanceof HelloError)) throw error;
      if (error.code === 'handshake' && error.handshake > HANDSHAKE) {
        log('warning', 'A newer version has connected. This gateway ends after its calls.');
        this.successor ??= [];
        await this.#leave(FORCED_DRAIN_MS);
        this.#close();
      } else if (error.code === 'key') {
        log('warning', `A program that does not know the key of ${shared.state} tried to connect.`);
      }
    }
  }

  #problemOf({ config, profile, set }: Hello): string | undefined {
    const { gateway, shared } = this.#options;
    if (config !== shared.config) return `This gateway serves ${shared.config}.`;
    if (profile !== undefined && profile !== AUTO && !gateway.viewOf(profile))
      return `There is no profile "${profile}".`;
    return setProblem(set, gateway.config);
  }

  async #serve(socket: Socket, hello: Hello): Promise<void> {
    const { gateway, whenRead } = this.#options;
    const { folder, env, profile, set } = hello;
    // Before any wait: a set that is removed meanwhile shows nothing, and must not become everything.
    const { sets, viewFor } =
      (set === undefined ? undefined : gateway.servedSet(set)) ?? this.#served;
    const connection: ClientConnection = { id: randomUUID(), folder, env };
    if (isNewer(hello.version, VERSION)) this.successor ??= hello.command;
    gateway.clients.add(connection);
    this.#idleSince = Date.now();
    if (Object.keys(env).some((name) => name.toUpperCase() !== 'PATH')) {
      // A server that needs its variables would be missing in its first list.
      await Promise.race([whenRead(), sleep(READ_MS, undefined, { ref: false })]);
    }
    // It comes too late. The client goes on to the next gateway.
    if (this.#isLeaving) socket.destroy();
    if (socket.destroyed) return gateway.clients.remove(connection);
    const served: ServedSource = {
      ...this.#served,
      connection,
      ...(sets ? { sets } : {}),
      viewFor: (client, principal) =>
        (profile === undefined
          ? undefined
          : gateway.viewOf(profile, principal, connection, sets)) ??
        viewFor(client, principal, connection),
    };
    const { maxMessageBytes } = gateway.config.settings.limits;
    const { session, closed } = openStdioListener({
      served,
      pending: new PendingCalls(),
      input: socket,
      output: socket,
      maxMessageBytes,
      lastAnswersMs: this.#drainMs,
    });
    const client = { socket, session, connection };
    this.#clients.add(client);
    void closed.then(() => this.#left(client));
  }

  #left(client: ConnectedClient): void {
    client.socket.end();
    this.#clients.delete(client);
    this.#options.gateway.clients.remove(client.connection);
    this.#idleSince = Date.now();
  }

  async #look(): Promise<void> {
    if (this.#isLeaving) return;
    const { gateway, idleMs } = this.#options;
    if (this.#clients.size > 0) this.#idleSince = Date.now();
    const isFree = (): boolean =>
      gateway.isIdle() && this.#sessions().every(({ callsUnderWay }) => callsUnderWay === 0);
    if (this.successor !== undefined || Date.now() - this.#idleSince >= idleMs) {
      // After a pause, timers come before what clients have sent meanwhile.
      for (let turns = 0; turns < 3; turns++) await nextTurn();
      if (isFree()) {
        await this.#leave(this.#drainMs);
        return this.#close();
      }
    }
    await this.#keepSocket();
  }

  /** Another process may have removed the file of our socket. */
  async #keepSocket(): Promise<void> {
    const { address } = this.#options.shared;
    if (this.#inode === undefined || inodeOf(address) === this.#inode) return;
    this.#stopListening();
    try {
      await this.#listen();
    } catch (error) {
      // Another gateway took our place. It gets all new clients, and ours when they have no calls.
      if (error instanceof AlreadyServed) this.successor ??= [];
      else this.#options.log('warning', (error as Error).message);
    }
  }

  /** Closing a server removes the file at its path. That may be the socket of another gateway by now. */
  #stopListening(): void {
    const server = this.#server;
    if (!server) return;
    const { address } = this.#options.shared;
    const found = this.#inode === undefined ? undefined : inodeOf(address);
    const isOther = found !== undefined && found !== this.#inode;
    const aside = `${address}.${process.pid}`;
    this.#server = this.#inode = undefined;
    if (isOther) renameSync(address, aside);
    server.close();
    if (isOther) renameSync(aside, address);
  }

  async #calls(limitMs: number): Promise<void> {
    const sessions = (): Session[] => this.#sessions();
    const work = {
      get callsUnderWay() {
        return sessions().reduce((sum, session) => sum + session.callsUnderWay, 0);
      },
    };
    const onLate = (calls: string): void =>
      this.#options.log('warning', `${calls} did not finish in time; the gateway stops anyway.`);
    await drained(work, { limitMs, onLate });
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** Removes the socket of a process that has ended. Puts it back if another process listens on it by now. */
async function removeStale(address: string): Promise<void> {
  if (process.platform === 'win32') return;
  const aside = `${address}.${process.pid}`;
  try {
    renameSync(address, aside);
    if (await isListening(aside)) renameSync(aside, address);
    else rmSync(aside, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Whether a version is newer than another. */
function isNewer(version: string, than: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(than)];
  const at = a.findIndex((part, i) => part !== b[i]);
  return at !== -1 && a[at]! > (b[at] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split(/[.+-]/).slice(0, 3).map(Number);
}
