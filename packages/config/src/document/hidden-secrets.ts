/**
 * Server entries as they may be shown: possible secrets are hidden, references to variables are
 * not.
 */

import {
  isSecretPart,
  isSecretSetting,
  isSecretValue,
  REDACTED,
  redactText,
  redactUrl,
} from '@callsign/core/secrets';

import { shellWord } from './shell-word.js';
import { isRecord, summaryOf, type WrittenEntry } from './written-entry.js';

const HIDDEN = '***';
/** One variable and nothing after it. Group: a word before it. */
const REFERENCE =
  /^(?:([A-Za-z-]+) )?(?:\$\{(?:[A-Za-z]+:)?[\w.-]{1,200}(?::-[^}]*)?\}|\$\{file:[^{}]{1,400}\}|\$[A-Z_][A-Z0-9_]*)$/;
const DEFAULT = /\$\{((?:[A-Za-z]+:)?[\w.-]{1,200}):-[^}]*\}/g;
/** A variable inside other text. */
const VARIABLE = /\$\{[^}]*\}|\$[A-Z_][A-Z0-9_]*/g;
/** A password right after its flag, as in `-pHunter2`. Plain words and numbers are none. */
const SHORT_PASSWORD = /^-p(?=\S*[A-Z0-9])(?!\d+$)(?!\$)\S{4,}$/;
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
    const start = secretStart(arg, args[i - 1] ?? '');
    return start === undefined
      ? shownText(arg)
      : arg.slice(0, start) + shownValue(arg.slice(start));
  });
}

/** The secrets of a command line: words that contain one, or the ends of words that are one. */
export function secretArgs(args: readonly string[]): string[] {
  return args.flatMap((arg, i) => {
    const start = secretStart(arg, args[i - 1] ?? '');
    if (start !== undefined) return [arg.slice(start)];
    return shownText(arg) === arg ? [] : [arg];
  });
}

/** Where the secret begins in a word of a command line; `undefined` if there is none. */
function secretStart(arg: string, before: string): number | undefined {
  const equals = arg.indexOf('=');
  if (equals !== -1 && isSecretSetting(arg.slice(0, equals))) return equals + 1;
  if (SHORT_PASSWORD.test(arg)) return '-p'.length;
  const isValue = before.startsWith('-') && !before.includes('=') && isSecretSetting(before);
  return isValue && !arg.startsWith('-') ? 0 : undefined;
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
  const [, origin = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/]*)?([^]*)$/i.exec(place) ?? [];
  const rest = [query === undefined ? '' : `?${shownPairs(query)}`];
  if (fragment !== undefined) rest.push(`#${shownPairs(fragment)}`);
  return origin + path.split('/').map(shownPart).join('/') + rest.join('');
}

/** A part of a path. The names of variables do not count as a part of a key. */
function shownPart(part: string): string {
  return isSecretPart(part.replace(VARIABLE, '')) ? HIDDEN : part;
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
 * What a person sees who decides whether it may run. It hides only what has the form of a secret,
 * so that no name can hide a part of the command.
 */
export function startOf(entry: WrittenEntry): string {
  const { command, args, url } = summaryOf(entry);
  if (url !== undefined) return redactUrl(url).replaceAll(REDACTED, HIDDEN);
  return [command ?? '', ...args.map(startWord)].map(quoted).join(' ');
}

/**
 * The value of a setting, for the same person. Of a setting that is named after a secret, only the names
 * of variables are shown.
 */
export function shownSetting(name: string, value: unknown): string {
  const text = String(value);
  if (isSecretSetting(name)) return shownValue(text);
  return startWord(text.replace(/:\/\/[^/?#\s]*@/g, `://${HIDDEN}@`));
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

/** Variables and patterns are shown as they are written. */
function quoted(word: string): string {
  return shellWord(word, /^[\w@%+=:,./*${}-]+$/);
}
