/** A server entry: its fields, and which of them belong together. */

import { isRecord } from '@callsign/config';

/** The names of the transports in clients' files. */
export const TRANSPORTS = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'streamable-http',
  'streamable-http': 'streamable-http',
  streamableHttp: 'streamable-http',
  sse: 'sse',
} as const;

type TransportWord = keyof typeof TRANSPORTS;

/** Every spelling of a remote server's address: most clients, Windsurf, Gemini. */
const URL_FIELDS = ['url', 'serverUrl', 'httpUrl'] as const;

export type AddressField = 'command' | (typeof URL_FIELDS)[number];

/** The fields that say how to reach a server. An entry has exactly one of them. */
export const ADDRESS_FIELDS: readonly AddressField[] = ['command', ...URL_FIELDS];

/** Values that disable an entry. Zed starts the servers of its extensions itself. */
export const SWITCHED_OFF = [
  ['disabled', true],
  ['enabled', false],
  ['source', 'extension'],
] as const;

export type TextMap = Readonly<Record<string, string>>;

/** The older form of Zed, with program, arguments and variables in one object. */
export interface NestedCommand {
  readonly path: string;
  readonly args?: readonly string[];
  readonly env?: TextMap;
}

/** A server entry after its variables are replaced. Exactly one address field is set. */
export interface ServerEntry {
  readonly command?: string | NestedCommand;
  readonly args?: readonly string[];
  readonly env?: TextMap;
  readonly cwd?: string;
  readonly url?: string;
  readonly serverUrl?: string;
  readonly httpUrl?: string;
  readonly headers?: TextMap;
  readonly type?: TransportWord;
}

const transportWords = Object.keys(TRANSPORTS) as TransportWord[];

/** The transports that fit this address. */
export function transportWordsFor(field: string): TransportWord[] {
  const isLocal = field === 'command';
  return transportWords.filter((word) => (TRANSPORTS[word] === 'stdio') === isLocal);
}

/** The fields that we read. */
export const ENTRY_FIELDS: readonly string[] = [
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'serverUrl',
  'httpUrl',
  'headers',
  'type',
] satisfies (keyof ServerEntry)[];

/** The name of a variable in `env`. */
export const VARIABLE_NAME: RegExp = /^[^=\0]+$/;

/**
 * The entry of a local server as most files have it. The schema need not be built then, which takes several
 * milliseconds of a start. `undefined`: the schema must check the fields.
 */
export function plainLocal(fields: Readonly<Record<string, unknown>>): ServerEntry | undefined {
  const { command, args = [], env = {}, ...others } = fields;
  const isPlain =
    Object.keys(others).length === 0 &&
    isText(command) &&
    command !== '' &&
    Array.isArray(args) &&
    args.every(isText) &&
    isRecord(env) &&
    // The schema leaves `__proto__` out.
    Object.keys(env).every((name) => VARIABLE_NAME.test(name) && name !== '__proto__') &&
    Object.values(env).every(isText);
  return isPlain ? (fields as ServerEntry) : undefined;
}

/** Node refuses text with a null character, with an error that quotes it. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
