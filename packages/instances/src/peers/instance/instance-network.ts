/**
 * This instance in the network of instances: its key, its internal listener, its connections, and
 * its entry in the directory.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Announcement, Instance } from '../../directory/instance-directory.js';
import type { Membership } from '../../directory/membership.js';
import { Seal } from '../../keys/seal.js';
import { InstanceHomes } from '../homes/instance-homes.js';
import { createInstanceKey } from '../keys/instance-key.js';
import { fetchJson } from '../network/fetch-json.js';
import { PeerConnections } from '../network/peer-connections.js';
import { PeerListener } from '../network/peer-listener.js';
import { isCut, type Reach } from './directory-reach.js';

interface InstanceNetworkOptions {
  /** The id of this instance. New for each start. */
  readonly id: string;
  /** Secrets that all instances share, the newest first. They encrypt the ids of sessions. */
  readonly secrets: readonly string[];
  /** The address of the internal listener. Port 0: the system chooses a port. */
  readonly host: string;
  readonly port: number;
  /** The host name for other instances. Unset: the host that it listens on. */
  readonly advertisedHost?: string | undefined;
  /** Called once for an instance that cannot open what this one seals, or the other way round. */
  readonly onStranger?: ((instance: Instance) => void) | undefined;
}

/** What other instances need to connect to one: its address and its public key. */
export type InstanceAddress = Pick<Announcement, 'address' | 'key'>;

/** The answer to the question whether an instance runs. */
export interface Alive {
  /** A text that instances with the same secrets can open. Unset: an older version. */
  readonly sealed?: string;
}

/** Handles a request of another instance. */
export type PeerHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  from: Instance,
) => void;

/** The paths of servers that run on one instance and are called by others. */
const SERVERS_PATH = '/servers/';
/** Other instances ask here whether this one runs. */
const ALIVE_PATH = '/alive';
/** An instance that does not answer in this time counts as not running. */
const ALIVE_MS = 1_000;
/** Other instances ask here whether this one can reach the directory. It tries, which takes less than `ALIVE_MS`. */
const REACH_PATH = '/reach';
/** Says that the instance ends. The answer comes when the other one sends nothing there any more. */
const LEAVING_PATH = '/leaving';
/** How long requests that are under way to an instance that ends may take. */
const LEAVING_MS = 5_000;
const LOOK_MS = 10;
/** How long requests for other instances wait until this one is in the directory. */
const JOIN_MS = 2_000;

/** The order of calls is `listen`, `join`, `drain`, `close`. */
export class InstanceNetwork {
  readonly id: string;
  readonly connections: PeerConnections;
  readonly homes: InstanceHomes;
  /**
   * Handles requests of clients that another instance sent here. The listener for clients sets it.
   * Until then they get 503.
   */
  onClient: PeerHandler | undefined;
  /** Handles requests for servers that run here. */
  onServer: PeerHandler | undefined;
  /** Called before another instance is told that this one cannot reach the directory. */
  onCut: (() => void) | undefined;
  readonly #options: InstanceNetworkOptions;
  readonly #key = createInstanceKey();
  readonly #seal: Seal;
  readonly #listener: PeerListener;
  #membership: Membership | undefined;
  #join: () => void = () => undefined;
  readonly #joined = new Promise<void>((resolve) => (this.#join = resolve));
  /** Instances that have said that they end. The directory may still list them. */
  readonly #leaving = new Set<string>();
  /** Instances whose secrets were compared with ours. */
  readonly #compared = new Set<string>();
  #isLeaving = false;
  /** Whether other instances could reach the directory when they were asked last. */
  #isCutAlone = false;
  #isAsking = false;

  constructor(options: InstanceNetworkOptions) {
    const { id, host, port, secrets } = options;
    this.id = id;
    this.#options = options;
    this.#seal = new Seal(secrets);
    this.connections = new PeerConnections({ self: id, key: this.#key });
    const find = (other: string): Promise<Instance | undefined> => this.#find(other);
    this.homes = new InstanceHomes({
      self: id,
      seal: this.#seal,
      connections: this.connections,
      instances: () => this.#instances,
      find: (other) => this.#findHome(other),
    });
    this.#listener = new PeerListener({
      host,
      port,
      key: this.#key,
      find,
      onRequest: (request, response, from) => this.#take(request, response, from),
    });
  }

