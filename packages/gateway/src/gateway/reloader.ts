/** Reloads a running gateway when its file changes. A file with problems changes nothing. */

import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';

import {
  formatProblems,
  readPlainFile,
  watchConfig,
  type ConfigWatch,
  type Problem,
} from '@callsign/config';
import { loadWithModules } from './create-gateway.js';
import type { Gateway } from './gateway.js';
import type { Log, Unsubscribe } from '@callsign/core';

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
  readonly #forget: Unsubscribe;
  #status: ConfigStatus = { ok: true };
  /** How the file looked when it was last read. */
  #seen = '';
  /** What was last said to be wrong with it. A file may change several times and stay wrong in the same way. */
  #said: string | undefined;
  /** The file is being read because of the variables of a client. */
  #reading: Promise<void>;

  constructor(gateway: Gateway, log: Log, options: ReloadOptions = {}) {
    this.#options = options;
    this.#gateway = gateway;
    this.#log = log;
    this.#watch = watchConfig(gateway.config.file, () => this.#reload());
    this.#forget = gateway.clients.onChange(({ isOther }) => {
      // A client has brought a variable, or taken it away.
      if (isOther) this.#reading = this.#watch.look();
    });
    // The file may have changed since it was read.
    this.#reading = this.#watch.look();
  }

  get status(): ConfigStatus {
    return this.#status;
  }

  /** Resolves when the variables of all clients so far were applied. */
  whenRead(): Promise<void> {
    return this.#reading;
  }

  /** Why the file cannot be used as it is now, in one line; `undefined` if it is in use. */
  get problem(): string | undefined {
    if (this.#status.ok) return undefined;
    const [first] = this.#status.problems;
    if (!first) return 'it cannot be used; the log of the instance says why';
    const { line, path, message } = first;
    return `${line === 0 ? '' : `line ${line}: `}${path === '' ? 'it' : path} ${message}`;
  }

  /**
   * Reads the file now. Resolves when it was applied or refused. Servers that were given up start again, changed or not:
   * what they lacked may be there now.
   */
  async look(): Promise<void> {
    await this.#look();
    if (this.#status.ok) this.#gateway.servers.startFailed();
  }

  /** Reads the file if it looks different from when it was last read. */
  async lookIfChanged(): Promise<void> {
    if ((await this.#looks()) !== this.#seen) await this.#look();
  }

  close(): void {
    this.#forget();
    this.#watch.close();
  }

  #look(): Promise<void> {
    // Someone asks, and gets an answer.
    this.#said = undefined;
    return this.#watch.look();
  }

  async #reload(): Promise<void> {
    const seen = await this.#looks();
    try {
      await this.#readAgain();
    } catch (error) {
      // For example, the schema of a module may throw.
      this.#status = { ok: false, problems: [] };
      const reason = error instanceof Error ? error.message : String(error);
      this.#complain([`${reason}\nThe previous configuration stays in use.`]);
    }
    this.#seen = seen;
  }

  async #readAgain(): Promise<void> {
    const before = this.#gateway.config;
    const { isLenient = false, refusal } = this.#options;
    const bytes = await readPlainFile(before.file).catch(() => undefined);
    const refused = refusal?.(bytes);
    if (refused !== undefined) {
      this.#status = { ok: false, problems: [] };
      this.#gateway.reloaded(false);
      return this.#complain([`${refused}\nThe previous configuration stays in use.`]);
    }
    const loaded = await loadWithModules(before.file, {
      env: this.#gateway.clients.env,
      isLenient,
      bytes,
    });
    if (!loaded.ok) {
      this.#status = { ok: false, problems: loaded.problems };
      this.#gateway.reloaded(false);
      return this.#complain([
        'The configuration has problems; the previous one stays in use.',
        ...loaded.problems.map((problem) => formatProblems([problem])),
      ]);
    }
    const wasBroken = !this.#status.ok;
    this.#status = { ok: true };
    this.#said = undefined;
    this.#gateway.reloaded(true);
    if (wasBroken) this.#options.onRepair?.();
    const { config, warnings } = loaded;
    // A file that is saved unchanged must not disturb clients.
    if (isDeepStrictEqual(config, before)) {
      return this.#log('debug', 'The configuration has not changed.');
    }
    for (const warning of warnings) this.#log('warning', formatProblems([warning]));
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

  #complain(lines: readonly string[]): void {
    const said = lines.join('\n');
    if (said === this.#said) return;
    this.#said = said;
    for (const line of lines) this.#log('error', line);
  }
}
