/** `callsign serve`: a configuration, a gateway, a listener, and an orderly end. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { isatty } from 'node:tty';

import { formatProblems } from '@callsign/config';
import { AdminRouter, Gateway, loadWithModules, Reloader, serveAdminApi } from '@callsign/gateway';
import { mayListen } from '@callsign/auth';
import type { GatewayConfig } from '@callsign/gateway';
import type { Problem } from '@callsign/config';
import { createProfileSet } from '@callsign/naming';
import { Interrupted } from '@callsign/terminal';

import { openAdminListener, type AdminListener } from './admin-listener.js';
import { extendChain } from '../fleet/chain.js';
import { EndSignal } from '../command/end-signal.js';
import { needsYes } from '@callsign/command/accepted-configs';
import { EXIT } from '../command/exit-code.js';
import { Failure, interruption } from '../command/failure.js';
import { notAccepted, requireConsent } from '@callsign/command';
import { startsOf, writeConfig } from '../config-file/config-text.js';
import { fingerprint, rememberGood } from '../first-word/good-configs.js';
import { openHttp, openStdio, type HttpSurroundings, type Listener } from './listeners.js';
import { readServeOptions, type ServeOptions } from './serve-options.js';
import { createStderr, type Complaint, type Stderr } from '../command/stderr.js';
import { SELF, VERSION } from '../command/version.js';

export const SERVE_HELP = `callsign serve [--config FILE] [--stdio | --http [HOST:]PORT] [--profile NAME] [--strict] [--read-only]

  --config FILE    any client's MCP configuration (default: ./callsign.json, else yours)
  --stdio          serve on standard input and output (default)
  --http PORT      serve on http://127.0.0.1:PORT/mcp; also HOST:PORT, [IPv6]:PORT, and 0 for any free port
  --profile NAME   the client whose names to use, instead of asking the client
  --strict         exit if a server fails to start
  --read-only      offer only tools that are labelled read; says how many others there are
  --allow-unauthenticated
                   let everybody in who reaches an address that others can reach
  --quiet          say nothing on standard error but errors
  --verbose        say more on standard error, and show what the servers say there
  --json           speak JSON on standard error, one object per line
`;

/** `greeted`: a message of the client that was answered already. */
export async function serve(args: readonly string[], greeted?: string): Promise<number> {
  const options = readServeOptions(args);
  if ('wrong' in options) {
    const message = `${options.wrong} See: callsign serve --help`;
    const stderr = createStderr({ json: args.includes('--json'), verbose: false });
    return stderr.complain({ exit: EXIT.usage, code: 'usage', message });
  }
  if (options.help) {
    process.stdout.write(SERVE_HELP);
    return EXIT.ok;
  }
  const stderr = await openStderr(options);
  const refused = await refusal(options);
  if (refused) return stderr.complain(refused);
  const mark = fingerprint(options.file);
  const loaded = await loadWithModules(options.file, { isLenient: !options.strict });
  if (!loaded.ok) return stderr.complain(whatIsWrong(options.file, loaded.problems));
  const wrong = profileProblem(options.profile, loaded.config);
  if (wrong !== undefined) {
    const message = `${wrong} See: callsign serve --help`;
    return stderr.complain({ exit: EXIT.usage, code: 'usage', message });
  }
  for (const problem of loaded.warnings) stderr.log('warning', formatProblems([problem]));
  const chain = extendChain(options.file, process.env);
  if ('wrong' in chain) {
    return stderr.complain({ exit: EXIT.config, code: 'nested-in-itself', message: chain.wrong });
  }
  return run(options, loaded.config, chain.env, { stderr, greeted, mark });
}

