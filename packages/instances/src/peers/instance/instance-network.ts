/**
 * This instance in the network of instances: its key, its internal listener, its connections, and
 * its entry in the directory.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { readText } from '@callsign/outbound';
import type { RelayedFor } from '@callsign/wire';

import type { Announcement, Instance } from '../../directory/instance-directory.js';
import type { Membership } from '../../directory/membership.js';
import { Seal } from '../../keys/seal.js';
import { InstanceRouting } from '../routing/instance-routing.js';
import { CallerSeal } from '../keys/caller-seal.js';
import { createInstanceKey } from '../keys/instance-key.js';
import { PeerSecrets } from '../keys/peer-secrets.js';
import { PeerConnections } from '../network/peer-connections.js';
import { PeerListener } from '../network/peer-listener.js';
import { CALLER } from '../network/relay-request.js';
import { isCut, type Reach } from './directory-reach.js';
import { UnprovedInstances } from './unproved-instances.js';

interface InstanceNetworkOptions {
  /** The id of this instance. New for each start. */
  readonly id: string;
  /**
   * Secrets that all instances share, the newest first. Instances prove to each other that they know one, and encrypt
   * the ids of sessions with it.
   */
  readonly secrets: readonly string[];
  /** The address of the internal listener. Port 0: the system chooses a port. */
  readonly host: string;
  readonly port: number;
  /** The host name for other instances. Default: the host that it listens on. */
  readonly advertisedHost?: string | undefined;
  /** Called for an instance that does not prove that it knows the secrets. `id`: who it says it is. */
  readonly onUnproved?: ((id: string, address: string) => void) | undefined;
}

/** What other instances need to connect to one: its address and its public key. */
export type InstanceAddress = Pick<Announcement, 'address' | 'key'>;

/** Handles a request of another instance. */
export type PeerHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Handles a request of a client that another instance has sent here. */
export type RelayedHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  relayed: RelayedFor,
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
/** Bytes of the answer of another instance about itself. */
const MAX_ANSWER = 64 * 1024;
/** How long requests for other instances wait until this one is in the directory. */
const JOIN_MS = 2_000;

/** The order of calls is `listen`, `join`, `drain`, `close`. */
export class InstanceNetwork {
  readonly id: string;
  readonly connections: PeerConnections;
  readonly routing: InstanceRouting;
  /** What instances tell each other about callers. */
  readonly callers: CallerSeal;
  /**
   * Handles requests of clients that another instance sent here. The listener for clients sets it.
   * Until then they get 503.
   */
  onClient: RelayedHandler | undefined;
  /** Handles requests for servers that run here. */
  onServer: PeerHandler | undefined;
  /** Called before another instance is told that this one cannot reach the directory. */
  onCut: (() => void) | undefined;
  readonly #options: InstanceNetworkOptions;
  readonly #key = createInstanceKey();
  readonly #secrets: PeerSecrets;
  readonly #seal: Seal;
  readonly #listener: PeerListener;
  #membership: Membership | undefined;
  #join: () => void = () => undefined;
  readonly #joined = new Promise<void>((resolve) => (this.#join = resolve));
  /** Instances that have said that they end. The directory may still list them. */
  readonly #leaving = new Set<string>();
  /** They count as not running. */
  readonly unproved: UnprovedInstances;
  #isLeaving = false;
  /** Whether other instances could reach the directory when they were asked last. */
  #isCutAlone = false;
  #isAsking = false;

