/** Reloads a running gateway when its file changes. A file with problems changes nothing. */

import { readFile, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';

import { formatProblems, watchConfig, type ConfigWatch, type Problem } from '@callsign/config';
import { loadWithModules } from './create-gateway.js';
import type { Gateway } from './gateway.js';
import type { Log } from '@callsign/core';

/** Whether the file could be applied. If not, an earlier configuration is in use. */
export type ConfigStatus =
  | { readonly ok: true }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export interface ReloadOptions {
  /** A bad entry makes one server unavailable. */
  readonly isLenient?: boolean;
  /** Why this content must not be used, such as a project file that was not accepted. */
  readonly refusal?: (bytes: Uint8Array | undefined) => string | undefined;
  /** Called when a file that could not be used is in use again, changed or not. */
  readonly onRepair?: () => void;
}

/** Watches the file from its creation until `close`. Reloads never overlap. */
export class Reloader {
  readonly #gateway: Gateway;
  readonly #log: Log;
  readonly #options: ReloadOptions;
  readonly #watch: ConfigWatch;
  #status: ConfigStatus = { ok: true };
  /** How the file looked when it was last read. */
  #seen = '';

  constructor(gateway: Gateway, log: Log, options: ReloadOptions = {}) {
    this.#options = options;
    this.#gateway = gateway;
    this.#log = log;
    this.#watch = watchConfig(gateway.config.file, () => this.#reload());
    // The file may have changed since it was read.
    void this.#watch.look();
  }

  get status(): ConfigStatus {
    return this.#status;
  }

  /** Reads the file now. Resolves when it was applied or refused. */
  look(): Promise<void> {
    return this.#watch.look();
  }

  /** The same, but only if the file looks different from when it was last read. */
  async lookIfChanged(): Promise<void> {
    if ((await this.#looks()) !== this.#seen) await this.look();
  }

  close(): void {
    this.#watch.close();
  }

  async #reload(): Promise<void> {
    const seen = await this.#looks();
    try {
      await this.#readAgain();
    } catch (error) {
      // For example, the schema of a module may throw.
      this.#status = { ok: false, problems: [] };
      const reason = error instanceof Error ? error.message : String(error);
      this.#log('error', `${reason}\nThe previous configuration stays in use.`);
    }
    this.#seen = seen;
  }

  async #readAgain(): Promise<void> {
    const before = this.#gateway.config;
    const { isLenient = false, refusal } = this.#options;
    const bytes = await readFile(before.file).catch(() => undefined);
    const refused = refusal?.(bytes);
    if (refused !== undefined) {
      this.#status = { ok: false, problems: [] };
      this.#gateway.reloaded(false);
      return this.#log('error', `${refused}\nThe previous configuration stays in use.`);
    }
    const loaded = await loadWithModules(before.file, { isLenient, bytes });
    if (!loaded.ok) {
      this.#status = { ok: false, problems: loaded.problems };
      this.#gateway.reloaded(false);
      this.#log('error', 'The configuration has problems; the previous one stays in use.');
      return this.#sayEach('error', loaded.problems);
    }
    const wasBroken = !this.#status.ok;
    this.#status = { ok: true };
    this.#gateway.reloaded(true);
    if (wasBroken) this.#options.onRepair?.();
    const { config, warnings } = loaded;
    // A file that is saved unchanged must not disturb clients.
    if (isDeepStrictEqual(config, before)) {
      return this.#log('debug', 'The configuration has not changed.');
    }
    this.#sayEach('warning', warnings);
    if (!isDeepStrictEqual(config.settings.http, before.settings.http)) {
      this.#log('warning', 'Changes to callsign.http take effect when Callsign is restarted.');
    }
    // Removed servers may end slowly. The next reload does not wait for them.
    void this.#gateway.apply(config);
    this.#log('info', 'The configuration was reloaded.');
  }

  async #looks(): Promise<string> {
    const found = await stat(this.#gateway.config.file).catch(() => undefined);
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
  }

  #sayEach(level: 'warning' | 'error', problems: readonly Problem[]): void {
    for (const problem of problems) this.#log(level, formatProblems([problem]));
  }
}
