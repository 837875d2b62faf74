/** Reads and edits the text of a configuration, and loads it for commands. */

import { readText, replaceText } from '@callsign/clients';
import { addedProblems, loadConfig, parseConfig, type GatewayConfig } from '@callsign/gateway';
import type { Problem } from '@callsign/config';

import { acceptConfig, isAccepted } from '../command/accepted-configs.js';
import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { isRecord, nearestWord, placedEntries, readJson, shownAddress } from '@callsign/config';
import { withEntry, type PlacedEntry, type WrittenEntry } from '@callsign/config';
import { onOneLine } from '@callsign/terminal';
import { requireConsent } from './config-consent.js';

/**
 * Loads the configuration for a command that starts servers: asks for consent first, prints
 * warnings.
 */
export async function requireConfig(context: Context): Promise<GatewayConfig> {
  const { file, env, stderr } = context;
  await requireConsent(context, () => startsOf(file));
  const loaded = await loadConfig(file, { env, isLenient: true });
  if (!loaded.ok) throw configFailure(file, loaded.problems);
  const { warnings } = loaded;
  for (const { file: where, line, path, message, advice } of warnings) {
    stderr.log('warning', `${where}:${line} ${path} ${message}: ${advice}`);
  }
  return loaded.config;
}

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

/** Writes a changed configuration. Fails if the change adds a problem. */
export function saveText(context: Context, before: string | undefined, after: string): void {
  const { file, env } = context;
  const { broken, minor } = addedProblems(before ?? '', after, { file, env });
  if (broken.length > 0) throw configFailure(file, broken);
  writeConfig(file, after);
  for (const { path, message } of minor) {
    // The variable may be set where the gateway will run.
    context.stderr.log('warning', `${path} ${message}`.trim());
  }
}

/** Writes the file. If it is new or was accepted before, the new content counts as accepted too. */
export function writeConfig(file: string, text: string): void {
  const isOurs = readText(file) === undefined || isAccepted(file);
  replaceText(file, text);
  if (isOurs) acceptConfig(file);
}

/** What the servers of a file start or connect to, one line each. */
export function startsOf(file: string): string[] {
  const entries = entriesIn(requireText(file), file);
  return entries.map(({ key, entry }) => onOneLine(`${key}: ${shownAddress(entry)}`));
}

function noConfig(file: string): Failure {
  const advice = 'To make one of the servers you have: callsign setup';
  const message = `There is no configuration at ${file}.\n${advice}`;
  return new Failure({ exit: EXIT.config, code: 'no-config', message });
}