  constructor(options: InstanceNetworkOptions) {
    const { id, host, port, secrets } = options;
    this.id = id;
    this.#options = options;
    this.#seal = new Seal(secrets);
    this.#secrets = new PeerSecrets(secrets);
    this.callers = new CallerSeal(id, secrets);
    const own = { self: id, key: this.#key, secrets: this.#secrets };
    this.connections = new PeerConnections(own);
    this.routing = new InstanceRouting({
      self: id,
      seal: this.#seal,
      callers: this.callers,
      connections: this.connections,
      instances: () => this.#instances,
      find: (other) => this.#findHome(other),
    });
    this.#listener = new PeerListener({
      ...own,
      host,
      port,
      // The sender has proved that it knows the secrets, so it need only be in the directory.
      find: (other) => this.#findListed(other),
      onRequest: (request, response, from) => this.#take(request, response, from),
      onUnproved: (other, address) => this.unproved.connected(other, address),
    });
    this.unproved = new UnprovedInstances({
      self: id,
      listed: () => this.#listed,
      // Without a connection that stays: a later request on it could fail without a clear reason.
      connect: (other) => this.#fetch(other, ALIVE_PATH, ALIVE_MS, { connection: 'close' }),
      report: (other, address) => options.onUnproved?.(other, address),
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
      for (const id of this.#leaving) if (!running.has(id)) this.#leaving.delete(id);
      this.unproved.look();
    });
    this.unproved.look();
  }

  /** An instance of the directory that can be reached, and does not end now. */
  async find(id: string): Promise<Instance | undefined> {
    return this.#leaving.has(id) || this.unproved.has(id) ? undefined : this.#findListed(id);
  }

  /** Rejects if this instance cannot ask the directory soon. */
  async #findHome(id: string): Promise<Instance | undefined> {
    if (!this.#membership) await Promise.race([this.#joined, sleep(JOIN_MS)]);
    if (!this.#membership) throw new Error('This instance is not in the directory yet.');
    return this.find(id);
  }

  async #findListed(id: string): Promise<Instance | undefined> {
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

  /** Asks another instance whether it runs. */
  async isAlive(instance: Instance): Promise<boolean> {
    return (await this.#ask(instance, ALIVE_PATH, ALIVE_MS)) !== undefined;
  }

  async #ask(instance: Instance, path: string, ms: number): Promise<unknown> {
    try {
      return await this.#fetch(instance, path, ms);
    } catch {
      return undefined;
    }
  }

  async #fetch(instance: Instance, path: string, ms: number, headers = {}): Promise<unknown> {
    const signal = AbortSignal.timeout(ms);
    const { status, body } = await this.connections.request(instance, { path, headers, signal });
    const text = await readText(body, MAX_ANSWER);
    if (status !== 200) throw new Error(`HTTP ${status}`);
    return JSON.parse(text) as unknown;
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
   * Replaces the shared secrets, the newest first. Ids of a secret that is left out become invalid, and connections that
   * use it end.
   */
  replaceSecrets(secrets: readonly string[]): void {
    for (const each of [this.#seal, this.#secrets, this.callers]) each.replace(secrets);
    for (const each of [this.connections, this.#listener]) each.dropUnproved();
    this.unproved.lookAgain();
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
    this.unproved.close();
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

  /** The instances of the directory that say how to reach them. */
  get #listed(): readonly Instance[] {
    return (this.#membership?.instances ?? []).filter(({ key }) => key !== '');
  }

  /** The listed instances that have proved that they know the secrets. */
  get #instances(): readonly Instance[] {
    return this.#listed.filter(({ id }) => !this.unproved.has(id));
  }

  #take(request: IncomingMessage, response: ServerResponse, from: Instance): void {
    if (request.url === ALIVE_PATH) return void response.end('{}');
    if (request.url === REACH_PATH) return void this.#reach(response);
    if (request.url === LEAVING_PATH) return void this.#forget(from, response);
    const isServer = request.url?.startsWith(SERVERS_PATH) === true;
    if (isServer && this.onServer) return this.onServer(request, response);
    const relayed = isServer ? undefined : this.callers.open<RelayedFor>(sealedIn(request));
    if (relayed && this.onClient) return this.onClient(request, response, relayed);
    request.resume();
    response.writeHead(503).end();
  }
}

function sealedIn({ headers }: IncomingMessage): string {
  const { [CALLER]: sealed = '' } = headers;
  return String(sealed);
}
