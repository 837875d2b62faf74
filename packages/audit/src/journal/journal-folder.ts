/** The folder of journals: the names of its files, and what is in it. */

import { randomInt } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';

import { stateFolder, type Home } from '@callsign/config';

import { isMissing } from '../record/trouble.js';

/**
 * The files of one gateway process. The name is the time of its start and its writer, so names sort
 * by time. `NAME.0001.jsonl` is the first part. `NAME.anchor` is the anchor; it is
 * `NAME.open.anchor` while the journal is written.
 */
export interface JournalFiles {
  readonly name: string;
  readonly writer: string;
  /** In their order. */
  readonly parts: readonly PartFile[];
  /** The path of the anchor. Missing if there is none. */
  readonly anchor?: string;
  /** The process that wrote it has not closed it. */
  readonly isOpen: boolean;
}

export interface PartFile {
  readonly part: number;
  readonly path: string;
}

const FILE = /^(\d{8}T\d{6}-([a-z0-9]{8}))(?:\.(\d{4,9})\.jsonl|(\.open)?\.anchor)$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const WRITER_LENGTH = 8;

/**
 * The folder of the journal if `audit.folder` is not set: `audit` in the user's state folder. It
 * may not exist yet.
 */
export function defaultAuditFolder(home?: Home): string {
  const path = (home?.platform ?? process.platform) === 'win32' ? win32 : posix;
  return path.join(stateFolder(home), 'audit');
}

/** A new name, which sorts by time, and the writer in it. */
export function newJournalName(now: Date): { readonly name: string; readonly writer: string } {
  const writer = Array.from({ length: WRITER_LENGTH }, () => LETTERS[randomInt(36)]).join('');
  const time = now.toISOString().replaceAll(/[-:]|\.\d+Z$/g, '');
  return { name: `${time}-${writer}`, writer };
}

export function partPath(folder: string, name: string, part: number): string {
  return join(folder, `${name}.${String(part).padStart(4, '0')}.jsonl`);
}

export function anchorPath(folder: string, name: string, isOpen: boolean): string {
  return join(folder, `${name}${isOpen ? '.open' : ''}.anchor`);
}

/** All journals, oldest first. None if the folder does not exist. */
export function journalsIn(folder: string): JournalFiles[] {
  const found = new Map<string, { writer: string; parts: PartFile[]; anchors: string[] }>();
  for (const file of filesIn(folder)) {
    const [, name, writer, part] = FILE.exec(file) ?? [];
    if (name === undefined) continue;
    const journal = found.get(name) ?? { writer: writer!, parts: [], anchors: [] };
    found.set(name, journal);
    if (part === undefined) journal.anchors.push(join(folder, file));
    else journal.parts.push({ part: Number(part), path: join(folder, file) });
  }
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { writer, parts, anchors }]) => {
      const closed = anchors.find((path) => !path.endsWith('.open.anchor'));
      const anchor = closed ?? anchors[0];
      return {
        name,
        writer,
        parts: parts.toSorted((a, b) => a.part - b.part),
        ...(anchor === undefined ? {} : { anchor }),
        isOpen: closed === undefined && anchor !== undefined,
      };
    });
}

/** The size in bytes; `undefined` if the file does not exist. */
export function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** The size of all journals together, in bytes. Does not block the thread that makes the calls. */
export async function journalBytes(folder: string): Promise<number> {
  const files = await readdir(folder).catch(() => []);
  let bytes = 0;
  for (const file of files) {
    if (!file.endsWith('.jsonl')) continue;
    bytes += await stat(join(folder, file)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return bytes;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
