/**
 * Computes the text of a client's file with Callsign in it, and the text from before. It writes
 * nothing.
 */

import { isDeepStrictEqual } from 'node:util';

import {
  isRecord,
  withListed,
  withoutListed,
  withoutValue,
  withValue,
  type WrittenEntry,
} from '@callsign/config';
import { withoutBom } from '@callsign/core';

import type { ClientApp } from '../apps/client-app.js';
import { clientDocument, serversInDocument } from '../files/client-document.js';
import { FileFailure } from '../files/file-failure.js';
import { inlineSectionLine, withoutTomlEntry, withTomlEntry } from '../files/toml-entry.js';

/** Which entry belongs in which file. */
export interface Installation {
  readonly app: ClientApp;
  readonly file: string;
  /** Our key in the client's file. */
  readonly key: string;
  readonly entry: WrittenEntry;
}

/** The keys that lead to an entry in the document. */
export type EntryPath = readonly string[];

/**
 * The text with our entry and without the entries to move out. Unchanged if our entry is already
 * the same.
 */
export function installedText(
  installation: Installation,
  before: string,
  moved: readonly EntryPath[] = [],
): string {
  const { app, file, key, entry } = installation;
  const rest = moved.reduce((text, path) => withoutEntry(app, file, text, path), before);
  const isThere = isDeepStrictEqual(plain(entryIn(installation, rest)), plain(entry));
  const text = isThere ? rest : withEntry(app, file, rest, [app.section, key], entry);
  // Otherwise the client would not start Callsign.
  return app.format === 'json' ? withListed(text, key) : text;
}

/** What is known of the file before the installation. */
export interface BeforeInstall {
  /** The text of the backup. Missing if there was no file. */
  readonly backup: string | undefined;
  /** The entries that were moved out. If they are not known: all that the file no longer has. */
  readonly moved: readonly EntryPath[] | undefined;
}

/** The file as it was before Callsign was added. */
export interface Original {
  /** `undefined`: there was no file. */
  readonly text: string | undefined;
  /** True for exactly the backup, false for the current text with our changes undone. */
  readonly isExact: boolean;
  /** Keys of the entries that were put back into the current text. */
  readonly back: readonly string[];
}

/**
 * Undoes the installation. If the file has changed since then, our entry is taken out and the
 * entries that were moved out are put back. `undefined`: our entry is not in the file.
 */
export function originalText(
  installation: Installation,
  current: string,
  before: BeforeInstall,
): Original | undefined {
  const { app, file, key } = installation;
  const entry = entryIn(installation, current);
  if (!isRecord(entry)) return undefined;
  const own = { ...installation, entry };
  const old = withoutBom(before.backup ?? '');
  const moved = movedOut(installation, current, before);
  const paths = moved.map(({ path }) => path);
  if (installedText(own, old, paths) === current)
    return { text: before.backup, isExact: true, back: [] };
  const left = withoutEntry(app, file, current, [app.section, key]);
  const without = app.format === 'json' ? withoutListed(left, key) : left;
  const text = moved.reduce(
    (now, each) => withEntry(app, file, now, each.path, each.entry),
    without,
  );
  return { text, isExact: false, back: paths.map((path) => path.at(-1)!) };
}

/** The entries of the backup that were moved out. An entry that is back in the file is not one. */
export function movedOut(
  { app, file, key }: Installation,
  current: string,
  { backup, moved }: BeforeInstall,
): { readonly path: EntryPath; readonly entry: WrittenEntry }[] {
  if (backup === undefined) return [];
  const serversOf = (text: string) => serversInDocument(documentOf(app, file, text), [app.section]);
  const here = new Set(serversOf(current).map(({ path }) => path.join('\n')));
  const own = [app.section, key].join('\n');
  const recorded = moved && new Set(moved.map((path) => path.join('\n')));
  return serversOf(withoutBom(backup)).filter(({ path }) => {
    const id = path.join('\n');
    return id !== own && !here.has(id) && recorded?.has(id) !== false;
  });
}

/** Our entry as the file has it. */
export function entryIn({ app, file, key }: Installation, text: string): unknown {
  const block = documentOf(app, file, text)[app.section];
  return isRecord(block) && Object.hasOwn(block, key) ? block[key] : undefined;
}

function withEntry(
  app: ClientApp,
  file: string,
  text: string,
  path: EntryPath,
  entry: WrittenEntry,
): string {
  // Throws if the file is broken, before anything is changed.
  documentOf(app, file, text);
  if (app.format === 'json') return withValue(text, path, entry);
  return withTomlEntry(text, app.section, path.at(-1)!, entry) ?? refuse(app, file, text);
}

function withoutEntry(app: ClientApp, file: string, text: string, path: EntryPath): string {
  if (app.format === 'json') return withoutValue(text, path);
  return withoutTomlEntry(text, app.section, path.at(-1)!) ?? refuse(app, file, text);
}

function documentOf({ format }: ClientApp, file: string, text: string): WrittenEntry {
  return clientDocument(text, format, file);
}

/** Throws a `FileFailure` that says what to change by hand. */
function refuse({ section }: ClientApp, file: string, text: string): never {
  const line = inlineSectionLine(text, section);
  const message =
    line === undefined
      ? `${file} has a layout that Callsign cannot change safely. Edit it by hand.`
      : `${file} has all of "${section}" in one inline table, on line ${line}, which Callsign cannot ` +
        `change safely. Write each server as a table, such as [${section}.NAME], and try again.`;
  throw new FileFailure('client-file-unsafe', message);
}

/** Makes values of a parser comparable, by dropping their prototypes. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Our entry in the format of the file, for people who paste it themselves. */
export function installedFragment({ app, key, entry }: Installation): string {
  if (app.format === 'json') return JSON.stringify({ [app.section]: { [key]: entry } }, null, 2);
  return (withTomlEntry('', app.section, key, entry) ?? '').trimEnd();
}
