/** Imports servers of clients: finds, plans, shows and writes them. Starts nothing. */

import { dirname, join } from 'node:path';

import { isRecord, shownAddress, shownEntry, withValue } from '@callsign/config';
import { configSchema } from '@callsign/gateway/host';
import { askSome, askWhether, counted, onOneLine } from '@callsign/terminal';

import { CLIENT_APPS, clientCalled, placeHere } from '../clients/apps/client-app.js';
import type { ClientServer } from '../clients/apps/client-server.js';
import type { KnownServers } from '../clients/apps/known-servers.js';
import {
  findClientFiles,
  readAnyFile,
  readClientFile,
  type FoundFile,
} from '../clients/files/client-file.js';
import { FileFailure } from '../clients/files/file-failure.js';
import { readText, replaceText } from '../clients/files/text-file.js';
import { planImport, type PlannedServer } from '../clients/import/import-plan.js';
import type { Context } from '../command/command.js';
import { userConfig } from '../command/config-path.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import type { Shell } from '../command/shell.js';
import { entryStarts, variablesOf } from '../config-file/config-starts.js';
import { documentIn, editConfig, entriesIn, withServer } from '../config-file/config-text.js';
import { importProblem } from './entry-problem.js';
import { movePlainSecrets } from './stored-secrets.js';

export interface ImportOptions {
  readonly dryRun: boolean;
  /** Asks which servers. */
  readonly select: boolean;
  /** Whether servers of the project in this folder are included: yes, no, or ask. */
  readonly project: 'take' | 'leave' | 'ask';
  /** Whether tokens in plain text go into the keychain: yes, no, or ask. */
  readonly keychain: 'move' | 'leave' | 'ask';
}

/** The servers of one client or file, or of every client that is found. */
export function clientServers(context: Context, source: string | undefined): ClientServer[] {
  const place = placeHere(context);
  const app = source === undefined ? undefined : clientCalled(source);
  if (source !== undefined && !app) return readAnyFile(source, context.cwd);
  const read = ({ app: each, file }: FoundFile): ClientServer[] => {
    try {
      return readClientFile(each, file, place);
    } catch (error) {
      // A broken file of one client does not affect the others.
      if (!(error instanceof FileFailure) || app) throw error;
      context.stderr.log('warning', error.message);
      return [];
    }
  };
  return findClientFiles(place, app ? [app] : CLIENT_APPS).flatMap(read);
}

export async function importServers(
  context: Context,
  servers: readonly ClientServer[],
  { dryRun, select, project, keychain }: ImportOptions,
): Promise<number> {
  const { file, json, out, say, isInteractive } = context;
  if (select && !isInteractive) throw usageFailure('--select needs a terminal.');
  const plan = await planServers(context, servers, dryRun && project === 'ask' ? 'leave' : project);
  const coming = plan.filter(({ skipped }) => skipped === undefined);
  if (!json) showPlan(context, plan);
  const keys = coming.map(({ key }) => key);
  const isAsked = select && !dryRun && keys.length > 0;
  const chosen = new Set(isAsked ? await askSome('Which ones?', keys) : keys);
  const added = coming.filter(({ key }) => chosen.has(key));
  if (!dryRun) {
    const moved =
      keychain === 'leave' ? added : await movePlainSecrets(context, added, keychain === 'move');
    await addServers(context, moved, plan);
  }
  if (json) out.json({ file, dryRun, servers: plan.map((each) => planJson(each, chosen)) });
  else if (dryRun) {
    say(`Nothing was written. ${counted(added.length, 'server')} would be added to ${file}.`);
  } else say(`${counted(added.length, 'server')} added to ${file}.`);
  return EXIT.ok;
}

/** The servers that would be added, and why the others would not. */
export async function planServers(
  { file, env }: Context,
  servers: readonly ClientServer[],
  project: ImportOptions['project'],
): Promise<PlannedServer[]> {
  const known = knownServers(readText(file) ?? '', file, env);
  const ofProject = servers.filter(isOfProject);
  const isTaken =
    project === 'take' ||
    (project === 'ask' && ofProject.length > 0 && (await askAbout(ofProject)));
  const taken = servers.filter((server) => isTaken || !isOfProject(server));
  const left = isTaken ? [] : ofProject;
  return [
    ...planImport(taken, { ...known, file, check: importProblem }),
    ...left.map((server) => ({ key: server.key, server, notes: [], skipped: LEFT })),
  ];
}

/** The servers of a configuration, for comparison with those of clients. */
export function knownServers(text: string, file: string, env: Context['env']): KnownServers {
  const { callsign } = documentIn(text, file);
  const renamed = isRecord(callsign) && isRecord(callsign['renamed']) ? callsign['renamed'] : {};
  return {
    existing: new Map(entriesIn(text, file).map(({ key, entry }) => [key, entry])),
    renamed: new Map(Object.entries(renamed).map(([old, key]) => [old, String(key)])),
    env,
  };
}

