/** The flags of `callsign serve`, read and checked. */

import { parseArgs } from 'node:util';

import { findConfig, type ConfigPlace } from '../command/config-path.js';

export interface ServeOptions extends ConfigPlace {
  /** Missing parts come from the configuration. */
  readonly http: { readonly host?: string; readonly port?: number } | undefined;
  /** Checked later: the configuration may define profiles. */
  readonly profile: string | undefined;
  readonly strict: boolean;
  readonly readOnly: boolean;
  /** Whether other machines may connect without authentication. */
  readonly isOpen: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly json: boolean;
}

/** The options, or what is wrong with them. */
export function readServeOptions(
  args: readonly string[],
): ServeOptions | { readonly wrong: string } {
  try {
    return checked(args);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Leaves out Node's explanation of how to pass such a word as an argument.
    return { wrong: `${error.message.split('. ')[0]}.` };
  }
}

function checked(args: readonly string[]): ServeOptions | { readonly wrong: string } {
  const { values, positionals } = parseArgs({
    args: args.map(withoutPort),
    allowPositionals: true,
    options: {
      config: { type: 'string', short: 'c' },
      stdio: { type: 'boolean' },
      http: { type: 'string' },
      profile: { type: 'string' },
      strict: { type: 'boolean', default: false },
      'read-only': { type: 'boolean', default: false },
      'allow-unauthenticated': { type: 'boolean', default: false },
      quiet: { type: 'boolean', short: 'q', default: false },
      verbose: { type: 'boolean', short: 'v', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { config, stdio, http, profile, strict, verbose, json } = values;
  if (positionals.length > 0) return { wrong: `"${positionals[0]}" is not expected here.` };
  if (stdio && http !== undefined) return { wrong: '--stdio and --http exclude each other.' };
  const address = http === undefined ? undefined : readAddress(http);
  if (http !== undefined && !address) {
    return { wrong: `--http takes PORT, HOST:PORT or [IPv6]:PORT, not "${http}".` };
  }
  if (config === '') return { wrong: '--config takes the path of a file.' };
  return {
    ...findConfig(config),
    http: address,
    profile,
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