  /** Opens the internal listener. The result is announced in the directory. */
  async listen(): Promise<InstanceAddress> {
    const { host, advertisedHost = host } = this.#options;
    const port = await this.#listener.listen();
    const shown = advertisedHost.includes(':') ? `[${advertisedHost}]` : advertisedHost;
    return { address: `https://${shown}:${port}`, key: this.#key.publicKey };
  }

  /** To be called when this instance is in the directory. From now on it finds the others. */
  join(membership: Membership): void {
    this.#membership = membership;
    this.#join();
    membership.watch(() => {
      const running = new Set(this.#instances.map((instance) => instance.id));
      this.connections.keep(running);
      for (const ids of [this.#leaving, this.#compared])
        for (const id of ids) if (!running.has(id)) ids.delete(id);
      this.#compareAll();
    });
    this.#compareAll();
  }

  /** With different secrets, a session would be lost whenever its client reaches another instance. */
  #compareAll(): void {
    for (const instance of this.#instances) {
      if (instance.id === this.id || this.#compared.has(instance.id)) continue;
      this.#compared.add(instance.id);
      void this.#compare(instance);
    }
  }

  async #compare(instance: Instance): Promise<void> {
    // Without a connection that stays: a later request on it could fail without a clear reason.
    const once = { connection: 'close' };
    const alive = (await this.#ask(instance, ALIVE_PATH, ALIVE_MS, once)) as Alive | undefined;
    if (!alive) this.#compared.delete(instance.id);
    else if (alive.sealed !== undefined && this.#seal.open(alive.sealed, ALIVE_PATH) === undefined)
      this.#options.onStranger?.(instance);
  }

  /** An instance of the directory that can be reached, and does not end now. */
  async find(id: string): Promise<Instance | undefined> {
    return this.#leaving.has(id) ? undefined : this.#find(id);
  }

  /** Rejects if this instance cannot ask the directory soon. */
  async #findHome(id: string): Promise<Instance | undefined> {
    if (!this.#membership) await Promise.race([this.#joined, sleep(JOIN_MS)]);
    if (!this.#membership) throw new Error('This instance is not in the directory yet.');
    return this.find(id);
  }

  async #find(id: string): Promise<Instance | undefined> {
    const found = await this.#membership?.find(id);
    return found && found.key !== '' ? found : undefined;
  }

  /**
   * Why this instance should get no new work; `undefined` if it may. An instance that alone cannot reach the directory
   * should not. If none can, all go on.
   */
  notReady(): string | undefined {
    if (!this.#membership) return 'it is not in the directory yet';
    if (this.#membership.isReachable) this.#isCutAlone = false;
    else void this.#askOthers();
    return this.#isCutAlone ? 'only this instance cannot reach the directory' : undefined;
  }

  async #askOthers(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#isCutAlone = !(await this.isCutForAll());
    this.#isAsking = false;
  }

  /** Asks another instance whether it runs; `undefined` if it does not answer. */
  async alive(instance: Instance): Promise<Alive | undefined> {
    return (await this.#ask(instance, ALIVE_PATH, ALIVE_MS)) as Alive | undefined;
  }

  async #ask(
    instance: Instance,
    path: string,
    ms: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<unknown> {
    const request = { method: 'GET', path, headers };
    try {
      return await fetchJson(this.connections.request(instance, request), ms);
    } catch {
      return undefined;
    }
  }

  /** True if most instances answer, this one included, and none of them can reach the directory. */
  async isCutForAll(): Promise<boolean> {
    const others = this.#instances.filter(({ id }) => id !== this.id);
    const answers = await Promise.all(
      others.map((other) => this.#ask(other, REACH_PATH, ALIVE_MS) as Promise<Reach | undefined>),
    );
    return isCut(answers);
  }

  /**
   * Replaces the shared secrets, the newest first. Ids of a secret that is left out become invalid.
   */
  replaceSecrets(secrets: readonly string[]): void {
    this.#seal.replace(secrets);
    this.#compared.clear();
    this.#compareAll();
  }

  /** Tells the others that this instance accepts no new sessions. */
  async drain(): Promise<void> {
    await this.#membership?.change({ state: 'draining' });
  }

  /** Whether another instance takes new work. */
  hasSuccessor(): boolean {
    return this.#instances.some(({ id, state }) => id !== this.id && state === 'ready');
  }

  /** Resolves when the others have heard that this instance ends, and send nothing here any more. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    const others = this.#instances.filter(({ id }) => id !== this.id);
    await Promise.all(others.map((other) => this.#ask(other, LEAVING_PATH, LEAVING_MS)));
  }

  /** Ends all connections. This instance must have left the directory before. */
  async close(): Promise<void> {
    this.connections.close();
    await this.#listener.close();
  }

  /** Sends nothing to an instance any more, and answers it when all that was sent has an answer. */
  async #forget({ id, key }: Instance, response: ServerResponse): Promise<void> {
    this.#leaving.add(id);
    const end = performance.now() + LEAVING_MS;
    // Two instances that end at once do not wait for each other.
    while (!this.#isLeaving && this.connections.isBusy(key) && performance.now() < end) {
      await sleep(LOOK_MS);
    }
    response.end('{}');
  }

  async #reach(response: ServerResponse): Promise<void> {
    const reach: Reach = { directory: (await this.#membership?.reaches()) === true };
    if (!reach.directory) this.onCut?.();
    response.end(JSON.stringify(reach));
  }

  /** The instances that others can reach. */
  get #instances(): readonly Instance[] {
    return (this.#membership?.instances ?? []).filter(({ key }) => key !== '');
  }

  #take(request: IncomingMessage, response: ServerResponse, from: Instance): void {
    if (request.url === ALIVE_PATH) {
      const alive: Alive = { sealed: this.#seal.seal(this.id, ALIVE_PATH) };
      return void response.end(JSON.stringify(alive));
    }
    if (request.url === REACH_PATH) return void this.#reach(response);
    if (request.url === LEAVING_PATH) return void this.#forget(from, response);
    const isServer = request.url?.startsWith(SERVERS_PATH) === true;
    const handler = isServer ? this.onServer : this.onClient;
    if (handler) return handler(request, response, from);
    request.resume();
    response.writeHead(503).end();
  }
}
