/** Adds Callsign to a client's file and removes it. The original is kept beside the file. */

import { lstatSync, rmSync } from 'node:fs';

import { FileFailure } from '../files/file-failure.js';
import { readText, readWholeText, replaceText } from '../files/text-file.js';
import {
  entryIn,
  installedText,
  movedOut,
  originalText,
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
}

/** The path of the backup of a file. */
export function backupOf(file: string): string {
  return `${file}.callsign-backup`;
}

/**
 * Plans an installation. Writes nothing. `moved`: paths of entries to remove, because Callsign
 * serves those servers.
 */
export function planInstall(
  installation: Installation,
  moved: readonly (readonly string[])[] = [],
): InstallPlan {
  const { file } = installation;
  const whole = readWholeText(file);
  const before = whole?.replace(/^\uFEFF/, '');
  const backup = readBackup(file);
  const isThere = entryIn(installation, before ?? '') !== undefined;
  if (before === undefined || !isThere) {
    const after = installedText(installation, before ?? '', moved);
    return { installation, before, after, original: whole, isChanged: true };
  }
  if (moved.length === 0 && installedText(installation, before) === before) {
    return { installation, before, after: before, original: backup, isChanged: false };
  }
  // Entries that were moved out earlier stay out.
  const earlier = movedOut(installation, before, backup?.replace(/^\uFEFF/, ''));
  const found = originalText(installation, before, backup);
  const original = found ? found.text : whole;
  const bare = original?.replace(/^\uFEFF/, '') ?? '';
  const gone = [...earlier.map(({ path }) => path), ...moved];
  const after = installedText(installation, bare, gone);
  return { installation, before, after, original, isChanged: after !== before };
}

/** Applies a plan. The backup is written first, so that the original is never lost. */
export function install({ installation, after, original, isChanged }: InstallPlan): void {
  if (!isChanged) return;
  const { file } = installation;
  if (original !== undefined) replaceText(checkedBackup(file), original);
  replaceText(file, after);
}

/**
 * `absent`: Callsign was not in the file. `restored`: the file is the backup again. `removed`: only
 * our entry was taken out.
 */
export type Uninstalled = 'absent' | 'restored' | 'removed';

/**
 * Restores the backup if nothing else has changed since then. Otherwise it removes our entry and
 * puts back the entries that were moved out.
 */
export function uninstall(installation: Installation): Uninstalled {
  const { file } = installation;
  const current = readText(file);
  const original =
    current === undefined ? undefined : originalText(installation, current, readBackup(file));
  if (!original) return 'absent';
  if (original.text === undefined) rmSync(file);
  else replaceText(file, original.text);
  if (!original.isExact) return 'removed';
  rmSync(backupOf(file), { force: true });
  return 'restored';
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