const LEFT = 'it comes from the project in this folder; to import it: --project';

/**
 * Such a server may have been written by anyone with access to the project, so it needs consent.
 */
function isOfProject({ workspace }: ClientServer): boolean {
  return workspace !== undefined;
}

function askAbout(servers: readonly ClientServer[]): Promise<boolean> {
  const lines = servers.flatMap(({ key, entry }) => [
    ...entryStarts(key, entry),
    ...variablesOf(key, entry).map(({ name, to }) => `${name} → ${to}`),
  ]);
  const what = counted(servers.length, 'server');
  const question = `The project in this folder has ${what} of its own. Import them?`;
  return askWhether(`${question}\n${lines.map(onOneLine).join('\n')}`, false);
}

/**
 * Adds servers of a plan to the file, which is created if it does not exist. Servers of the plan
 * that the file then has under another key can be called by both keys.
 */
export async function addServers(
  context: Context,
  added: readonly PlannedServer[],
  plan: readonly PlannedServer[],
): Promise<void> {
  const { file, env } = context;
  const withAdded = (text: string): string => withServers(text, file, added, plan);
  if (await editConfig(context, withAdded, newConfigText(file, env))) writeSchema(file, env);
}

/** The text that the file would have with the servers. Writes nothing. */
export function plannedText({ file, env }: Context, plan: readonly PlannedServer[]): string {
  const added = plan.filter(({ skipped }) => skipped === undefined);
  return withServers(readText(file) ?? newConfigText(file, env), file, added, plan);
}

function withServers(
  text: string,
  file: string,
  added: readonly PlannedServer[],
  plan: readonly PlannedServer[],
): string {
  const there = new Set(entriesIn(text, file).map(({ key }) => key));
  const taken = added.find(({ key }) => there.has(key));
  if (taken) {
    throw usageFailure(`${file} got a server "${taken.key}" meanwhile. Run the command again.`);
  }
  const whole = added.reduce(
    (now, { key, entry, settings = {} }) =>
      Object.entries(settings).reduce(
        (next, [name, value]) => withValue(next, ['callsign', 'servers', key, name], value),
        withServer(now, file, key, entry ?? {}),
      ),
    text,
  );
  const keys = new Set(entriesIn(whole, file).map(({ key }) => key));
  return plan.reduce((now, { key, otherKey }) => {
    const isCallable = otherKey === undefined || !keys.has(key) || keys.has(otherKey);
    return isCallable ? now : withValue(now, ['callsign', 'renamed', otherKey], key);
  }, whole);
}

export function showPlan({ out }: Context, plan: readonly PlannedServer[]): void {
  if (plan.length === 0) return;
  out.table(plan, [
    {
      title: 'SERVER',
      text: ({ key, server, skipped }) => (skipped === undefined ? key : server.key),
      tint: ({ skipped }) => (skipped ? 'aside' : 'name'),
    },
    {
      title: 'FROM',
      text: ({ server }) => (isOfProject(server) ? `${server.client} (project)` : server.client),
    },
    { title: 'RUNS', text: ({ server, entry }) => shownAddress(entry ?? server.entry) },
    {
      title: 'NOTE',
      text: ({ skipped, notes }) =>
        skipped === undefined ? notes.join('; ') : `left out: ${skipped}`,
    },
  ]);
}

export function planJson(
  { key, server, entry, settings = {}, notes, skipped }: PlannedServer,
  chosen: ReadonlySet<string>,
): object {
  const { client, file } = server;
  return {
    key,
    client,
    file,
    project: isOfProject(server),
    added: skipped === undefined && chosen.has(key),
    ...(skipped === undefined ? { notes } : { skipped }),
    entry: shownEntry(entry ?? server.entry),
    ...(Object.keys(settings).length > 0 ? { settings } : {}),
  };
}

const SCHEMA_NAME = 'callsign.schema.json';

/** The user's own file names a schema beside it, so that editors need no network. */
function newConfigText(file: string, env: Shell['env']): string {
  const start = file === userConfig(env) ? withValue('', ['$schema'], `./${SCHEMA_NAME}`) : '';
  return withValue(start, ['mcpServers'], {});
}

/** Writes the schema beside the user's own file, and never into a project. */
function writeSchema(file: string, env: Shell['env']): void {
  if (file !== userConfig(env)) return;
  replaceText(join(dirname(file), SCHEMA_NAME), `${JSON.stringify(configSchema(), null, 2)}\n`);
}
