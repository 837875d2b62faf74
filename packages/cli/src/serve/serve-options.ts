/** The flags of `callsign serve`, read and checked. */

import { parseArgs } from 'node:util';

import { nearestWord } from '@callsign/config';

import { findConfig, type ConfigPlace } from '../command/config-path.js';
import type { Where } from '../command/shell.js';

export interface ServeOptions extends ConfigPlace {
  /** Serves all clients of this person on a socket, for `callsign connect`. */
  readonly isBackground: boolean;
  /** Whether it runs until it is stopped, even without clients. */
  readonly runsIdle: boolean;
  /** Missing parts come from the configuration. */
  readonly http: { readonly host?: string; readonly port?: number } | undefined;
  /** Checked later: the configuration may define profiles. */
  readonly profile: string | undefined;
  /** Checked later: the configuration defines sets. */
  readonly set: string | undefined;
  readonly strict: boolean;
  readonly readOnly: boolean;
  /** Whether other machines may connect without authentication. */
  readonly isOpen: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly json: boolean;
}

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  stdio: { type: 'boolean' },
  http: { type: 'string' },
  background: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  'folder-config': { type: 'boolean', default: false },
  profile: { type: 'string' },
  set: { type: 'string' },
  strict: { type: 'boolean', default: false },
  'read-only': { type: 'boolean', default: false },
  'allow-unauthenticated': { type: 'boolean', default: false },
  quiet: { type: 'boolean', short: 'q', default: false },
  verbose: { type: 'boolean', short: 'v', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** Our other programs use it. */
const OWN = 'folder-config';

/** The options, or what is wrong with them. */
export function readServeOptions(
  args: readonly string[],
  where: Where,
): ServeOptions | { readonly wrong: string } {
  try {
    return checked(args, where);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Leaves out Node's explanation of how to pass such a word as an argument.
    return { wrong: `${error.message.split('. ')[0]}.${hintFor(error.message)}` };
  }
}

function hintFor(message: string): string {
  const [, typed] = /^Unknown option '--([^']+)'/.exec(message) ?? [];
  const known = Object.keys(OPTIONS).filter((name) => name !== OWN);
  const nearest = typed === undefined ? undefined : nearestWord(typed, known);
  return nearest === undefined ? '' : ` Did you mean: --${nearest}?`;
}

function checked(args: readonly string[], where: Where): ServeOptions | { readonly wrong: string } {
  const { values, positionals } = parseArgs({
    args: args.map(withoutPort),
    allowPositionals: true,
    options: OPTIONS,
  });
  const { config, stdio, http, profile, set, strict, verbose, json } = values;
  if (positionals.length > 0) return { wrong: `"${positionals[0]}" is not expected here.` };
  if (stdio && http !== undefined) return { wrong: 'Use --stdio or --http, not both.' };
  if (values.background && (stdio || http !== undefined)) {
    return { wrong: 'Use --background without --stdio and --http.' };
  }
  const address = http === undefined ? undefined : readAddress(http);
  if (http !== undefined && !address) {
    return { wrong: `--http takes PORT, HOST:PORT or [IPv6]:PORT, not "${http}".` };
  }
  if (config === '') return { wrong: '--config takes the path of a file.' };
  const place = findConfig(config, where);
  return {
    ...place,
    // Such a file must be accepted whenever it changes, though its path is given.
    ...(values['folder-config'] ? { origin: 'folder' } : {}),
    isBackground: values.background,
    runsIdle: values.keep,
    http: address,
    profile,
    set,
    strict,
    readOnly: values['read-only'],
    isOpen: values['allow-unauthenticated'],
    quiet: values.quiet,
    verbose,
    json,
  };
}

/** `--http` may have no value; then the configuration has the address. */
function withoutPort(arg: string, index: number, args: readonly string[]): string {
  const next = args[index + 1];
  return arg === '--http' && (next === undefined || next.startsWith('-')) ? '--http=' : arg;
}

function readAddress(text: string): ServeOptions['http'] {
  if (text === '') return {};
  const match = /^(?:(?:\[([^\]\s]*:[^\]\s]*)\]|([^:[\]\s]+)):)?(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) return undefined;
  const host = match[1] ?? match[2];
  return host === undefined ? { port } : { host, port };
}
