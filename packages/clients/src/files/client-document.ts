/** The document in a client's file, and the place of each server in it. */

import { isRecord, readJson, type WrittenEntry } from '@callsign/config';
import { parse as parseToml } from 'smol-toml';

import type { ClientApp } from '../apps/client-app.js';
import { FileFailure } from './file-failure.js';

/** A server with its path in the document. */
export interface PlacedServer {
  readonly key: string;
  readonly path: readonly string[];
  readonly entry: WrittenEntry;
  /** The folder for which the client keeps it; absent: for all folders. */
  readonly folder?: string;
}

/** `undefined` if the text is not a document of that format. */
function parseClientDocument(text: string, format: ClientApp['format']): WrittenEntry | undefined {
  if (text.trim() === '') return {};
  const document = format === 'json' ? readJson(text) : tomlDocument(text);
  return isRecord(document) ? document : undefined;
}

/** The document of a file; a broken file is left alone. */
export function clientDocument(
  text: string,
  format: ClientApp['format'],
  file: string,
): WrittenEntry {
  const document = parseClientDocument(text, format);
  if (document) return document;
  const why = `cannot be read as ${format.toUpperCase()}, so it was left alone`;
  throw new FileFailure('client-file-broken', `${file} ${why}. Correct it there, and try again.`);
}

/** Every server in the document. Claude Code keeps servers of folders in the user's file too. */
export function serversInDocument(
  document: WrittenEntry,
  sections: readonly string[],
): PlacedServer[] {
  const { projects } = document;
  const folders = Object.entries(isRecord(projects) ? projects : {});
  return sections.flatMap((section) => [
    ...serversInBlock(document[section], [section]),
    ...folders.flatMap(([folder, own]) => {
      const block = isRecord(own) ? own[section] : undefined;
      const servers = serversInBlock(block, ['projects', folder, section]);
      return servers.map((server) => ({ ...server, folder }));
    }),
  ]);
}

function serversInBlock(block: unknown, path: readonly string[]): PlacedServer[] {
  return Object.entries(isRecord(block) ? block : {}).map(([key, entry]) => {
    return { key, path: [...path, key], entry: isRecord(entry) ? entry : {} };
  });
}

function tomlDocument(text: string): unknown {
  try {
    return parseToml(text);
  } catch {
    return undefined;
  }
}
