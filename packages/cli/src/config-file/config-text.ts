/** Reads and edits the text of a configuration. */

import {
  isRecord,
  nearestWord,
  placedEntries,
  type PlacedEntry,
  type Problem,
  readJson,
  withEntry,
  type WrittenEntry,
} from '@callsign/config';
import { addedProblems, parseConfig } from '@callsign/gateway/host';

import { readBytes, readText, replaceText, whileChanging } from '../clients/files/text-file.js';
import { acceptConfig, isAccepted } from '../command/accepted-configs.js';
import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

/** All problems in one failure. A missing file has its own message and code. */
export function configFailure(file: string, problems: readonly Problem[]): Failure {
  if (problems.some(({ code }) => code === 'file-not-found')) return noConfig(file);
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const message = `The configuration has ${count}.`;
  return new Failure({ exit: EXIT.config, code: 'invalid-config', message, problems });
}

/** The text of a file that must exist. */
export function requireText(file: string): string {
  const text = readText(file);
  if (text === undefined) throw noConfig(file);
  return text;
}

/** The servers as written, in the order of the file. */
export function entriesIn(text: string, file: string): PlacedEntry[] {
  return placedEntries(documentIn(text, file));
}

/** The parsed text; empty text counts as `{}`. Throws the problems if it is no JSON object. */
export function documentIn(text: string, file: string): WrittenEntry {
  const document = text.trim() === '' ? {} : readJson(text);
  if (isRecord(document)) return document;
  const parsed = parseConfig(text, { file, env: {} });
  throw configFailure(file, parsed.ok ? [] : parsed.problems);
}

/** The server with this key. The failure lists the existing keys. */
export function requireEntry(entries: readonly PlacedEntry[], key: string): PlacedEntry {
  const found = entries.find((each) => each.key === key);
  if (found) return found;
  throw unknownServer(key, entries);
}

/** The failure for a key that no server has, with the key that was probably meant. */
export function unknownServer(
  key: string,
  servers: readonly { readonly key: string }[],
  what = 'server',
): Failure {
  const known = servers.map((each) => each.key);
  const nearest = nearestWord(key, known);
  const hint = nearest === undefined ? '' : ` Did you mean: ${nearest}?`;
  const all = known.join(', ') || 'none';
  const message = `There is no ${what} "${key}".${hint} Servers: ${all}.`;
  return new Failure({ exit: EXIT.usage, code: 'unknown-server', message });
}

/** Adds a server in the section that the file already uses, such as `servers`. */
export function withServer(text: string, file: string, key: string, entry: WrittenEntry): string {
  return withEntry(text, documentIn(text, file), key, entry);
}

/**
 * Reads the configuration, changes its text and writes it, while no other command changes it. Fails
 * if the change adds a problem. `start`: the text of a new file; unset: the file must exist. Returns
 * whether anything was written.
 */
export function editConfig(
  context: Context,
  edit: (text: string) => string,
  start?: string,
): Promise<boolean> {
  const { file, env, stderr } = context;
  return whileChanging(file, () => {
    const before = readText(file);
    if (before === undefined && start === undefined) throw noConfig(file);
    const after = edit(before ?? start ?? '');
    if (after === before) return false;
    const { broken, minor } = addedProblems(before ?? '', after, { file, env });
    if (broken.length > 0) throw configFailure(file, broken);
    writeConfig(file, after, env);
    for (const { path, message } of minor) {
      // The variable may be set where the gateway will run.
      stderr.log('warning', `${path} ${message}`.trim());
    }
    return true;
  });
}

/**
 * Writes the file. If it is new or was accepted before, the new content counts as accepted too. The
 * caller holds the lock of the file.
 */
export function writeConfig(file: string, text: string, env: Context['env']): void {
  const before = readBytes(file);
  const isOurs = before === undefined || isAccepted(file, before, env);
  const accept = (): unknown => isOurs && acceptConfig(file, Buffer.from(text), env);
  // Before the write, so that no other command sees our content before it is accepted.
  accept();
  replaceText(file, text);
  // And after it: a new file can be accepted only when it exists.
  accept();
}

/** The failure for a missing file. */
export function noConfig(file: string): Failure {
  const advice = "To create one from your clients' servers: callsign setup";
  const message = `There is no configuration at ${file}.\n${advice}`;
  return new Failure({ exit: EXIT.config, code: 'no-config', message });
}
