/** Finds the files of clients on this machine and reads the servers in them. It changes nothing. */

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

import { nearestWord, type WrittenEntry } from '@callsign/config';

import { CLIENT_APPS, type ClientApp, type Place } from '../apps/client-app.js';
import type { ClientServer } from '../apps/client-server.js';
import { clientDocument, inputDefaults, serversInDocument } from './client-document.js';
import { FileFailure } from './file-failure.js';
import { readText } from './text-file.js';

/** The keys under which the known clients keep their servers. */
const SECTIONS = ['mcpServers', 'servers', 'context_servers', 'mcp_servers'];

/** No client keeps its servers in such a file. */
const YAML = /\.ya?ml$/i;
const OPENAPI = /^\s*(?:\{\s*)?"?(?:openapi|swagger)"?\s*:/;
const OPENAPI_ADVICE = 'To import an API: callsign adapter from-openapi FILE';

/** A file that exists, and the client that it belongs to. */
export interface FoundFile {
  readonly app: ClientApp;
  readonly file: string;
}

/**
 * The files that exist. In the home folder, the project's file can be the user's file: it is listed
 * once, as the user's.
 */
export function findClientFiles(
  place: Place,
  apps: readonly ClientApp[] = CLIENT_APPS,
): FoundFile[] {
  return apps.flatMap((app) => {
    const found = app.files(place).filter((file) => existsSync(file));
    const distinct = new Map(found.toReversed().map((file) => [realpathSync(file), file]));
    return [...distinct.values()].toReversed().map((file) => ({ app, file }));
  });
}

/** The servers that the client uses in this folder. Empty if the file does not exist. */
export function readClientFile(app: ClientApp, file: string, place: Place): ClientServer[] {
  const document = readDocument(file, app.format);
  if (document === undefined) return [];
  const { id: client, section, expands, callLimit } = app;
  const isOfUser = file === app.files(place)[0];
  const rest = { client, file, expands, callLimit, inputs: inputDefaults(document) };
  return serversInDocument(document, [section])
    .filter(({ folder }) => folder === undefined || folder === place.cwd)
    .map(({ key, path, entry, isOff, folder }) => {
      const workspace = isOfUser && folder === undefined ? {} : { workspace: place.cwd };
      return { key, path, entry, isOff, ...rest, ...workspace };
    });
}

/** Reads a file without knowing its client. Throws a `FileFailure` if it does not exist. */
export function readAnyFile(file: string, cwd: string): ClientServer[] {
  const whole = resolve(cwd, file);
  const text = readText(whole);
  if (text === undefined) {
    const clients = CLIENT_APPS.map(({ id }) => id);
    const nearest = nearestWord(file, clients);
    const hint = nearest === undefined ? '' : ` Did you mean: ${nearest}?`;
    const advice = `Name a file, or a client: ${clients.join(', ')}.`;
    const other = YAML.test(file) ? ` ${OPENAPI_ADVICE}` : '';
    throw new FileFailure('no-file', `There is no file ${file}.${hint} ${advice}${other}`);
  }
  if (YAML.test(file) || OPENAPI.test(text)) {
    throw new FileFailure(
      'client-file-broken',
      `${file} has no servers of a client. ${OPENAPI_ADVICE}`,
    );
  }
  const document = clientDocument(text, file.endsWith('.toml') ? 'toml' : 'json', whole);
  const client = basename(file).replace(/\.[^.]*$/, '');
  const folder = dirname(whole);
  const workspace = basename(folder) === '.vscode' ? { workspace: dirname(folder) } : {};
  const rest = { client, file, expands: true, inputs: inputDefaults(document), ...workspace };
  return serversInDocument(document, SECTIONS)
    .filter((server) => server.folder === undefined)
    .map(({ key, path, entry, isOff }) => ({ key, path, entry, isOff, ...rest }));
}

function readDocument(file: string, format: ClientApp['format']): WrittenEntry | undefined {
  const text = readText(file);
  return text === undefined ? undefined : clientDocument(text, format, file);
}
