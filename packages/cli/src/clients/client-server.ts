/** The servers that a client's file holds, as its client writes them. */

import { basename, dirname, resolve } from 'node:path';

import { parse as parseToml } from 'smol-toml';

import { readText } from '../config-file/config-text.js';
import { readJson, isRecord } from '@callsign/config';
import type { ClientApp, ClientServer, Place, WrittenEntry } from '@callsign/config';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

const SECTIONS = ['mcpServers', 'servers', 'context_servers', 'mcp_servers'];

/** Nothing if the file is not there. */
export function readClientFile(app: ClientApp, file: string, place: Place): ClientServer[] {
  const document = readDocument(file, app.format);
  if (document === undefined) return [];
  const { id, section, expands } = app;
  const isOfUser = file === app.files(place)[0];
  const workspace = isOfUser ? {} : { workspace: place.cwd };
  const blocks = [document[section], projectBlock(document, section, place)];
  return blocks.flatMap((block) => serversIn(block, { client: id, file, expands, ...workspace }));
}

/** A file of whatever client, by what it holds. */
export function readAnyFile(file: string): ClientServer[] {
  const document = readDocument(file, file.endsWith('.toml') ? 'toml' : 'json');
  if (document === undefined) {
    const message = `There is no file ${file}. Name a client or a file.`;
    throw new Failure({ exit: EXIT.usage, code: 'no-file', message });
  }
  const client = basename(file).replace(/\.[^.]*$/, '');
  const folder = dirname(resolve(file));
  const workspace = basename(folder) === '.vscode' ? { workspace: dirname(folder) } : {};
  const blocks = SECTIONS.map((section) => document[section]);
  return blocks.flatMap((block) => serversIn(block, { client, file, expands: true, ...workspace }));
}

function readDocument(file: string, format: ClientApp['format']): WrittenEntry | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  const document = text.trim() === '' ? {} : parsed(text, format);
  if (isRecord(document)) return document;
  const message = `${file} cannot be read as ${format.toUpperCase()}. Mend it there, and try again.`;
  throw new Failure({ exit: EXIT.config, code: 'client-file-broken', message });
}

function parsed(text: string, format: ClientApp['format']): unknown {
  if (format === 'json') return readJson(text);
  try {
    return parseToml(text);
  } catch {
    return undefined;
  }
}

/** Claude Code keeps servers of a project in the user's file too. */
function projectBlock(document: WrittenEntry, section: string, { cwd }: Place): unknown {
  const { projects } = document;
  const own = isRecord(projects) && Object.hasOwn(projects, cwd) ? projects[cwd] : undefined;
  return isRecord(own) ? own[section] : undefined;
}

function serversIn(block: unknown, from: Omit<ClientServer, 'key' | 'entry'>): ClientServer[] {
  if (!isRecord(block)) return [];
  return Object.entries(block).map(([key, entry]) => {
    return { key, entry: isRecord(entry) ? entry : {}, ...from };
  });
}
