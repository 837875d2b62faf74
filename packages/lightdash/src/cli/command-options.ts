/** Parses and checks the flags and variables of `callsign-lightdash`. */

import { parseArgs } from 'node:util';

import { isLoopback } from '@callsign/outbound';
import { SAFETY_MODES, type SafetyMode } from '@callsign/toolkit';

import type { Environment } from '../client/connection.js';

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
}

export interface CommandOptions {
  /** Default: standard input and output. */
  readonly http: HttpAddress | undefined;
  /** The key that callers over HTTP must send. */
  readonly key: string | undefined;
  readonly prefix: string | undefined;
  readonly safetyMode: SafetyMode | undefined;
  readonly projects: readonly string[] | undefined;
  readonly dryRun: boolean;
  /** Serves made-up data from its own sandbox. */
  readonly sandbox: boolean;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

export const HELP: string = `callsign-lightdash: a Lightdash MCP server with one prefix and honest labels

Usage: callsign-lightdash [--stdio | --http [HOST:]PORT] [options]

  --stdio              serves on standard input and output; the default
  --http [HOST:]PORT   serves Streamable HTTP at /mcp; without a host, on this machine only
  --safety-mode MODE   also offers the further tools that the mode allows:
                       ${SAFETY_MODES.join(', ')}
                       without it: only the ten tools that read
  --projects UUID,…    only these projects are visible
  --dry-run            tools that write only describe what they would do
  --sandbox            serves made-up data; needs no Lightdash and no token
  --prefix PREFIX      the prefix of every name; default: lightdash_tools__
  --json               errors as one line of JSON
  --version, --help

Variables:
  LIGHTDASH_URL                    the address of your Lightdash
  LIGHTDASH_API_KEY                a personal access token
  LIGHTDASH_PROXY_AUTHORIZATION    credentials for a proxy in front of it
  LIGHTDASH_EXTRA_HEADERS          further headers for it, as a JSON object
  MCP_API_KEY                      with --http: the key that callers must send as a bearer token
  LIGHTDASH_TOOLS_SAFETY_MODE, LIGHTDASH_TOOLS_ALLOWED_PROJECTS, LIGHTDASH_TOOLS_DRY_RUN
                                   the same as the flags, which take precedence
`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An error in the flags or variables. */
class Wrong extends Error {}

/** The options, or the error in them. */
export function readCommandOptions(
  args: readonly string[],
  env: Environment,
): CommandOptions | { readonly wrong: string } {
  try {
    return checked(args, env);
  } catch (error) {
    if (error instanceof Wrong) return { wrong: error.message };
    if (!(error instanceof TypeError)) throw error;
    // Node adds how to pass such a word as an argument, which does not apply here.
    return { wrong: `${error.message.split('. ')[0]}.` };
  }
}

function checked(args: readonly string[], env: Environment): CommandOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      stdio: { type: 'boolean', default: false },
      http: { type: 'string' },
      prefix: { type: 'string' },
      'safety-mode': { type: 'string' },
      projects: { type: 'string' },
      'dry-run': { type: 'boolean' },
      sandbox: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', short: 'V', default: false },
    },
  });
  const { stdio, http, prefix, sandbox, json, help, version } = values;
  if (stdio && http !== undefined) throw new Wrong('Use --stdio or --http, not both.');
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  const key = given('MCP_API_KEY');
  return {
    http: http === undefined ? undefined : readAddress(http, key),
    key,
    prefix,
    safetyMode: readSafetyMode(values['safety-mode'] ?? given('LIGHTDASH_TOOLS_SAFETY_MODE')),
    projects: readProjects(values.projects ?? given('LIGHTDASH_TOOLS_ALLOWED_PROJECTS')),
    dryRun: values['dry-run'] ?? readSwitch(given('LIGHTDASH_TOOLS_DRY_RUN')),
    sandbox,
    json,
    help,
    version,
  };
}

function readAddress(text: string, key: string | undefined): HttpAddress {
  const [, host = '127.0.0.1', port = ''] =
    /^(?:(\[[^\]]+\]|[^:[\]]+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) {
    throw new Wrong(`--http takes PORT, HOST:PORT or [IPv6]:PORT, not "${text}".`);
  }
  if (host === '0.0.0.0' || host === '[::]') {
    throw new Wrong(`--http ${text} would listen on every address. Give the one that clients use.`);
  }
  if (!isLoopback(host) && key === undefined) {
    throw new Wrong(
      `--http ${text} can be reached from other machines. Set MCP_API_KEY to a key that they must send.`,
    );
  }
  return { host, port: Number(port) };
}

/** An unknown mode allows nothing: the command does not start. */
function readSafetyMode(text: string | undefined): SafetyMode | undefined {
  const mode = SAFETY_MODES.find((each) => each === text);
  if (text !== undefined && mode === undefined) {
    throw new Wrong(`There is no safety mode "${text}". Known: ${SAFETY_MODES.join(', ')}.`);
  }
  return mode;
}

/** An empty list must not count as no list, which would allow all projects. */
function readProjects(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const projects = text.split(',').map((each) => each.trim());
  const wrong = projects.find((each) => !UUID.test(each));
  if (wrong !== undefined) {
    throw new Wrong(`--projects takes UUIDs of projects, separated by commas, not "${wrong}".`);
  }
  return projects;
}

/** An unknown word must not count as no: the user may have meant yes. */
function readSwitch(text: string | undefined): boolean {
  const word = text?.toLowerCase() ?? 'no';
  if (['1', 'true', 'yes'].includes(word)) return true;
  if (['0', 'false', 'no'].includes(word)) return false;
  throw new Wrong(`LIGHTDASH_TOOLS_DRY_RUN takes yes or no, not "${text}".`);
}
