/** A folder of generated files. Hashes show which of them people have changed. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isRecord, makeFolder } from '@callsign/config';

import { replaceText } from '../clients/files/text-file.js';

/** The name of the file that lists what was generated last, by path and hash. */
const RECORD = '.callsign-generated.json';

export interface PlannedFile {
  readonly path: string;
  readonly text: string;
  /** `kept`: a person has written or changed it. */
  readonly change: 'new' | 'same' | 'updated' | 'kept';
}

export function planFiles(folder: string, files: ReadonlyMap<string, string>): PlannedFile[] {
  const record = readRecord(folder);
  return Array.from(files, ([path, text]) => {
    const there = textOf(join(folder, path));
    return { path, text, change: changeOf(there, text, record.get(path)) };
  });
}

/** Writes all files and their hashes, over changes of people too. The caller asks first. */
export function writeFiles(folder: string, planned: readonly PlannedFile[]): void {
  for (const { path, text, change } of planned) {
    if (change !== 'same') replaceOrdinary(join(folder, path), text);
  }
  const hashes = planned.map(({ path, text }) => [path, hashOf(text)] as const);
  const record = { version: 1, files: Object.fromEntries(hashes) };
  replaceOrdinary(join(folder, RECORD), `${JSON.stringify(record, null, 2)}\n`);
}

/** A package is for others too: new files and folders have the usual permissions. */
function replaceOrdinary(file: string, text: string): void {
  const isNew = !existsSync(file);
  makeOrdinaryFolder(dirname(file));
  replaceText(file, text, isNew ? { mode: 0o666 & ~process.umask() } : {});
}

function makeOrdinaryFolder(folder: string): void {
  try {
    makeFolder(folder, 0o777);
  } catch {
    // The file cannot be written either, and that error says why.
  }
}

function changeOf(there: string | undefined, text: string, ours: unknown): PlannedFile['change'] {
  if (there === undefined) return 'new';
  if (there === text) return 'same';
  return hashOf(there) === ours ? 'updated' : 'kept';
}

/** A record that cannot be read counts as empty. */
function readRecord(folder: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, RECORD), 'utf8'));
    const files = isRecord(value) ? value['files'] : undefined;
    return new Map(isRecord(files) ? Object.entries(files) : []);
  } catch {
    return new Map();
  }
}

/** A file that cannot be read counts as changed by a person, so it is kept. */
function textOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
