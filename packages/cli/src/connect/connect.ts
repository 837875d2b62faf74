/**
 * `callsign connect`: what clients start. It finds the gateway of this person and this configuration, starts it if none
 * runs, and passes lines. Loads nothing of the gateway, because every client has one of these running.
 */

import { existsSync, readFileSync } from 'node:fs';
import { connect as openSocket, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { prepareSocketFolder } from '@callsign/config/socket-folder';

import { needsYes } from '../command/accepted-configs.js';
import { type ConfigPlace, findConfig } from '../command/config-path.js';
import { EXIT } from '../command/exit-code.js';
import type { Shell, Where } from '../command/shell.js';
import { VERSION } from '../command/version.js';
import { extendChain } from '../fleet/chain.js';
import { HANDSHAKE, type Hello, HelloError, sayHello } from './hello.js';
import { Relay } from './relay.js';
import { sharedGateway, type SharedGateway, sharedKey } from './shared-gateway.js';
import {
  backgroundArgs,
  type StartedGateway,
  startInBackground,
  startService,
} from './start-gateway.js';

/** How long a gateway may take until it answers. */
const REACH_MS = 5_000;
const PAUSE_MS = 20;
/** Until a gateway that has ended is started again. Twice as long after each start. */
const START_AGAIN_MS = 500;
const INVALID_REQUEST = -32_600;
/** Characters of what `serve` says about a configuration. */
const MOST_SAID = 4_000;

interface ConnectOptions extends ConfigPlace {
  readonly profile: string | undefined;
  readonly set: string | undefined;
}

/** `serve`: runs a gateway of this client's own, if the shared one cannot be used. */
export async function connect(
  args: readonly string[],
  shell: Shell,
  serve: (args: readonly string[], shell: Shell) => Promise<number>,
): Promise<number> {
  const options = readOptions(args, shell);
  if ('wrong' in options) {
    shell.stderr.write(`${options.wrong} See: callsign connect --help\n`);
    return EXIT.usage;
  }
  const refusal = whyNot(options, shell);
  if (refusal !== undefined) return await refuseClient(refusal, shell);
  const reached = await reach(options, shell);
  if (typeof reached !== 'string') {
    // The file may have changed since.
    const again = async () => whyNot(options, shell) ?? (await reach(options, shell));
    return await new Relay(shell, again).run(reached);
  }
  shell.stderr.write(
    `callsign: ${reached} So this client gets a gateway of its own, and shares no servers.\n`,
  );
  const flags = flagArgs(options);
  const { said, listening } = listened(shell);
  const code = await serve(['--stdio', ...configArgs(options), ...flags], listening);
  // It has not read from the client. The client's user sees an answer more likely than standard error.
  return code === EXIT.config ? await refuseClient(said().trim(), shell, { isSaid: true }) : code;
}

/** A shell that remembers what is written to standard error. */
function listened(shell: Shell): { said: () => string; listening: Shell } {
  let text = '';
  const stderr = Object.create(shell.stderr, {
    write: {
      value: (...args: Parameters<typeof shell.stderr.write>) => {
        if (text.length < MOST_SAID) text += String(args[0]);
        return shell.stderr.write(...args);
      },
    },
  }) as Shell['stderr'];
  return {
    said: () => text,
    listening: Object.create(shell, { stderr: { value: stderr } }) as Shell,
  };
}

function flagArgs({ profile, set }: ConnectOptions): string[] {
  return [
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(set === undefined ? [] : ['--set', set]),
  ];
}

/** A file of the current folder is found there again, so that it is still known that it must be accepted. */
function configArgs({ file, origin }: ConfigPlace): string[] {
  return origin === 'folder' ? [] : ['--config', file];
}

function readOptions(
  args: readonly string[],
  shell: Shell,
): ConnectOptions | { readonly wrong: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: { type: 'string', short: 'c' },
        profile: { type: 'string' },
        set: { type: 'string' },
      },
    });
    if (positionals.length > 0) return { wrong: `"${positionals[0]}" is not expected here.` };
    return { ...findConfig(values.config, shell), profile: values.profile, set: values.set };
  } catch (error) {
    return { wrong: `${(error as Error).message.split('. ')[0]}.` };
  }
}

function whyNot(options: ConnectOptions, { env }: Shell): string | undefined {
  if (!existsSync(options.file)) {
    return `There is no configuration at ${options.file}. To make one from your clients' servers: callsign setup`;
  }
  if (needsYes(options, env)) {
    return `${options.file} was not accepted yet, so its servers are not started. In its folder, run: callsign config accept`;
  }
  const chain = extendChain(options.file, env);
  return 'wrong' in chain ? chain.wrong : undefined;
}