function sayOnStderr(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** A file of the current folder needs a yes. Who serves over HTTP at a terminal can give it now. */
async function refusal(options: ServeOptions): Promise<Complaint | undefined> {
  const { file, http, json, quiet } = options;
  if (!needsYes(options)) return undefined;
  const isInteractive = http !== undefined && !json && !quiet && isatty(0) && isatty(2);
  try {
    await requireConsent({ ...options, isInteractive, say: sayOnStderr }, () => startsOf(file));
    return undefined;
  } catch (error) {
    if (error instanceof Interrupted) return interruption().complaint;
    if (error instanceof Failure) return error.complaint;
    throw error;
  }
}

function profileProblem(
  profile: string | undefined,
  { settings }: GatewayConfig,
): string | undefined {
  const profiles = createProfileSet({ own: settings.profiles });
  if (profile === undefined || profile === 'auto' || profiles.get(profile)) return undefined;
  return `There is no profile "${profile}". Known: auto, ${profiles.ids.join(', ')}.`;
}

/** Machines get lines with a time, from a log that is made for them; nobody else waits for it to load. */
async function openStderr(options: ServeOptions): Promise<Stderr> {
  if (!options.json) return createStderr(options);
  const { createPinoLog } = await import('@callsign/gateway/pino-log');
  const log = createPinoLog({ least: options.verbose ? 'debug' : 'warning' });
  return createStderr({ ...options, log });
}

interface Start {
  readonly stderr: Stderr;
  /** A message of the client that was answered already. */
  readonly greeted: string | undefined;
  /** What the configuration was when it was read. */
  readonly mark: string | undefined;
}

async function run(
  options: ServeOptions,
  config: GatewayConfig,
  chain: Readonly<Record<string, string>>,
  { stderr, greeted, mark }: Start,
): Promise<number> {
  const { log } = stderr;
  const { profile, readOnly } = options;
  const gateway = new Gateway(config, {
    self: SELF,
    log,
    chain,
    readOnly,
    ...(profile === undefined ? {} : { profile }),
  });
  let reloader: Reloader | undefined;
  const signals = new EndSignal(() => reloader?.look());
  const health = (): object => healthOf(gateway, reloader?.status ?? { ok: true });
  const router = new AdminRouter();
  serveAdminApi(router, {
    gateway,
    configStatus: () => reloader?.status ?? { ok: true },
    reload: () => reloader?.look(),
    // A file that was accepted stays accepted as the console writes it.
    write: writeConfig,
  });
  router.on('GET', '/status', health);
  let listener: Listener | undefined;
  let admin: AdminListener | undefined;
  try {
    listener = options.http
      ? await openHttpListener(options, gateway, { health, router, stderr })
      : openStdio(gateway, stderr, greeted);
    await firstWords();
    // Not before the listener is open: if it cannot be, no child has been started in vain.
    gateway.start();
    reloader = new Reloader(gateway, log, {
      isLenient: !options.strict,
      refusal: () => (needsYes(options) ? notAccepted(options.file).message : undefined),
    });
    admin = openAdminListener({ gateway, router, log });
    rememberGood(options.file, mark);
    const failed = options.strict ? failure(gateway) : NEVER;
    return await Promise.race([
      signals.asked,
      listener.closed.then(() => EXIT.ok),
      failed.then((complaint) => stderr.complain(complaint)),
    ]);
  } catch (error) {
    const { message } = error as Error;
    return stderr.complain({ exit: EXIT.usage, code: 'cannot-serve', message });
  } finally {
    reloader?.close();
    await Promise.all([listener?.close(), admin?.close(), gateway.stop()]);
    signals.release();
  }
}

/** What a client has said already is answered before children and threads want their share of the machine. */
async function firstWords(): Promise<void> {
  // To begin to read, to read and answer, and to write.
  for (let turns = 0; turns < 3; turns++) await nextTurn();
}

const NEVER = new Promise<never>(() => undefined);

function openHttpListener(
  { http, isOpen }: ServeOptions,
  gateway: Gateway,
  around: HttpSurroundings,
): Promise<Listener> {
  const address = { ...gateway.config.settings.http, ...http };
  const wrong = mayListen(address.host, gateway.config.settings.auth, isOpen);
  if (wrong !== undefined) throw new Error(wrong);
  return openHttp(gateway, address, around);
}

function healthOf(gateway: Gateway, config: Reloader['status']): object {
  const { audit } = gateway;
  return {
    status: 'ok',
    version: VERSION,
    config,
    servers: gateway.status(),
    ...(audit ? { audit } : {}),
  };
}

/** Resolves if a server fails to start, once all have been tried. */
async function failure(gateway: Gateway): Promise<Complaint> {
  await gateway.settled();
  const failed = gateway.status().filter(({ state }) => state.is !== 'ready');
  if (failed.length === 0) return NEVER;
  const sentences = failed.map(({ key, state }) => {
    const reason = 'reason' in state ? state.reason : `it is ${state.is}`;
    return `Server "${key}" did not start: ${reason}.`;
  });
  const advice = 'To see what servers print: --verbose';
  const message = [...sentences, advice].join('\n');
  return { exit: EXIT.unreachable, code: 'unreachable', message };
}

function whatIsWrong(file: string, problems: readonly Problem[]): Complaint {
  if (problems.some(({ code }) => code === 'file-not-found')) {
    const advice = "Any client's MCP file works: callsign serve --config ~/.cursor/mcp.json";
    const message = `There is no configuration at ${file}.\n${advice}`;
    return { exit: EXIT.config, code: 'no-config', message };
  }
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const message = `The configuration has ${count}.`;
  return { exit: EXIT.config, code: 'invalid-config', message, problems };
}
