/** Opens the records of a running gateway in the store that its configuration names now. */

import type { AuditSettings } from '@callsign/audit';
import type { ThreadedRecords } from '@callsign/audit/records';

import type { Gateway } from '../../gateway/gateway.js';
import { openRecords } from '../../storage/open-records.js';
import { AdminError } from '../router/admin-error.js';

export class RecordedCalls {
  readonly #gateway: Gateway;
  #open: { readonly settings: AuditSettings; readonly records: ThreadedRecords } | undefined;

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  /** Whether calls are recorded. */
  get isOn(): boolean {
    return this.#settings.mode !== 'off';
  }

  /** Queries the records. A failure becomes a refusal with the reason. */
  async ask<T>(question: (records: ThreadedRecords) => Promise<T>): Promise<T> {
    const records = await this.open();
    try {
      return await question(records);
    } catch (error) {
      throw new AdminError(503, `The records cannot be read: ${(error as Error).message}.`);
    }
  }

  /** Throws an `AdminError` if calls are not recorded. */
  async open(): Promise<ThreadedRecords> {
    const settings = this.#settings;
    if (settings.mode === 'off') {
      throw new AdminError(409, 'Calls are not recorded here: callsign.audit.mode is "off".');
    }
    this.#gateway.audit.flush();
    if (this.#open?.settings === settings) return this.#open.records;
    await this.close();
    const { config, shared, env } = this.#gateway;
    const records = await openRecords({ config, shared: shared.records, env });
    this.#open = { settings, records };
    return records;
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.records.close();
  }

  get #settings(): AuditSettings {
    return this.#gateway.config.settings.audit;
  }
}
