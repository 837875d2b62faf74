/** The document in a client's file, and the servers in it. */

import {
  createProblemLog,
  isListedOff,
  isRecord,
  parseDocument,
  readJson,
  summaryOf,
  type WrittenEntry,
} from '@callsign/config';
import { parse as parseToml, TomlError } from 'smol-toml';

import type { ClientApp } from '../apps/client-app.js';
import { FileFailure } from './file-failure.js';

/** A server with the keys that lead to it in the document. */
export interface PlacedServer {
  readonly key: string;
  readonly path: readonly string[];
  readonly entry: WrittenEntry;
  /** Whether the entry, or a list of the file, switches the server off. */
  readonly isOff: boolean;
  /** The folder for which Claude Code keeps it. Missing if it is for all folders. */
  readonly folder?: string;
}

/** An empty file is an empty document. `undefined`: the text is not of that format. */
function parseClientDocument(text: string, format: ClientApp['format']): WrittenEntry | undefined {
  if (text.trim() === '') return {};
  const document = format === 'json' ? readJson(text) : tomlDocument(text);
  return isRecord(document) ? document : undefined;
}

/**
 * Parses the text of a file. Throws a `FileFailure` if it is broken: we never change such a file.
 */
export function clientDocument(
  text: string,
  format: ClientApp['format'],
  file: string,
): WrittenEntry {
  const document = parseClientDocument(text, format);
  if (document) return document;
  const { line, column } = brokenAt(text, format);
  const where = `line ${line}, column ${column}`;
  const why = `is not valid ${format.toUpperCase()} (${where}), so it was not changed`;
  throw new FileFailure('client-file-broken', `${file} ${why}. Correct the file and try again.`);
}

/**
 * Every server in the document. The user's file of Claude Code also has servers for single folders.
 */
export function serversInDocument(
  document: WrittenEntry,
  sections: readonly string[],
): PlacedServer[] {
  const { projects } = document;
  const folders = Object.entries(isRecord(projects) ? projects : {});
  const isOffByList = (key: string): boolean => isListedOff(document, key);
  return sections.flatMap((section) => [
    ...serversInBlock(document[section], [section], isOffByList),
    ...folders.flatMap(([folder, own]) => {
      const block = isRecord(own) ? own[section] : undefined;
      const servers = serversInBlock(block, ['projects', folder, section], isOffByList);
      return servers.map((server) => ({ ...server, folder }));
    }),
  ]);
}

/** The defaults of the inputs in a file of VS Code. An empty default is none: the user is asked. */
export function inputDefaults({ inputs }: WrittenEntry): Readonly<Record<string, string>> {
  const pairs = (Array.isArray(inputs) ? inputs.filter(isRecord) : []).flatMap((input) => {
    const { id, default: preset } = input;
    const isSet = typeof id === 'string' && typeof preset === 'string' && preset !== '';
    return isSet ? [[id, preset] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function serversInBlock(
  block: unknown,
  path: readonly string[],
  isOffByList: (key: string) => boolean,
): PlacedServer[] {
  return Object.entries(isRecord(block) ? block : {}).map(([key, written]) => {
    const entry = isRecord(written) ? written : {};
    const isOff = summaryOf(entry).isOff || isOffByList(key);
    return { key, path: [...path, key], entry, isOff };
  });
}

/** Where a text that is not of its format goes wrong first. */
function brokenAt(text: string, format: ClientApp['format']): { line: number; column: number } {
  if (format === 'json') {
    const log = createProblemLog('', text);
    parseDocument(text, log);
    return log.problems()[0] ?? { line: 1, column: 1 };
  }
  try {
    parseToml(text);
  } catch (error) {
    if (error instanceof TomlError) return error;
  }
  return { line: 1, column: 1 };
}

function tomlDocument(text: string): unknown {
  try {
    return parseToml(text);
  } catch {
    return undefined;
  }
}
