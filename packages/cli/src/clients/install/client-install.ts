/** Adds Callsign to a client's file and removes it. The original is kept beside the file. */

import { lstatSync, rmSync } from 'node:fs';

import { readJson } from '@callsign/config';
import { withoutBom } from '@callsign/core';

import { FileFailure } from '../files/file-failure.js';
import { readText, readWholeText, replaceText, whileChanging } from '../files/text-file.js';
import {
  entryIn,
  installedText,
  movedOut,
  originalText,
  type EntryPath,
  type Installation,
} from './install-text.js';

/** What an installation will change. It is shown before it is applied. */
export interface InstallPlan {
  readonly installation: Installation;
  /** The text of the file now, and the text to write. */
  readonly before: string | undefined;
  readonly after: string;
  /**
   * The text for the backup: the file as it was without Callsign. `undefined`: there was no file.
   */
  readonly original: string | undefined;
  readonly isChanged: boolean;
  /** Whether the file has Callsign already. */
  readonly isThere: boolean;
  /** The paths of entries that this plan moves out. */
  readonly moving: readonly EntryPath[];
  /** The paths of all entries that will have been moved out, by this plan and by earlier ones. */
  readonly gone: readonly EntryPath[];
}

/** The path of the backup of a file. */
export function backupOf(file: string): string {
  return `${file}.callsign-backup`;
}

/**
 * The paths of a backup that a later one replaced, in turn: `….2`, `….3`. It may be the only copy
 * of what the user wrote.
 */
function olderBackupOf(file: string, number: number): string {
  return `${backupOf(file)}.${number}`;
}

/** The path of the list of entries that were moved out of a file. */
function recordOf(file: string): string {
  return `${file}.callsign-moved`;
}

/**
 * Plans an installation. Writes nothing. `moving`: paths of entries to remove, because Callsign
 * serves those servers.
 */
export function planInstall(
  installation: Installation,
  moving: readonly EntryPath[] = [],
): InstallPlan {
  const { file } = installation;
  const whole = readWholeText(file);
  const before = whole === undefined ? undefined : withoutBom(whole);
  const backup = readBackup(file);
  const isThere = entryIn(installation, before ?? '') !== undefined;
  if (before === undefined || !isThere) {
    const after = installedText(installation, before ?? '', moving);
    const plan = { installation, before, after, original: whole, moving, isThere };
    return { ...plan, isChanged: true, gone: moving };
  }
  const saved = { backup, moved: readRecord(file) };
  // Entries that were moved out earlier stay out.
  const earlier = movedOut(installation, before, saved);
  const gone = [...earlier.map(({ path }) => path), ...moving];
  const plan = { installation, before, moving, gone, isThere };
  if (moving.length === 0 && installedText(installation, before) === before) {
    return { ...plan, after: before, original: backup, isChanged: false };
  }
  const found = originalText(installation, before, saved);
  const original = found ? found.text : whole;
  const bare = withoutBom(original ?? '');
  const after = installedText(installation, bare, gone);
  return { ...plan, after, original, isChanged: after !== before };
}

/**
 * Applies a plan to the file as it is now: it may have changed since the plan was shown. The backup
 * is written first, so that the original is never lost. Returns where an older backup with another
 * text is kept, if there was one.
 */
export function install(plan: InstallPlan): Promise<string | undefined> {
  const { file } = plan.installation;
  return whileChanging(file, () => {
    const { after, original, isChanged, gone } = planInstall(plan.installation, plan.moving);
    if (!isChanged) return undefined;
    const older = original === undefined ? undefined : keepOlderBackup(file, original);
    if (original !== undefined) replaceText(checkedBackup(file), original);
    replaceText(recordOf(file), `${JSON.stringify(gone)}\n`);
    replaceText(file, after);
    return older;
  });
}

/** Copies the backup to the next free number, unless the new one has the same text. */
function keepOlderBackup(file: string, original: string): string | undefined {
  const backup = readBackup(file);
  if (backup === undefined || backup === original) return undefined;
  let number = 2;
  const pathNow = (): string => olderBackupOf(file, number);
  while (lstatSync(pathNow(), { throwIfNoEntry: false })) number += 1;
  replaceText(pathNow(), backup);
  return pathNow();
}

export interface Uninstalled {
  /**
   * `absent`: Callsign was not in the file. `restored`: the file is the backup again. `removed`:
   * our entry was taken out of a file that has changed since.
   */
  readonly done: 'absent' | 'restored' | 'removed';
  /** Keys of the servers that were put back into a changed file. */
  readonly back: readonly string[];
  /** The path of the backup, if there still is one. */
  readonly backup?: string;
}

export const NOT_INSTALLED: Uninstalled = { done: 'absent', back: [] };

/**
 * Restores the backup if nothing else has changed since then. Otherwise it removes our entry and
 * puts back the entries that were moved out.
 */
export function uninstall(installation: Installation): Promise<Uninstalled> {
  const { file } = installation;
  return whileChanging(file, () => {
    const current = readText(file);
    const saved = { backup: readBackup(file), moved: readRecord(file) };
    const original = current === undefined ? undefined : originalText(installation, current, saved);
    if (!original) return NOT_INSTALLED;
    if (original.text === undefined) rmSync(file);
    else replaceText(file, original.text);
    rmSync(recordOf(file), { force: true });
    if (!original.isExact) {
      const backup = saved.backup === undefined ? {} : { backup: backupOf(file) };
      return { done: 'removed', back: original.back, ...backup };
    }
    rmSync(backupOf(file), { force: true });
    return { done: 'restored', back: [] };
  });
}

/** `undefined`: there is no list, because an earlier version wrote the backup. */
function readRecord(file: string): readonly EntryPath[] | undefined {
  const list = readJson(readText(recordOf(file)) ?? '');
  return Array.isArray(list) ? list.filter((path) => Array.isArray(path)) : undefined;
}

function readBackup(file: string): string | undefined {
  return readWholeText(checkedBackup(file));
}

/** The path of the backup. Throws if it is a link, which could lead to any file. */
function checkedBackup(file: string): string {
  const backup = backupOf(file);
  const found = lstatSync(backup, { throwIfNoEntry: false });
  if (!found || found.isFile()) return backup;
  const message = `${backup} is not a plain file. Callsign keeps its backup there: remove it and try again.`;
  throw new FileFailure('backup-is-link', message);
}
