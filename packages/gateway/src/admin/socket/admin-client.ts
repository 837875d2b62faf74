/** Finds and queries the running gateways of this user. */

import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';

import { adminAddresses } from './admin-address.js';
import { askAdmin, streamAdmin, type AdminReply, type StreamOptions } from './admin-request.js';
import { AdminError } from '../router/admin-error.js';
import type { GatewayIdentity } from './admin-server.js';
import { stateFolder } from '@callsign/config';

/** Which gateways to find. Default: all of this user. */
export interface FindOptions {
  /** Only gateways that run this configuration file. */
  readonly config?: string;
  /** The folder for the user's state. */
  readonly state?: string;
}

/** A running gateway that has answered. */
export interface AdminClient {
  /** Its socket. */
  readonly address: string;
  readonly identity: GatewayIdentity;
  /** Throws an `AdminError` if the gateway refuses or has ended. */
  get(path: string): Promise<unknown>;
  post(path: string, body?: unknown): Promise<unknown>;
  /** Resolves at the end of the stream. */
  stream(options: StreamOptions): Promise<void>;
}

/** All running gateways, by process id. */
export async function findGateways(options: FindOptions = {}): Promise<AdminClient[]> {
  const { config, state = stateFolder() } = options;
  const addresses = await adminAddresses(state);
  const found = await Promise.all(addresses.map(clientAt));
  const clients = found
    .filter((client) => client !== undefined)
    .toSorted((a, b) => a.identity.pid - b.identity.pid);
  if (config === undefined) return clients;
  const wanted = await truePath(config);
  const paths = await Promise.all(clients.map(({ identity }) => truePath(identity.config)));
  return clients.filter((_, i) => paths[i] === wanted);
}

async function clientAt(address: string): Promise<AdminClient | undefined> {
  const asked = await askAdmin(address, 'GET', '/');
  if (!asked.ok || !isIdentity(asked.body)) return undefined;
  const identity = asked.body;
  const answered = (reply: AdminReply): unknown => {
    if (!reply.ok) {
      throw new AdminError(503, `The gateway ${identity.pid} cannot be reached: ${reply.reason}.`);
    }
    if (reply.status === 200) return reply.body;
    throw new AdminError(reply.status, messageIn(reply.body));
  };
  return {
    address,
    identity,
    get: async (path) => answered(await askAdmin(address, 'GET', path)),
    post: async (path, body) => answered(await askAdmin(address, 'POST', path, body)),
    stream: async (options) => void answered(await streamAdmin(address, options)),
  };
}

function isIdentity(body: unknown): body is GatewayIdentity {
  const { pid, config, version } = (body ?? {}) as Partial<Record<keyof GatewayIdentity, unknown>>;
  return typeof pid === 'number' && typeof config === 'string' && typeof version === 'string';
}

function messageIn(body: unknown): string {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : 'The gateway refused without a reason.';
}

/** Resolves links, because two paths may name the same file. */
async function truePath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
