/** The command `callsign-lightdash`: reads its options, serves, and reports why it cannot. */

import type { AuditRecord } from '@callsign/toolkit';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { ConnectionProblem, readConnection, type Environment } from '../client/connection.js';
import { LightdashClient } from '../client/lightdash-client.js';
import type { LightdashError } from '../client/lightdash-error.js';
import { Sandbox } from '../sandbox/sandbox.js';
import { createLightdashServer } from '../server/lightdash-server.js';
import { VERSION } from '../server/version.js';
import { HELP, readCommandOptions, type CommandOptions } from './command-options.js';
import { openHttpListener } from './http-listener.js';

/** Serves until it is asked to end. Returns the exit code. */
export async function main(args: readonly string[], env: Environment): Promise<number> {
  // Ignore EPIPE on stderr.
  process.stderr.on('error', () => undefined);
  const options = readCommandOptions(args, env);
  if ('wrong' in options) {
    const message = `${options.wrong} See: callsign-lightdash --help`;
    return createStderr(args.includes('--json')).complain(EXIT.usage, 'usage', message);
  }
  if (options.help || options.version) {
    process.stdout.write(options.help ? HELP : `${VERSION}\n`);
    return EXIT.ok;
  }
  const stderr = createStderr(options.json);
  try {
    return await serve(options, env, stderr);
  } catch (error) {
    if (error instanceof ConnectionProblem) {
      return error.variable === 'LIGHTDASH_API_KEY'
        ? stderr.complain(EXIT.authentication, 'authentication', error.message)
        : stderr.complain(EXIT.config, 'config', error.message);
    }
    return stderr.complain(EXIT.usage, 'unexpected', (error as Error).message);
  }
}

async function serve(options: CommandOptions, env: Environment, stderr: Stderr): Promise<number> {
  const sandbox = options.sandbox ? await Sandbox.start() : undefined;
  const connection = readConnection(sandbox?.environment ?? env);
  const client = new LightdashClient(connection);
  const { prefix, safetyMode, projects, dryRun, http, key } = options;
  const audit = stderr.audit;
  const createServer = (): McpServer =>
    createLightdashServer({ client, prefix, safetyMode, projects, dryRun, audit });
  // Created once for a check: an unusable prefix must be reported now, not to the first client.
  await createServer().close();

  // Must come before the announcement: a program that reads it may send a signal at once.
  const asked = signalled();
  const onError = (error: Error): void => stderr.warn(error.message);
  const listener = http && (await openHttpListener(createServer, { ...http, key, onError }));
  if (listener) stderr.announce(`Lightdash is served on ${listener.url}`, { url: listener.url });
  const stdio = listener ? undefined : serveStdio(createServer, { onerror: onError });

  const trial = new LightdashClient(connection, { retry: NO_RETRY });
  const over = new AbortController();
  const code = await Promise.race([
    asked,
    ...(stdio ? [inputEnded()] : []),
    refused(trial, stderr, over.signal),
  ]);
  // A request without an answer would keep the process running.
  over.abort();
  await listener?.close();
  await stdio?.close();
  await sandbox?.close();
  return code;
}

const NO_RETRY = { retries: 0, firstPauseMs: 0, longestPauseMs: 0 };

/**
 * Resolves if the token is refused: retrying cannot help. Other errors may be temporary and are
 * logged.
 */
async function refused(
  client: LightdashClient,
  stderr: Stderr,
  signal: AbortSignal,
): Promise<number> {
  try {
    await client.listProjects({ signal });
  } catch (error) {
    if (signal.aborted) return EXIT.ok;
    const { kind, message } = error as LightdashError;
    if (kind === 'unauthorized')
      return stderr.complain(EXIT.authentication, 'authentication', message);
    stderr.warn(message);
  }
  return new Promise<never>(() => undefined);
}

function signalled(): Promise<number> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve(EXIT.interrupted));
    process.once('SIGTERM', () => resolve(EXIT.ok));
  });
}

/** Resolves when the client has closed our input or output. */
function inputEnded(): Promise<number> {
  return new Promise((resolve) => {
    process.stdin.once('close', () => resolve(EXIT.ok)).once('end', () => resolve(EXIT.ok));
    process.stdout.on('error', () => resolve(EXIT.ok));
  });
}

/** Exit codes for scripts, the same as those of all our commands. */
const EXIT = {
  ok: 0,
  usage: 1,
  authentication: 3,
  config: 6,
  interrupted: 130,
} as const;

/**
 * Writes to standard error: sentences, or JSON lines with `--json`. Audit records are always JSON.
 */
interface Stderr {
  /** Reports why the command ends, and returns the exit code. */
  complain(exit: number, code: string, message: string): number;
  warn(message: string): void;
  /** An event that people and scripts wait for. */
  announce(sentence: string, fact: Readonly<Record<string, string>>): void;
  audit(record: AuditRecord): void;
}

function createStderr(
  json: boolean,
  write: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Stderr {
  const say = (text: string, value: object): void => write(json ? JSON.stringify(value) : text);
  return {
    complain(exit, code, message) {
      say(message, { error: { code, message } });
      return exit;
    },
    warn: (message) => say(`warning: ${message}`, { level: 'warning', message }),
    announce: say,
    audit: (record) => write(JSON.stringify({ audit: record })),
  };
}
