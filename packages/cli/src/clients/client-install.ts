/** Callsign as an entry in a client's file: put in, found, taken out; the file as it was is kept beside it. */

import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';

import { parse as parseToml } from 'smol-toml';

import { readText } from '../config-file/config-text.js';
import { readJson, withoutValue, withValue, isRecord, type WrittenEntry } from '@callsign/config';
import { replaceFile } from '../config-file/replace-file.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import type { ClientApp } from '@callsign/config';
import { withoutTomlEntry, withTomlEntry } from './toml-entry.js';

export interface Installation {
  readonly app: ClientApp;
  readonly file: string;
  /** The key under which the client knows us. */
  readonly key: string;
  readonly entry: WrittenEntry;
}

export function backupOf(file: string): string {
  return `${file}.callsign-backup`;
}

/** What installing would make of the file; the same text if we are in it already. */
export function installedText(installation: Installation, before: string): string {
  const { app, file, key, entry } = installation;
  if (app.format === 'json') {
    if (before.trim() !== '' && !isRecord(readJson(before))) throw broken(file);
    const existing = entryIn(installation, before);
    return JSON.stringify(existing) === JSON.stringify(entry)
      ? before
      : withValue(before, [app.section, key], entry);
  }
  const existing = entryIn(installation, before);
  if (JSON.stringify(existing) === JSON.stringify(entry)) return before;
  const after = withTomlEntry(before, app.section, key, entry);
  if (after === undefined) throw unsafe(file);
  return after;
}

/** Our entry as the file has it. */
export function entryIn({ app, file, key }: Installation, text: string): unknown {
  const block = documentOf(app, file, text)[app.section];
  return isRecord(block) && Object.hasOwn(block, key) ? block[key] : undefined;
}

/** Keys of the servers that the client would go on to start itself. */
export function otherServers({ app, file, key }: Installation, text: string): string[] {
  const block = documentOf(app, file, text)[app.section];
  return Object.keys(isRecord(block) ? block : {}).filter((each) => each !== key);
}

export function install(installation: Installation): { readonly isChanged: boolean } {
  const { file } = installation;
  const before = readText(file);
  const after = installedText(installation, before ?? '');
  if (after === before) return { isChanged: false };
  // An entry that is only brought up to date leaves the file from before the first one where it is.
  const isFirst = before !== undefined && entryIn(installation, before) === undefined;
  if (isFirst) copyFileSync(file, backupOf(file));
  replaceFile(file, after);
  return { isChanged: true };
}

export type Uninstalled = 'absent' | 'restored' | 'removed';

/** Puts the old file back if nothing else has changed since; else takes out the entry alone. */
export function uninstall(installation: Installation): Uninstalled {
  const { app, file, key } = installation;
  const text = readText(file);
  const entry = text === undefined ? undefined : entryIn(installation, text);
  if (text === undefined || !isRecord(entry)) return 'absent';
  const own = { ...installation, entry };
  const backup = backupOf(file);
  const old = existsSync(backup) ? readFileSync(backup, 'utf8') : undefined;
  if (old !== undefined && installedText(own, old.replace(/^\uFEFF/, '')) === text) {
    replaceFile(file, old);
    rmSync(backup);
    return 'restored';
  }
  if (old === undefined && installedText(own, '') === text) {
    rmSync(file);
    return 'restored';
  }
  const after =
    app.format === 'json'
      ? withoutValue(text, [app.section, key])
      : withoutTomlEntry(text, app.section, key);
  if (after === undefined) throw unsafe(file);
  replaceFile(file, after);
  return 'removed';
}

function documentOf(app: ClientApp, file: string, text: string): WrittenEntry {
  if (text.trim() === '') return {};
  const document = app.format === 'json' ? readJson(text) : tomlDocument(text);
  if (isRecord(document)) return document;
  throw broken(file);
}

function tomlDocument(text: string): unknown {
  try {
    return parseToml(text);
  } catch {
    return undefined;
  }
}

function broken(file: string): Failure {
  const message = `${file} cannot be read, so it was left alone. Mend it there, and try again.`;
  return new Failure({ exit: EXIT.config, code: 'client-file-broken', message });
}

function unsafe(file: string): Failure {
  const message = `${file} is written in a way that we cannot change safely. Change it by hand.`;
  return new Failure({ exit: EXIT.config, code: 'client-file-unsafe', message });
}
