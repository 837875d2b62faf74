/**
 * Translates a server from a client's file into the standard form of our configuration. It guesses
 * nothing, and it reports what the user must do.
 */

import { isRecord, literalText, summaryOf, toolListsOf, type WrittenEntry } from '@callsign/config';
import type { ClientServer } from './client-server.js';
import { entrySettings } from './entry-settings.js';
import { mapTexts } from './entry-texts.js';

/** The entry and notes for the user, or the reason why the server cannot be imported. */
export type Translation =
  | {
      readonly entry: WrittenEntry;
      /** Our settings for the server. Often empty. */
      readonly settings: WrittenEntry;
      readonly notes: readonly string[];
    }
  | { readonly skipped: string };

type TextMap = Readonly<Record<string, unknown>>;

/** Reads no file and no variable. */
export function translateEntry(server: ClientServer): Translation {
  const { entry } = server;
  const { transport, command = '', args } = summaryOf(entry);
  if (server.isOff) return { skipped: 'it is switched off there' };
  if (entry['source'] === 'extension') return { skipped: 'an extension of the editor runs it' };
  if (transport === 'unknown') return { skipped: 'it has neither a command nor a URL' };
  if (isCallsign(command, args)) return { skipped: 'it is Callsign itself' };
  const { settings: own, lost } = entrySettings(entry, server.callLimit);
  const notes = notesOn(entry);
  if (lost.length > 0) notes.push(`not imported: ${lost.join(', ')}`);
  const reached = transport === 'stdio' ? childEntry(entry) : remoteEntry(entry, transport);
  const standard = { ...reached, ...toolFields(entry) };
  const text = (value: string): string => translateText(value, server, notes);
  const translated = mapTexts(standard, text) as WrittenEntry;
  const settings = mapTexts(own, text) as WrittenEntry;
  return { entry: translated, settings, notes: [...new Set(notes)] };
}

/** Fields that change how a server runs, and that Callsign does not have. */
const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ['envFile', 'put the variables of its envFile into "env"'],
  ['headersHelper', 'put the header of its headersHelper into "headers"'],
]);

function notesOn(entry: WrittenEntry): string[] {
  return [...UNSUPPORTED].flatMap(([field, note]) => (entry[field] === undefined ? [] : [note]));
}

/** The tools that the client switches off stay off. */
function toolFields(entry: WrittenEntry): WrittenEntry {
  const { include, exclude } = toolListsOf(entry);
  return {
    ...(include ? { includeTools: include } : {}),
    ...(exclude.length > 0 ? { excludeTools: exclude } : {}),
  };
}

/**
 * Whether an entry starts this gateway. Callsign must not be one of its own servers, because it
 * would start itself again and again.
 */
export function isCallsign(command: string, args: readonly string[]): boolean {
  const words = [command, ...args];
  const isOurs = words.some((word) =>
    /(?:^|[/\\@])(?:mcp-)?callsign(?:\.[cm]?js|\.cmd|@[\w.-]+)?$/.test(word),
  );
  return isOurs && (args.includes('serve') || args.includes('connect'));
}

/**
 * The standard form of an entry that starts a program. Older files of Zed have the command as an
 * object.
 */
function childEntry(entry: WrittenEntry): WrittenEntry {
  const { command, cwd } = entry;
  const { args, env: plain } = isRecord(command) ? command : entry;
  const env = { ...passedVariables(entry), ...(isRecord(plain) ? plain : {}) };
  return {
    command: isRecord(command) ? command['path'] : command,
    ...(Array.isArray(args) && args.length > 0 ? { args: args.map(String) } : {}),
    ...(Object.keys(env).length > 0 ? { env } : {}),
    ...(typeof cwd === 'string' ? { cwd } : {}),
  };
}

/** Codex names the variables that it passes on: `env_vars = ["TOKEN"]`. */
function passedVariables({ env_vars: named }: WrittenEntry): TextMap {
  const names = (Array.isArray(named) ? named : []).map((each) =>
    isRecord(each) ? each['name'] : each,
  );
  const texts = names.filter((name) => typeof name === 'string');
  return Object.fromEntries(texts.map((name) => [name, reference(name)]));
}

/**
 * The standard form of an entry with an address. The type is written only if the client named one.
 */
function remoteEntry(entry: WrittenEntry, transport: string): WrittenEntry {
  const { type, url, serverUrl, httpUrl } = entry;
  const headers = headersOf(entry);
  const isNamed = typeof type === 'string' || httpUrl !== undefined;
  return {
    ...(isNamed ? { type: transport } : {}),
    url: url ?? serverUrl ?? httpUrl,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
  };
}

/** The headers to send. Codex does not write secrets, but names the variables that hold them. */
function headersOf(entry: WrittenEntry): TextMap {
  const { headers, http_headers: plain, env_http_headers: named } = entry;
  const token = entry['bearer_token_env_var'];
  const fromNames = Object.entries(isRecord(named) ? named : {});
  return {
    ...(isRecord(headers) ? headers : {}),
    ...(isRecord(plain) ? plain : {}),
    ...Object.fromEntries(
      fromNames.map(([header, variable]) => [header, reference(String(variable))]),
    ),
    ...(typeof token === 'string' ? { Authorization: `Bearer ${reference(token)}` } : {}),
  };
}

/**
 * Marks a variable that we write ourselves. A plain `${NAME}` would be escaped by `translateText`
 * like the text of the client.
 */
function reference(variable: string): string {
  return `\u0000${variable}\u0000`;
}

function translateText(text: string, server: ClientServer, notes: string[]): string {
  const own = server.expands ? editorVariables(text, server, notes) : literalText(text);
  // oxlint-disable-next-line no-control-regex
  return own.replace(/\u0000([^\u0000]*)\u0000/g, (_, variable: string) => `\${${variable}}`);
}

/**
 * Replaces the variables that only an editor knows. Others stay, since our configuration has them
 * too.
 */
function editorVariables(text: string, server: ClientServer, notes: string[]): string {
  return text.replace(/\$\{([^}]{0,200})\}/g, (written: string, inner: string) => {
    const { workspace } = server;
    if (inner === 'workspaceFolder' && workspace !== undefined) return workspace;
    if (inner === 'userHome') return '${HOME}';
    const [, input] = /^input:([\w.-]+)$/.exec(inner) ?? [];
    const preset = input === undefined ? undefined : server.inputs?.[input];
    if (preset !== undefined) {
      notes.push(`uses the default of the input "${input}"`);
      return literalText(preset);
    }
    if (input !== undefined) {
      const variable = input.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
      notes.push(`set the variable ${variable}, which ${server.client} asked you for`);
      return `\${${variable}}`;
    }
    return written;
  });
}
