/**
 * The admin listener: HTTP on a socket that only this user can open. The socket is the
 * authentication.
 */

import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';

import { adminAddress, adminAddresses } from './admin-address.js';
import { OWNER } from '../router/admin-caller.js';
import { serveAdmin } from '../router/admin-http.js';
import type { AdminRouter } from '../router/admin-router.js';
import { isListening, prepareSocketFolder, stateFolder } from '@callsign/config';

/** The identity of a gateway. */
export interface GatewayIdentity {
  readonly pid: number;
  /** Its configuration file. */
  readonly config: string;
  readonly version: string;
  /** The address of its HTTP listener, if it has one. */
  readonly url?: string;
  /** When it started, as ISO text. */
  readonly startedAt?: string;
  /** Set for the gateway that the clients of this user share. */
  readonly isBackground?: boolean;
  /** Set for a gateway that runs for one command and serves no client. */
  readonly isBrief?: boolean;
}

export interface AdminServerOptions {
  readonly identity: GatewayIdentity;
  readonly router: AdminRouter;
  /** The folder for the user's state. */
  readonly state?: string;
}

/** One per gateway process. Its socket is named after the process id. */
export class AdminServer {
  readonly #state: string;
  readonly #server: Server;
  readonly #pid: number;

  constructor({ identity, router, state = stateFolder() }: AdminServerOptions) {
    this.#state = state;
    this.#pid = identity.pid;
    // The client may run in another folder.
    const about = { ...identity, config: resolve(identity.config) };
    router.on('GET', '/', () => about);
    this.#server = createServer(
      (request, response) => void serveAdmin(router, request, response, OWNER),
    );
  }

  /** Opens the listener and removes those of gateways that have ended. Returns its address. */
  async open(): Promise<string> {
    const address = adminAddress(this.#state, this.#pid);
    prepareSocketFolder(this.#state);
    await removeStale(this.#state);
    // A process that had our id before has ended, so its socket can be replaced.
    await remove(address);
    await new Promise<void>((opened, failed) => {
      this.#server.once('error', failed);
      this.#server.listen(address, opened);
    });
    // A failed connection, such as for lack of file descriptors, affects only its client.
    this.#server.on('error', () => undefined);
    if (process.platform !== 'win32') await chmod(address, 0o600);
    // This listener does not keep the gateway running.
    this.#server.unref();
    return address;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((done) => this.#server.close(done));
    this.#server.closeAllConnections();
    await closed;
  }
}

async function removeStale(state: string): Promise<void> {
  const addresses = await adminAddresses(state);
  await Promise.all(
    addresses.map(async (address) => {
      if (!(await isListening(address))) await remove(address);
    }),
  );
}

async function remove(address: string): Promise<void> {
  if (process.platform !== 'win32') await rm(address, { force: true });
}
