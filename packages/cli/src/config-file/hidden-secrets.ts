/** Entries as they may be shown: what could be a secret is hidden, references to variables are not. */

import { isRecord, summaryOf, type WrittenEntry } from './written-entry.js';

const HIDDEN = '***';
const SECRET_WORD = /token|secret|passw|api-?_?key|auth|bearer|credential|private-?_?key|\bkey\b/i;
/** Prefixes that services give their keys, and anything long without a path or a word in it. */
const SECRET_LOOK =
  /^(?:sk|pk|rk|gh[opsu]|github_pat|xox[abpr]|glpat|AKIA|AIza|eyJ)[-_\w.]{8,}|^(?=.*\d)[A-Za-z0-9+_=-]{32,}$/;
const VARIABLE = /\$\{[^}]{0,200}\}|\$[A-Z_][A-Z0-9_]*/;

/** A value of `env` or `headers`: shown only if it is a variable, with at most a word in front. */
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
    if (value.length > 0 && SECRET_WORD.test(flag)) {
      return `${flag}=${shownValue(value.join('='))}`;
    }
    const before = args[i - 1] ?? '';
    const isValue = before.startsWith('-') && !before.includes('=') && SECRET_WORD.test(before);
    return (isValue && !arg.startsWith('-')) || SECRET_LOOK.test(arg) ? shownValue(arg) : arg;
  });
}

/** An address without user, password and the values of its query. */
export function shownUrl(text: string): string {
  const bare = text.replace(/\/\/[^/@]*@/, `//${HIDDEN}@`);
  const [path = '', query] = bare.split('?', 2);
  if (query === undefined) return path;
  const pairs = query.split('&').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return value.length === 0 ? name : `${name}=${shownValue(value.join('='))}`;
  });
  return `${path}?${pairs.join('&')}`;
}

/** The command line or the address, in one line. */
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
  return SECRET_WORD.test(field) || SECRET_LOOK.test(value) ? shownValue(value) : value;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./*${}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
