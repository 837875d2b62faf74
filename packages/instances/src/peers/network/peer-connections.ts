/** Connections to other instances. They are kept open between requests. */

import type { ClientRequest, OutgoingHttpHeaders } from 'node:http';
import { request as send, Agent } from 'node:https';
import type { Duplex } from 'node:stream';

import type { Instance } from '../../directory/instance-directory.js';
import type { ConnectionEnd } from '../keys/instance-key.js';
import { connectingTls, type OwnEnd } from './peer-tls.js';

/** The head of a request. The body follows as a stream. */
export interface PeerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
}

/** An idle connection is closed after this time. */
const IDLE_MS = 4_000;
const MAX_IDLE = 64;

/** One pool of connections per instance. */
export class PeerConnections {
  readonly #own: OwnEnd;
  readonly #agents = new Map<string, Agent>();
  /** All open agents, by the public key of the other end. */
  readonly #open = new Map<string, Set<Agent>>();
  /** All open connections, with the name of the secret that they use. */
  readonly #sockets = new Map<Duplex, string>();

  constructor(own: OwnEnd) {
    this.#own = own;
  }

  /** Begins a request to another instance. The caller writes the body and ends it. */
  request(instance: Instance, { method, path, headers }: PeerRequest): ClientRequest {
    let agent = this.#agents.get(instance.id);
    if (!agent) this.#agents.set(instance.id, (agent = this.agent(instance)));
    const { hostname: host, port } = new URL(instance.address);
    return send({ host: bare(host), port, method, path, headers, agent });
  }

  /**
   * A separate pool for an instance. The caller destroys it. `onBroken` is called whenever the other end closes a
   * connection or cannot be reached.
   */
  agent(to: ConnectionEnd, onBroken?: () => void): Agent {
    const agent = new Agent({
      ...connectingTls(this.#own, to),
      keepAlive: true,
      maxFreeSockets: MAX_IDLE,
      timeout: IDLE_MS,
    });
    this.#watchSockets(agent, onBroken);
    this.#note(agent, to.key);
    return agent;
  }

  /** Ends connections that use a secret that was removed. */
  dropUnproved(): void {
    for (const [socket, name] of this.#sockets) {
      if (!this.#own.secrets.find(name)) socket.destroy();
    }
  }

  #watchSockets(agent: Agent, onBroken: (() => void) | undefined): void {
    const create = agent.createConnection.bind(agent);
    agent.createConnection = (...given) => {
      const socket = create(...given);
      if (!socket) return socket;
      this.#sockets.set(socket, this.#own.secrets.newest.name);
      socket.once('close', () => this.#sockets.delete(socket));
      if (onBroken) for (const event of ['error', 'end']) socket.once(event, onBroken);
      return socket;
    };
  }

  /** Whether a request to the instance with this public key has no answer yet. */
  isBusy(publicKey: string): boolean {
    const agents = [...(this.#open.get(publicKey) ?? [])];
    return agents.some(({ sockets, requests }) => !isEmpty(sockets) || !isEmpty(requests));
  }

  #note(agent: Agent, publicKey: string): void {
    const open = this.#open.get(publicKey) ?? new Set();
    this.#open.set(publicKey, open.add(agent));
    const destroy = agent.destroy.bind(agent);
    agent.destroy = () => {
      open.delete(agent);
      if (open.size === 0) this.#open.delete(publicKey);
      destroy();
    };
  }

  /** Ends all requests to instances that no longer run. */
  keep(running: ReadonlySet<string>): void {
    for (const [id, agent] of this.#agents) {
      if (running.has(id)) continue;
      this.#agents.delete(id);
      agent.destroy();
    }
  }

  close(): void {
    this.keep(new Set());
  }
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}

/** An IPv6 address without its brackets. */
function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}
