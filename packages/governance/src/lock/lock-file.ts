/**
 * The lock file: accepted definitions as sorted JSON, to be reviewed and committed with the
 * configuration.
 */

import { isObject } from '@callsign/core';

import { canonicalJson } from './canonical-json.js';
import { definitionOf } from './definition.js';
import { instructionsItem, judgedKind, markerOf, PREFIXES } from './judged-items.js';

/** One accepted item. */
export interface AcceptedTool {
  /** The hash of the parts that people read. */
  readonly hash: string;
  /** The hash of the whole definition. Missing in files of earlier versions. */
  readonly whole?: string;
  /** Canonical JSON, to show changes. Missing for long definitions. */
  readonly definition?: string;
}

/** Server key → name under which an item is compared → what was accepted. */
export type AcceptedTools = ReadonlyMap<string, ReadonlyMap<string, AcceptedTool>>;

/** Characters. Of a longer definition only the hash is kept. */
const LONGEST_KEPT = 64 * 1024;
const VERSION = 1;

/** Throws an error that says what is wrong. */
export function parseLock(text: string): AcceptedTools {
  const file = objectOf(JSON.parse(text), 'it');
  if (file.get('version') !== VERSION) {
    throw new Error(`version must be ${VERSION}: a newer Callsign may have written it`);
  }
  return mapOf(file.get('servers'), 'servers', (value, path) => {
    const server = objectOf(value, path);
    const tools = mapOf(server.get('tools'), `${path}.tools`, acceptedOf);
    const instructions = server.get('instructions');
    if (instructions === null) tools.set('', NONE);
    else if (instructions !== undefined)
      tools.set('', acceptedOf(instructions, `${path}.instructions`));
    for (const kind of OTHERS) {
      const section = SECTIONS[kind];
      if (!server.has(section)) continue;
      tools.set(PREFIXES[kind], COVERED);
      const items = mapOf(server.get(section), `${path}.${section}`, acceptedOf);
      for (const [name, item] of items) tools.set(PREFIXES[kind] + name, item);
    }
    return tools;
  });
}

export function renderLock(servers: AcceptedTools): string {
  const written = sorted(servers, (items) => {
    const tools = new Map([...items].filter(([name]) => judgedKind(name) === 'tool'));
    const instructions = items.get('');
    return {
      ...(instructions ? { instructions: writtenInstructions(instructions) } : {}),
      ...Object.fromEntries(
        OTHERS.filter((kind) => items.has(PREFIXES[kind])).map((kind) => {
          return [SECTIONS[kind], sorted(othersIn(items, PREFIXES[kind]), writtenOf)];
        }),
      ),
      tools: sorted(tools, writtenOf),
    };
  });
  return `${JSON.stringify({ version: VERSION, servers: written }, null, 2)}\n`;
}

/** For a server that had no instructions when it was accepted. */
const NO_TEXT = definitionOf(instructionsItem(undefined));
const NONE: AcceptedTool = accepted(NO_TEXT.hash, NO_TEXT);

/** Kinds with their own section. Files of earlier versions lack these sections. */
const OTHERS = ['prompt', 'template'] as const;
const SECTIONS = { prompt: 'prompts', template: 'templates' } as const;
const MARKER = definitionOf(markerOf('prompt'));
const COVERED: AcceptedTool = accepted(MARKER.hash, MARKER);

/** The items of one section, by their own names. */
function othersIn(
  items: ReadonlyMap<string, AcceptedTool>,
  prefix: string,
): Map<string, AcceptedTool> {
  const named = [...items].filter(([name]) => name.startsWith(prefix) && name !== prefix);
  return new Map(named.map(([name, item]) => [name.slice(prefix.length), item]));
}

function writtenInstructions(text: AcceptedTool): object | null {
  return text.hash === NONE.hash ? null : writtenOf(text);
}

function writtenOf({ hash, whole, definition }: AcceptedTool): object {
  return {
    hash,
    ...(whole === undefined ? {} : { whole }),
    ...(definition === undefined ? {} : { definition: JSON.parse(definition) as unknown }),
  };
}

export function accepted(hash: string, whole: { hash: string; text: string }): AcceptedTool {
  const hashes = { hash, whole: whole.hash };
  return whole.text.length > LONGEST_KEPT ? hashes : { ...hashes, definition: whole.text };
}

function acceptedOf(value: unknown, path: string): AcceptedTool {
  const tool = objectOf(value, path);
  const hashes = {
    hash: hashIn(tool, 'hash', path),
    ...(tool.has('whole') ? { whole: hashIn(tool, 'whole', path) } : {}),
  };
  if (!tool.has('definition')) return hashes;
  return { ...hashes, definition: canonicalJson(JSON.stringify(tool.get('definition')))! };
}

function hashIn(tool: ReadonlyMap<string, unknown>, key: string, path: string): string {
  const hash = tool.get(key);
  if (typeof hash === 'string' && /^sha256:[0-9a-f]{64}$/.test(hash)) return hash;
  throw new Error(`${path}.${key} must be "sha256:" and 64 hexadecimal digits`);
}

function objectOf(value: unknown, path: string): Map<string, unknown> {
  if (!isObject(value)) throw new Error(`${path} must be an object`);
  return new Map(Object.entries(value));
}

function mapOf<T>(
  value: unknown,
  path: string,
  read: (value: unknown, path: string) => T,
): Map<string, T> {
  const entries = [...objectOf(value, path)];
  return new Map(entries.map(([key, inner]) => [key, read(inner, `${path}.${key}`)]));
}

/**
 * An object with sorted keys. Keys come from servers, so they may be `__proto__`: `fromEntries`
 * accepts any key.
 */
function sorted<T>(map: ReadonlyMap<string, T>, write: (value: T) => unknown): object {
  const entries = [...map].toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return Object.fromEntries(entries.map(([key, value]) => [key, write(value)]));
}
