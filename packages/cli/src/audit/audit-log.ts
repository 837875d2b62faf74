/** Opens the records for a command, and reads the flags that filter them. */

import { resolve } from 'node:path';

import {
  type AuditFilter,
  AuditReader,
  DECISION_WORDS,
  defaultAuditFolder,
  FilterError,
  filterFrom,
  type FilterWords,
  SEVERITIES,
  sqliteStores,
  SqlTrouble,
} from '@callsign/audit/query';
import { homeIn } from '@callsign/config';
import { RISKS } from '@callsign/effects';
import {
  type GatewayConfig,
  loadRecordSettings,
  loadStores,
  readSecrets,
  type Settings,
} from '@callsign/gateway/host';
import type { StorageSettings } from '@callsign/instances';
import type { Command } from 'commander';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import { requireConsent } from '../config-file/config-consent.js';
import { configFailure } from '../config-file/config-text.js';
import { requireStorage } from '../config-file/shared-storage.js';

export interface LogOptions {
  readonly config?: string;
  readonly folder?: string;
}

export type FilterOptions = FilterWords;

export interface OpenLog {
  /** Where the records are, for people: a folder, or the database. */
  readonly folder: string;
  /** Whether all gateways of this user write there, unless their configuration names a folder. */
  readonly isShared: boolean;
  readonly reader: AuditReader;
}

export function describeLog(line: Command): Command {
  return line.option('--folder <folder>', 'the journals, instead of those of the configuration');
}

export function describeFilter(line: Command): Command {
  return line
    .option('--since <time>', 'a date such as 2026-11-15, or 30m, 2h or 7d ago')
    .option('--until <time>', 'the same, for the end')
    .option('--server <key>', 'only tools of this server')
    .option('--tool <glob>', 'tools such as "github:*"')
    .option('--risk <risk>', RISKS.join(', '))
    .option('--severity <severity>', `at least ${SEVERITIES.join(', ')}`)
    .option(
      '--outcome <outcome>',
      'how it ended: ok, dry-run, tool-error, server-error, unknown, or one of our error codes',
    )
    .option('--caller <name>', 'key:NAME for an API key, sub:SUBJECT for a token')
    .option('--client <name>', 'the program that called')
    .option('--decision <decision>', DECISION_WORDS.join(', '))
    .option('--account <name>', 'whose account at the server was used, such as key:ann')
    .option('--script <id>', 'the calls of one script, and the call that ran it')
    .option('--text <text>', 'text in the tool, the rule or the recorded arguments');
}

/** Fails if there are no records, unless `waits`: the command waits for new ones. */
export async function openLog(
  context: Context,
  options: LogOptions,
  waits = false,
): Promise<OpenLog> {
  const place = await placeOf(context, options);
  const reader = new AuditReader({ ...place, addsLocal: true, say: context.say });
  const folder = place.source ? 'the shared database' : place.folder;
  const isShared = !place.source && place.folder === defaultAuditFolder(homeIn(context.env));
  const log = { folder, isShared, reader };
  if (waits || (await asking(log, () => reader.hasRecords(), false))) return log;
  await reader.close();
  const message = `There are no records in ${folder}. They begin with the first call; --folder names another place.`;
  throw new Failure({ exit: EXIT.usage, code: 'no-audit-log', message });
}

/** Says that the records are not only those of the configuration that was named. */
export function sayWhose({ origin, say }: Context, { folder, isShared }: OpenLog): void {
  if (origin !== 'flag' || !isShared) return;
  say(
    `These are the calls of all your gateways, which share ${folder}. ` +
      'To give a configuration a folder of its own, set "audit.folder".',
  );
}

/** Runs a query. Its errors become failures. `isLast`: closes the reader afterwards. */
export async function asking<T>(
  { folder, reader }: Pick<OpenLog, 'folder' | 'reader'>,
  ask: () => Promise<T>,
  isLast = true,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof SqlTrouble) throw usageFailure(`The SQL was not run: ${error.message}.`);
    const message = `The records in ${folder} cannot be read: ${(error as Error).message}.`;
    throw new Failure({ exit: EXIT.usage, code: 'cannot-read', message });
  } finally {
    if (isLast) await reader.close();
  }
}

type Place = ConstructorParameters<typeof AuditReader>[0];

/** Records can be read without a configuration, unless one was named. */
async function placeOf(context: Context, options: LogOptions): Promise<Place> {
  const { file, env, cwd } = context;
  if (options.folder !== undefined) return sqliteIn(resolve(cwd, options.folder));
  const loaded = await loadRecordSettings(file);
  const usual = defaultAuditFolder(homeIn(env));
  if (loaded.ok) {
    const { audit, storage } = loaded.settings;
    const isPlain = audit.store === sqliteStores.name && storage === undefined;
    return isPlain ? sqliteIn(audit.folder ?? usual) : acceptedPlace(context, usual);
  }
  const isMissing = loaded.problems.some(({ code }) => code === 'file-not-found');
  if (options.config !== undefined || !isMissing) throw configFailure(file, loaded.problems);
  return sqliteIn(usual);
}

/** A store is code that runs here, and storage gets secrets. A person must have accepted both. */
async function acceptedPlace(context: Context, usual: string): Promise<Place> {
  const { file } = context;
  const loaded = await loadRecordSettings(file, await requireConsent(context));
  if (!loaded.ok) throw configFailure(file, loaded.problems);
  const { audit, storage } = loaded.settings;
  const folder = audit.folder ?? usual;
  if (audit.store !== sqliteStores.name) {
    return { folder, store: await ownStore(file, loaded.settings, folder) };
  }
  if (!storage) return sqliteIn(folder);
  const secrets = await readSecrets(storage, file, context.env);
  return await sharedIn(context, storage, secrets, folder);
}

/** The records of all instances. */
async function sharedIn(
  context: Context,
  settings: StorageSettings,
  secrets: GatewayConfig['secrets'],
  folder: string,
): Promise<Place> {
  const { calls, journals, close } = await requireStorage(context, settings, secrets);
  return { folder, store: calls, source: { ...journals, close } };
}

function sqliteIn(folder: string): Place {
  return { folder, store: sqliteStores.open({ folder, settings: undefined }) };
}

async function ownStore(
  file: string,
  settings: Pick<Settings, 'audit' | 'stores'>,
  folder: string,
): Promise<Place['store']> {
  const name = settings.audit.store;
  const loaded = await loadStores({ file, settings });
  if (!loaded.ok) throw configFailure(file, loaded.problems);
  const chosen = loaded.stores.find(({ module }) => module.name === name);
  if (chosen) return chosen.module.open({ folder, settings: chosen.settings });
  const message = `There is no store "${name}" in the configuration.`;
  throw new Failure({ exit: EXIT.config, code: 'unknown-store', message });
}

export function filterOf(options: FilterOptions): AuditFilter {
  try {
    return filterFrom(options, '--');
  } catch (error) {
    if (error instanceof FilterError) throw usageFailure(error.message);
    throw error;
  }
}
