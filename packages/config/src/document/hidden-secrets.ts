/**
 * Server entries as they may be shown: possible secrets are hidden, references to variables are
 * not.
 */

import { isSecretSetting, isSecretValue, redactText, REDACTED } from '@callsign/secrets';

import { isRecord, summaryOf, type WrittenEntry } from './written-entry.js';

const HIDDEN = '***';
const VARIABLE = /\$\{[^}]{0,200}\}|\$[A-Z_][A-Z0-9_]*/;

/**
 * A value of `env` or `headers`. Shown only if it is a variable, with at most one word before it.
 */
export function shownValue(value: unknown): string {
  const text = String(value);
  const match = VARIABLE.exec(text);
  const isReference = match !== null && /^\w* ?$/.test(text.replace(match[0], ''));
  return isReference ? text : HIDDEN;
}

/** The words of a command line without its secrets. */
export function shownArgs(args: readonly string[]): string[] {
  return args.map((arg, i) => {
    const [flag = '', ...value] = arg.split('=');
    if (value.length > 0 && isSecretSetting(flag)) {
      return `${flag}=${shownValue(value.join('='))}`;
    }
    const before = args[i - 1] ?? '';
    const isValue = before.startsWith('-') && !before.includes('=') && isSecretSetting(before);
    return isValue && !arg.startsWith('-') ? shownValue(arg) : shownText(arg);
  });
}

/** Any other text: without users and passwords in addresses, and without tokens. */
function shownText(text: string): string {
  return isSecretValue(text) ? shownValue(text) : redactText(text).replaceAll(REDACTED, HIDDEN);
}

/** An address without user, password, values of its query, and parts of its path that look like keys. */
export function shownUrl(text: string): string {
  const bare = text.replace(/\/\/[^/?#]*@/, `//${HIDDEN}@`);
  const [place = '', query] = bare.split('?', 2);
  const parts = place.split('/').map((part) => (isSecretValue(part) ? HIDDEN : part));
  const path = parts.join('/');
  if (query === undefined) return path;
  const pairs = query.split('&').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return value.length === 0 ? name : `${name}=${shownValue(value.join('='))}`;
  });
  return `${path}?${pairs.join('&')}`;
}

/** The command line or the address, on one line. */
export function shownAddress(entry: WrittenEntry): string {
  const { command, args, url } = summaryOf(entry);
  if (url !== undefined) return shownUrl(url);
  if (command === undefined) return '';
  return [command, ...shownArgs(args)].map(quoted).join(' ');
}

/** The whole entry, for people and programs. */
export function shownEntry(entry: WrittenEntry): WrittenEntry {
  return Object.fromEntries(
    Object.entries(entry).map(([field, value]) => [field, show(field, value)]),
  );
}

function show(field: string, value: unknown): unknown {
  if (isRecord(value)) {
    const isSecretive = /env|headers/i.test(field);
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([key, each]) => [key, isSecretive ? shownValue(each) : show(key, each)]),
    );
  }
  if (field === 'args' && Array.isArray(value)) return shownArgs(value.map(String));
  if (Array.isArray(value)) return value.map((each) => show(field, each));
  if (typeof value !== 'string') return value;
  if (/url$/i.test(field)) return shownUrl(value);
  return isSecretSetting(field) ? shownValue(value) : shownText(value);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./*${}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
