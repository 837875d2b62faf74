/** Credentials of sign-ins, for remote servers that have none in the configuration. */

import { credentialsFor, SignInFile } from '@callsign/auth';
import { stateFolder, watchConfig, type ConfigWatch } from '@callsign/config';
import type { Log } from '@callsign/core';
import type { HttpCredentials } from '@callsign/wire';

import type { RemoteServer, ServerConfig } from '../config/server-config.js';
import type { Settings } from '../config/settings.js';
import { OutboundFetches } from './outbound-fetches.js';

export class ServerSignIns {
  readonly #log: Log;
  readonly #network: () => Settings['network'];
  readonly #file = new SignInFile(stateFolder());
  readonly #fetches = new OutboundFetches();
  #watch: ConfigWatch | undefined;

  constructor(network: () => Settings['network'], log: Log) {
    this.#network = network;
    this.#log = log;
  }

  credentials(server: RemoteServer): HttpCredentials | undefined {
    return credentialsFor(server, {
      file: this.#file,
      fetch: this.#fetches.create(this.#network(), server.url),
      onProblem: (message) => this.#log('warning', message),
    });
  }

  /** Whose sign-in a server uses; `undefined` if there is none. */
  holder(server: ServerConfig): string | undefined {
    return server.transport === 'stdio' ? undefined : this.#file.holder(server);
  }

  /** Called when a user signs in or out. */
  onChange(listener: () => void): void {
    this.#watch = watchConfig(this.#file.path, listener);
  }

  async close(): Promise<void> {
    this.#watch?.close();
    await this.#fetches.close();
  }
}
