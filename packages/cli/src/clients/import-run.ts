/** Bringing servers of clients into the configuration: found, shown, chosen, written. Starts nothing. */

import { existsSync } from 'node:fs';

import type { Context } from '../command/command.js';
import { entriesIn, readText, saveText, withServer } from '../config-file/config-text.js';
import {
  shownAddress,
  shownEntry,
  withValue,
  CLIENT_APPS,
  placeHere,
  type ClientApp,
} from '@callsign/config';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import { counted, askSome } from '@callsign/terminal';
import { VERSION } from '../command/version.js';
import { readAnyFile, readClientFile } from './client-server.js';
import type { ClientServer } from '@callsign/config';
import { planImport, type PlannedServer } from './import-plan.js';

export interface ImportOptions {
  readonly dryRun: boolean;
  /** Whether to ask which ones. */
  readonly select: boolean;
}

const SCHEMA = `https://unpkg.com/@callsign/gateway@${VERSION}/schema/callsign.schema.json`;

/** The files of clients that are there. */
export function clientFiles(
  context: Context,
  apps: readonly ClientApp[] = CLIENT_APPS,
): { readonly app: ClientApp; readonly file: string }[] {
  const place = placeHere(context.env);
  return apps
    .flatMap((app) => app.files(place).map((file) => ({ app, file })))
    .filter(({ file }) => existsSync(file));
}

/** The servers of one client or file, or of every client that is found. */
export function clientServers(context: Context, source: string | undefined): ClientServer[] {
  const place = placeHere(context.env);
  const app = CLIENT_APPS.find(({ id }) => id === source);
  if (source !== undefined && !app) return readAnyFile(source);
  const read = ({ app: each, file }: { app: ClientApp; file: string }): ClientServer[] => {
    try {
      return readClientFile(each, file, place);
    } catch (error) {
      // One client's broken file is no reason to leave out the others.
      if (!(error instanceof Failure) || app) throw error;
      context.stderr.log('warning', error.message);
      return [];
    }
  };
  return clientFiles(context, app ? [app] : CLIENT_APPS).flatMap(read);
}

export async function importServers(
  context: Context,
  servers: readonly ClientServer[],
  { dryRun, select }: ImportOptions,
): Promise<number> {
  const { file, json, out, say, isInteractive } = context;
  const before = readText(file);
  const existing = new Map(entriesIn(before ?? '', file).map(({ key, entry }) => [key, entry]));
  const plan = planImport(servers, existing);
  const coming = plan.filter(({ skipped }) => skipped === undefined);
  if (!json) show(context, plan);
  if (select && !isInteractive) throw usageFailure('--select needs a terminal.');
  const keys = coming.map(({ key }) => key);
  const isAsked = select && !dryRun && keys.length > 0;
  const chosen = new Set(isAsked ? await askSome('Which ones?', keys) : keys);
  const added = coming.filter(({ key }) => chosen.has(key));
  if (!dryRun && (added.length > 0 || before === undefined)) {
    saveText(context, before, withServers(before ?? newDocument(), file, added));
  }
  if (json) out.json({ file, dryRun, servers: plan.map((each) => asJson(each, chosen)) });
  else if (dryRun)
    say(`Nothing was written. ${counted(added.length, 'server')} would go into ${file}.`);
  else say(`${counted(added.length, 'server')} added to ${file}.`);
  return EXIT.ok;
}

function newDocument(): string {
  return withValue(withValue('', ['$schema'], SCHEMA), ['mcpServers'], {});
}

function withServers(text: string, file: string, added: readonly PlannedServer[]): string {
  return added.reduce((now, { key, entry }) => withServer(now, file, key, entry ?? {}), text);
}

function show({ out }: Context, plan: readonly PlannedServer[]): void {
  if (plan.length === 0) return;
  out.table(plan, [
    {
      title: 'SERVER',
      text: ({ key }) => key,
      tint: ({ skipped }) => (skipped ? 'aside' : 'name'),
    },
    { title: 'FROM', text: ({ server }) => server.client },
    { title: 'RUNS', text: ({ server, entry }) => shownAddress(entry ?? server.entry) },
    {
      title: 'NOTE',
      text: ({ skipped, notes }) =>
        skipped === undefined ? notes.join('; ') : `left out: ${skipped}`,
    },
  ]);
}

function asJson(
  { key, server, entry, notes, skipped }: PlannedServer,
  chosen: ReadonlySet<string>,
) {
  const { client, file } = server;
  const added = skipped === undefined && chosen.has(key);
  const shown = shownEntry(entry ?? server.entry);
  return {
    key,
    client,
    file,
    added,
    ...(skipped === undefined ? { notes } : { skipped }),
    entry: shown,
  };
}