/** A socket after the hello, or why there is none. Starts a gateway if none answers. */
async function reach(options: ConnectOptions, shell: Shell): Promise<Socket | string> {
  const { env } = shell;
  let shared: SharedGateway;
  let key: Buffer;
  try {
    shared = sharedGateway(options.file, env);
    key = sharedKey(shared.state);
    prepareSocketFolder(shared.state);
  } catch (error) {
    return (error as Error).message;
  }
  const program = [process.execPath, shell.script];
  const hello: Hello = {
    version: VERSION,
    config: shared.config,
    folder: shell.cwd,
    env: namedVariables(options.file, env),
    command: program,
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    ...(options.set === undefined ? {} : { set: options.set }),
  };
  const limitMs = Number(env['CALLSIGN_CONNECT_MS']) || REACH_MS;
  const deadline = Date.now() + limitMs;
  const service = { verb: 'start', until: Date.now() + limitMs / 2 } as const;
  let started: StartedGateway | undefined;
  let [startAt, startPauseMs] = [0, START_AGAIN_MS];
  let why = 'It did not answer in time.';
  while (Date.now() < deadline) {
    const tried = await greeted(shared.address, key, hello, deadline - Date.now());
    if (!(tried instanceof Error)) return tried;
    const refusal = tried instanceof HelloError && tried.code !== 'left' ? tried : undefined;
    if (refusal && refusal.code !== 'handshake') {
      return `The gateway of ${shared.config} cannot be used: ${tried.message}`;
    }
    // An older gateway that does not know our handshake stops by itself. A newer one stays.
    if (refusal && refusal.handshake > HANDSHAKE) return refusal.message;
    why = tried.message;
    if (!refusal && Date.now() >= startAt && (started?.hasEnded() ?? true)) {
      const start = backgroundArgs(shared.config, options.origin);
      started =
        startService(program, start, env, service) ??
        startInBackground(program, start, env, hello.env);
      startAt = Date.now() + startPauseMs;
      startPauseMs *= 2;
    }
    await sleep(PAUSE_MS);
  }
  return `The gateway of ${shared.config} could not be reached (${why}).`;
}

/** Connects and says hello. An error of the system if none listens. */
async function greeted(
  address: string,
  key: Buffer,
  hello: Hello,
  limitMs: number,
): Promise<Socket | Error> {
  const socket = openSocket(address);
  const timer = setTimeout(() => socket.destroy(new Error('It did not answer in time.')), limitMs);
  try {
    await new Promise<void>((opened, failed) => {
      socket.once('connect', opened).once('error', failed);
    });
    // An error while a message is awaited ends the wait.
    socket.on('error', () => undefined);
    await sayHello(socket, key, hello);
    return socket;
  } catch (error) {
    socket.destroy();
    return error as Error;
  } finally {
    clearTimeout(timer);
  }
}

const REFERENCE = /\$\{(?:env:)?([A-Za-z_]\w*)(?=\}|:-)/g;
const INHERITED = /"inheritEnv"\s*:\s*(true|\[[^\]]*\])/g;
const NAME = /"([A-Za-z_]\w*)"/g;

/**
 * The variables of a client that its servers may need: `PATH`, and those that the configuration names. The gateway reads
 * the file itself. This only finds names in its text, and may find too many.
 */
function namedVariables(file: string, env: Where['env']): Record<string, string> {
  const names = new Set(['PATH', 'Path']);
  const text = textOf(file);
  for (const [, name] of text.matchAll(REFERENCE)) names.add(name!);
  for (const [, value] of text.matchAll(INHERITED)) {
    if (value === 'true') for (const name of Object.keys(env)) names.add(name);
    else for (const [, name] of value!.matchAll(NAME)) names.add(name!);
  }
  const found: Record<string, string> = {};
  for (const name of names) if (env[name] !== undefined) found[name] = env[name];
  return found;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Answers every request of a client with one error, so that its user reads what to do. `isSaid`: the message is on
 * standard error already.
 */
async function refuseClient(
  message: string,
  { stdin, stdout, stderr }: Shell,
  { isSaid = false }: { readonly isSaid?: boolean } = {},
): Promise<number> {
  if (!isSaid) stderr.write(`callsign: ${message}\n`);
  const { createInterface } = await import('node:readline');
  for await (const line of createInterface({ input: stdin })) {
    const id = idIn(line);
    if (id === undefined) continue;
    const error = { code: INVALID_REQUEST, message };
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  }
  return EXIT.config;
}

function idIn(line: string): unknown {
  try {
    const { id, method } = JSON.parse(line.replace(/^\uFEFF/, '')) as {
      id?: unknown;
      method?: unknown;
    };
    return method === undefined ? undefined : id;
  } catch {
    return undefined;
  }
}
