/**
 * Changes one server in a TOML file as text, so that comments and layout stay. Each result is
 * parsed again, and is only used if nothing else has changed.
 */

import { isDeepStrictEqual } from 'node:util';

import { parse, stringify } from 'smol-toml';

import { isRecord, type WrittenEntry } from '@callsign/config';

import { tomlStatements, type TomlStatement } from './toml-statements.js';

/** The text with the entry at its end; `undefined` if that would change anything else. */
export function withTomlEntry(
  text: string,
  section: string,
  key: string,
  entry: WrittenEntry,
): string | undefined {
  const without = withoutTomlEntry(text, section, key);
  if (without === undefined) return undefined;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = without === '' || without.endsWith(eol + eol) ? '' : eol;
  const start = without === '' || without.endsWith(eol) ? without : without + eol;
  const table = stringify({ [section]: { [key]: entry } }).trim();
  const lines = table.split('\n').filter((line) => line !== `[${section}]`);
  const after = `${start}${gap}${lines.join(eol).trim()}${eol}`;
  return entryIs(after, section, key, entry) && sameBut(text, after, section, key)
    ? after
    : undefined;
}

/**
 * The text without the entry, whether it is written as tables, as an inline table or as dotted
 * keys; `undefined` if that would change anything else.
 */
export function withoutTomlEntry(text: string, section: string, key: string): string | undefined {
  const isOwn = ({ path }: TomlStatement): boolean => path[0] === section && path[1] === key;
  const statements = tomlStatements(text);
  let after = '';
  let end = 0;
  for (const [index, statement] of statements.entries()) {
    if (statement.start < end || !isOwn(statement)) continue;
    after += text.slice(end, statement.start);
    // What stands below a header belongs to it.
    const next = statements.slice(index + 1).find(({ is }) => is === 'header');
    end = statement.is === 'pair' ? statement.end : (next?.start ?? text.length);
  }
  after += text.slice(end);
  return sameBut(text, after, section, key) && entryIs(after, section, key, undefined)
    ? after
    : undefined;
}

/** The number of the line on which the section is one inline table, which we cannot change. */
export function inlineSectionLine(text: string, section: string): number | undefined {
  const found = tomlStatements(text).find(({ is, path }) => {
    return is === 'pair' && path.length === 1 && path[0] === section;
  });
  return found && text.slice(0, found.start).split('\n').length;
}

function entryIs(text: string, section: string, key: string, entry: unknown): boolean {
  const block = documentIn(text)?.[section];
  return isDeepStrictEqual(asPlain(isRecord(block) ? block[key] : undefined), asPlain(entry));
}

/**
 * Whether two texts have the same content apart from this entry. False if the first is not valid.
 */
function sameBut(a: string, b: string, section: string, key: string): boolean {
  const rest = (text: string): unknown => {
    const document = documentIn(text);
    if (!document) return undefined;
    const { [section]: block, ...others } = document;
    const entries = Object.entries(isRecord(block) ? block : {}).filter(([name]) => name !== key);
    return asPlain([others, entries]);
  };
  const before = rest(a);
  return before !== undefined && isDeepStrictEqual(before, rest(b));
}

function documentIn(text: string): WrittenEntry | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Makes values of the parser comparable: no prototypes, and dates as text. */
function asPlain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
