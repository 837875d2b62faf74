/**
 * Changes the configuration file of a running gateway in two requests: one shows it, one saves it.
 */

import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';

import { replaceFile, utf8Text, whileEditing, type Problem } from '@callsign/config';
import { withoutBom } from '@callsign/core';
import { redactText } from '@callsign/core/secrets';

import { addedProblems } from '../../config/added-problems.js';
import type { ConfigChange, DiffLine } from '../data/admin-data.js';
import { AdminError } from '../router/admin-error.js';

export interface ChangeRequest {
  /** If false, the difference is only shown. */
  readonly save?: boolean | undefined;
  /** The `base` of the proposal that is saved. */
  readonly base?: string | undefined;
  /** Writes the file. Default: it is replaced. */
  readonly write?: WriteConfig | undefined;
}

export type WriteConfig = (file: string, text: string) => void;

type Edit = (text: string) => string;

/**
 * Applies an edit to the text of the file. Throws an `AdminError` if the result would be invalid.
 * While it saves, no command changes the file.
 */
export async function changeConfig(
  file: string,
  edit: Edit,
  request: ChangeRequest,
): Promise<ConfigChange> {
  if (request.save !== true) return changed(file, edit, request);
  if (!isWritable(file)) {
    throw new AdminError(403, `The gateway cannot write ${file}. Change the file yourself.`);
  }
  return whileEditing(file, async () => changed(file, edit, request));
}

function changed(
  file: string,
  edit: Edit,
  { save = false, base, write = replace }: ChangeRequest,
): ConfigChange {
  const text = utf8Text(readFileSync(file));
  const before = text === undefined ? undefined : withoutBom(text);
  if (before === undefined) throw new AdminError(422, `${file} is not UTF-8 text.`);
  const now = createHash('sha256').update(before).digest('base64url');
  const after = edit(before);
  const { broken } = addedProblems(before, after, { file, env: process.env });
  if (broken.length > 0) throw new AdminError(422, broken.map(sentenceOf).join('\n'));
  const canSave = isWritable(file);
  if (save) {
    if (base !== now) {
      throw new AdminError(
        409,
        'The file has changed since you saw the difference. Check it again.',
      );
    }
    write(file, after);
  }
  return { file, diff: differenceOf(before, after), base: now, isSaved: save, canSave };
}

/** The changed lines, from the first difference to the last. Secrets are hidden. */
export function differenceOf(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let [oldEnd, nowEnd] = [old.length, now.length];
  while (oldEnd > start && nowEnd > start && old[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd--;
    nowEnd--;
  }
  const lines = (all: readonly string[], end: number, sign: DiffLine['sign']): DiffLine[] =>
    all.slice(start, end).map((text, i) => ({ sign, line: start + i + 1, text: redactText(text) }));
  return [...lines(old, oldEnd, '-'), ...lines(now, nowEnd, '+')];
}

function sentenceOf({ path, message, advice }: Problem): string {
  return `${path} ${message}: ${advice}`.trim();
}

function replace(file: string, text: string): void {
  replaceFile(file, text, { throughLinks: true });
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
