/** Opens the storage that all instances share. */

import { randomBytes } from 'node:crypto';

import type { AuditStore, JournalSource } from '@callsign/audit';
import type { AccountStore, CallerSignInStore, SharedApiKeys, SignInStore } from '@callsign/auth';
import type { Clock, Log } from '@callsign/core';
import type { AnswerStore, ApprovalStore, LockStore, QuotaStore } from '@callsign/governance';
import type { OwnTaskStore } from '@callsign/wire/extensions';

import type { InstanceDirectory } from '../directory/instance-directory.js';
import type { Leases } from '../leases/leases.js';
import type { News } from '../news/news.js';
import type { StorageSettings } from '../storage/storage-settings.js';
import { postgresSource } from './audit/journal-lines.js';
import { PostgresStore } from './audit/postgres-store.js';
import { PostgresApiKeys } from './auth/postgres-api-keys.js';
import { PostgresAccounts } from './auth/postgres-accounts.js';
import { PostgresCallerSignIns } from './auth/postgres-caller-sign-ins.js';
import { PostgresSignIns } from './auth/postgres-sign-ins.js';
import { connectionOptions } from './database/connection-options.js';
import { Database } from './database/database.js';
import { migrate } from './database/migrate.js';
import { PostgresDocuments, postgresLock } from './documents/postgres-documents.js';
import { postgresAnswers, postgresApprovals } from './governance/postgres-approvals.js';
import { postgresQuotas } from './governance/postgres-quotas.js';
import { postgresDirectory } from './instances/postgres-directory.js';
import { postgresLeases } from './instances/postgres-leases.js';
import { type Orders, postgresOrders, PostgresNews } from './instances/postgres-news.js';
import { postgresOwnTasks } from './tasks/postgres-own-tasks.js';

/** The stores that all instances of a gateway share, on one database. */
export interface SharedStorage {
  /** The id of this process, which is new at every start. */
  readonly instance: string;
  readonly directory: InstanceDirectory;
  readonly leases: Leases;
  readonly news: News;
  readonly calls: AuditStore;
  readonly journals: JournalSource;
  readonly store: ApprovalStore;
  readonly answers: AnswerStore;
  readonly quotas: QuotaStore;
  readonly orders: Orders;
  readonly lock: LockStore;
  readonly signIns: SignInStore;
  readonly apiKeys: SharedApiKeys;
  readonly callerSignIns: CallerSignInStore;
  /** People's own accounts at servers. */
  readonly accounts: AccountStore;
  readonly tasks: OwnTaskStore;
  close(): Promise<void>;
}

interface StorageOptions {
  /** The settings, with the values of variables in place. */
  readonly settings: StorageSettings;
  readonly clock: Clock;
  readonly log: Log;
  /** True for a command: it gets no news and deletes no old rows. */
  readonly isBrief?: boolean;
}

/** How often old rows are deleted. */
const UPKEEP_MS = 10 * 60_000;

/**
 * Rejects if the database cannot be reached, if its schema is too new, or if a sign-in
 * or an API key was encrypted with an unknown secret. Without `isBrief`, `close` must be called to end timers and
 * connections.
 */
export async function openStorage(options: StorageOptions): Promise<SharedStorage> {
  const { settings, clock, log, isBrief = false } = options;
  const { postgres, direct, schema, connections, tls, secrets } = settings;
  const connection = connectionOptions(postgres, tls);
  const database = new Database({ connection, schema, connections });
  const news = new PostgresNews({
    database,
    connection: direct === undefined ? connection : connectionOptions(direct, tls),
    clock,
  });
  const leases = postgresLeases(database);
  const documents = new PostgresDocuments({ database, news, clock });
  const signIns = new PostgresSignIns({ documents, leases, clock, secrets });
  const apiKeys = new PostgresApiKeys({ documents, secrets, schema });
  const callerSignIns = new PostgresCallerSignIns({ documents, secrets });
  const accounts = new PostgresAccounts({ documents, leases, clock, secrets });
  try {
    const steps = await migrate(database);
    if (steps > 0) log('info', `The schema "${schema}" of the database was updated.`);
    await documents.open(isBrief);
    if (!isBrief) {
      const sealed = [signIns, apiKeys, callerSignIns, accounts];
      await Promise.all(sealed.map((each) => each.check()));
    }
  } catch (error) {
    documents.close();
    await database.close();
    throw error;
  }
  if (!isBrief) await news.open();
  const upkeep = (): void => {
    cancel = clock.after(UPKEEP_MS, () => {
      // A failure is ignored: the next run tries again.
      void forgetOld(database).catch(() => {});
      upkeep();
    });
  };
  let cancel: (() => void) | undefined;
  if (!isBrief) upkeep();
  const instance = randomBytes(8).toString('hex');
  const directory = postgresDirectory(database);
  return {
    instance,
    directory,
    leases,
    news,
    calls: new PostgresStore(database),
    journals: postgresSource(database),
    store: postgresApprovals(database, news),
    answers: postgresAnswers(database),
    quotas: postgresQuotas(database),
    orders: postgresOrders(database, news),
    lock: postgresLock(documents, schema),
    signIns,
    apiKeys,
    callerSignIns,
    accounts,
    tasks: postgresOwnTasks({ database, news, directory, instance, secrets }),
    async close() {
      cancel?.();
      documents.close();
      await news.close();
      await database.close();
    },
  };
}

/** Deletes rows that no longer matter: quotas that are full again, and what has expired. */
export async function forgetOld(database: Database): Promise<void> {
  await database.query(
    `delete from ${database.name('quotas')} where refilled_at < now() - interval '10 minutes'`,
  );
  await database.query(`delete from ${database.name('answers')} where ends_at < now()`);
  await database.query(
    `delete from ${database.name('approvals')} where ends_at < now() - interval '1 hour'`,
  );
  await database.query(
    `delete from ${database.name('instances')} where seen_at < now() - interval '1 day'`,
  );
}
