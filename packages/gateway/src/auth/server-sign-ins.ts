/** Credentials of sign-ins, for remote servers that have none in the configuration. */

import { credentialsFor, type SignInStore } from '@callsign/auth';
import type { Log } from '@callsign/core';
import type { HttpCredentials } from '@callsign/wire';

import type { RemoteServer, ServerConfig } from '../config/server-config.js';
import type { Settings } from '../config/settings.js';
import { OutboundFetches } from './outbound-fetches.js';

export class ServerSignIns {
  readonly #log: Log;
  readonly #network: () => Settings['network'];
  readonly #store: SignInStore;
  readonly #fetches = new OutboundFetches();
  #unwatch: (() => void) | undefined;

  constructor(
    network: () => Settings['network'],
    log: Log,
    { signIns }: { readonly signIns: SignInStore },
  ) {
    this.#store = signIns;
    this.#network = network;
    this.#log = log;
  }

  /** Credentials for the requests to a server; `undefined` if it uses no sign-in. */
  credentials(server: RemoteServer): HttpCredentials | undefined {
    return credentialsFor(server, {
      store: this.#store,
      fetch: this.#fetches.create(this.#network(), server.url),
      onProblem: (message) => this.#log('warning', message),
    });
  }

  /**
   * Whose sign-in a server uses. Remembered lists are kept apart by it. `undefined`: no sign-in.
   */
  holder(server: ServerConfig): string | undefined {
    return server.transport === 'stdio' ? undefined : this.#store.holder(server);
  }

  /**
   * Calls the listener when a user signs in or out, in this process or another. One listener only.
   */
  onChange(listener: () => void): void {
    this.#unwatch = this.#store.watch(listener);
  }

  async close(): Promise<void> {
    this.#unwatch?.();
    this.#fetches.close();
  }
}
