/**
 * Server entries as they may be shown: possible secrets are hidden, references to variables are
 * not.
 */

import { isSecretSetting, isSecretValue, redactText, redactUrl, REDACTED } from '@callsign/secrets';

import { isRecord, summaryOf, type WrittenEntry } from './written-entry.js';

const HIDDEN = '***';
/** One variable and nothing after it. Group: a word before it. */
const REFERENCE =
  /^(?:([A-Za-z-]+) )?(?:\$\{(?:[A-Za-z]+:)?[\w.-]{1,200}(?::-[^}]*)?\}|\$[A-Z_][A-Z0-9_]*)$/;
const DEFAULT = /\$\{((?:[A-Za-z]+:)?[\w.-]{1,200}):-[^}]*\}/g;
/** Any other word before a variable may be a part of the secret. */
const SCHEMES = /^(?:api-?key|basic|bearer|bot|digest|key|token)$/i;

/**
 * A value of `env` or `headers`. Shown only if it is a variable, or a variable after a scheme such
 * as Bearer. Its default is hidden.
 */
export function shownValue(value: unknown): string {
  const text = String(value);
  const match = REFERENCE.exec(text);
  if (!match || (match[1] !== undefined && !SCHEMES.test(match[1]))) return HIDDEN;
  return text.replace(DEFAULT, `\${$1:-${HIDDEN}}`);
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

/**
 * An address without user, password, values of its query and fragment, defaults of its variables,
 * and parts of its path that look like keys.
 */
export function shownUrl(text: string): string {
  const bare = text.replace(DEFAULT, `\${$1:-${HIDDEN}}`).replace(/\/\/[^/?#]*@/, `//${HIDDEN}@`);
  const [, place = '', query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$/.exec(bare) ?? [];
  const path = place.split('/').map(shownName).join('/');
  const rest = [query === undefined ? '' : `?${shownPairs(query)}`];
  if (fragment !== undefined) rest.push(`#${shownPairs(fragment)}`);
  return path + rest.join('');
}

function shownPairs(pairs: string): string {
  const shown = pairs.split('&').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return shownName(name) + (value.length === 0 ? '' : `=${shownValue(value.join('='))}`);
  });
  return shown.join('&');
}

function shownName(name: string): string {
  return isSecretValue(name) ? HIDDEN : name;
}

/** The command line or the address, on one line. */
export function shownAddress(entry: WrittenEntry): string {
  const { command, args, url } = summaryOf(entry);
  if (url !== undefined) return shownUrl(url);
  if (command === undefined) return '';
  return [command, ...shownArgs(args)].map(quoted).join(' ');
}

/**
 * The same for a person who decides whether it may run. It hides only what has the form of a secret,
 * so that no name can hide a part of the command.
 */
export function startOf(entry: WrittenEntry): string {
  const { command, args, url } = summaryOf(entry);
  if (url !== undefined) return redactUrl(url).replaceAll(REDACTED, HIDDEN);
  return [command ?? '', ...args.map(startWord)].map(quoted).join(' ');
}

/** Each hidden word ends where a shell could begin another command. */
function startWord(arg: string): string {
  const [, name = ''] = /^([\w-]+)=[\w.~+/@:%-]*$/.exec(arg) ?? [];
  if (isSecretSetting(name)) return `${name}=${HIDDEN}`;
  return arg.replace(/[^\s"'`;|&<>(){}$\\=]+/g, (word) =>
    isSecretValue(word) ? HIDDEN : word.replace(/:\/\/[^/?#]*@/, `://${HIDDEN}@`),
  );
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
