/** Connections to other instances. They are kept open between requests. */

import type { ClientRequest, OutgoingHttpHeaders } from 'node:http';
import { request as send, Agent } from 'node:https';

import type { Instance } from '../../directory/instance-directory.js';
import type { InstanceKey } from '../keys/instance-key.js';
import { connectingTls } from './peer-tls.js';

/** How this instance identifies itself to others. */
export interface PeerConnectionsOptions {
  /** The id of this instance. */
  readonly self: string;
  readonly key: InstanceKey;
}

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
  readonly #options: PeerConnectionsOptions;
  readonly #agents = new Map<string, Agent>();
  /** All open agents, by the public key of the other end. */
  readonly #open = new Map<string, Set<Agent>>();

  constructor(options: PeerConnectionsOptions) {
    this.#options = options;
  }

  /** Begins a request to another instance. The caller writes the body and ends it. */
  request({ id, address, key }: Instance, { method, path, headers }: PeerRequest): ClientRequest {
    let agent = this.#agents.get(id);
    if (!agent) this.#agents.set(id, (agent = this.agent(key)));
    const { hostname: host, port } = new URL(address);
    return send({ host: bare(host), port, method, path, headers, agent });
  }

  /**
   * A separate pool for the instance with this public key. The caller destroys it. `onBroken` is
   * called whenever the other end closes a connection or cannot be reached.
   */
  agent(publicKey: string, onBroken?: () => void): Agent {
    const { self, key } = this.#options;
    const agent = new Agent({
      ...connectingTls(key, self, publicKey),
      keepAlive: true,
      maxFreeSockets: MAX_IDLE,
      timeout: IDLE_MS,
    });
    if (onBroken) watchSockets(agent, onBroken);
    this.#note(agent, publicKey);
    return agent;
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

function watchSockets(agent: Agent, onBroken: () => void): void {
  const create = agent.createConnection.bind(agent);
  agent.createConnection = (...given) => {
    const socket = create(...given);
    socket?.once('error', onBroken);
    socket?.once('end', onBroken);
    return socket;
  };
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}

/** An IPv6 address without its brackets. */
function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}
