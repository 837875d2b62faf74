/** `callsign serve`: loads the configuration, runs the gateway, and shuts it down. */

import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { mayListen } from '@callsign/auth';
import { formatProblems, type Problem } from '@callsign/config';
import type { Log } from '@callsign/core';
import {
  type AdminApi,
  AdminRouter,
  type GatewayStatus,
  healthOf,
  serveAdminApi,
  statusOf,
} from '@callsign/gateway/admin';
import {
  Gateway,
  type GatewayConfig,
  loadWithModules,
  Reloader,
  toolsFailure,
} from '@callsign/gateway/host';
import type { LiveLog } from '@callsign/gateway/telemetry/live-log';
import { createProfileSet } from '@callsign/naming';
import { Interrupted, onOneLine } from '@callsign/terminal';

import { FileFailure } from '../clients/files/file-failure.js';
import { needsYes } from '../command/accepted-configs.js';
import { commandName } from '../command/copyable.js';
import { EndSignal, ignoreHangups } from '../command/end-signal.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, fileComplaint, interruption } from '../command/failure.js';
import { canAsk, type Shell } from '../command/shell.js';
import { type Complaint, createStderr, lineWriter, type Stderr } from '../command/stderr.js';
import { SELF, VERSION } from '../command/version.js';
import { notAccepted, requireConsent } from '../config-file/config-consent.js';
import { writeConfig } from '../config-file/config-text.js';
import { setProblem } from '../config-file/set-problem.js';
import { sharedGateway } from '../connect/shared-gateway.js';
import { backgroundArgs, startInBackground, startService } from '../connect/start-gateway.js';
import { extendChain } from '../fleet/chain.js';
import { howItFailed } from '../fleet/not-started.js';
import { openAdminListener, type AdminListener } from './admin-listener.js';
import { join, openShared } from './join-instances.js';
import { openHttp, openStdio, type HttpSurroundings, type Listener } from './listeners.js';
import { openLogFile } from './log-file.js';
import { readServeOptions, type ServeOptions } from './serve-options.js';
import { AlreadyServed, SharedSocket, type SharedSocketOptions } from './shared-socket.js';

/** How long servers wait for a client's first message on standard input. */
const FIRST_MESSAGE_MS = 500;

const REPAIRED = 'The configuration can be used again, and is in use now.';

export async function serve(args: readonly string[], shell: Shell): Promise<number> {
  const release = ignoreHangups();
  return prepareAndRun(args, shell).finally(release);
}

async function prepareAndRun(args: readonly string[], own: Shell): Promise<number> {
  const options = readServeOptions(args, own);
  const shell = 'wrong' in options || !options.isBackground ? own : inBackground(options, own);
  if ('wrong' in options) {
    const message = `${options.wrong} See: callsign serve --help`;
    const stderr = createStderr({
      json: args.includes('--json'),
      verbose: false,
      name: commandName(shell),
      write: lineWriter(shell),
    });
    return stderr.complain({ exit: EXIT.usage, code: 'usage', message });
  }
  const opened = await openStderr(options, shell);
  const { stderr } = opened;
  const consent = await consentFor(options, shell);
  if ('refused' in consent) return stderr.complain(consent.refused);
  const loaded = await loadWithModules(options.file, {
    env: shell.env,
    isLenient: !options.strict,
    bytes: consent.bytes,
  });
  if (!loaded.ok) return stderr.complain(unusableConfig(options.file, loaded.problems));
  const wrong = profileProblem(options.profile, loaded.config);
  if (wrong !== undefined) {
    const message = `${wrong} See: callsign serve --help`;
    return stderr.complain({ exit: EXIT.usage, code: 'usage', message });
  }
  const unknownSet = setProblem(options.set, loaded.config);
  if (unknownSet !== undefined)
    return stderr.complain({ exit: EXIT.config, code: 'unknown-set', message: unknownSet });
  for (const problem of loaded.warnings) stderr.log('warning', formatProblems([problem]));
  const chain = extendChain(options.file, shell.env);
  if ('wrong' in chain) {
    return stderr.complain({ exit: EXIT.config, code: 'nested-in-itself', message: chain.wrong });
  }
  return run(options, loaded.config, chain.env, shell, opened);
}

/** A gateway in the background writes its messages to a file. */
function inBackground({ file }: ServeOptions, shell: Shell): Shell {
  const stderr = openLogFile(sharedGateway(file, shell.env).log);
  return Object.create(shell, { stderr: { value: stderr } }) as Shell;
}

/** A file of the current folder must be accepted. With HTTP and a terminal, the person is asked now. */
async function consentFor(
  options: ServeOptions,
  shell: Shell,
): Promise<{ bytes: Uint8Array | undefined } | { refused: Complaint }> {
  const { http, json, quiet } = options;
  const isInteractive = http !== undefined && !json && !quiet && canAsk(shell);
  const say = (sentence: string): void => void shell.stderr.write(`${sentence}\n`);
  try {
    return { bytes: await requireConsent({ ...options, shell, isInteractive, say }) };
  } catch (error) {
    if (error instanceof Interrupted) return { refused: interruption().complaint };
    if (error instanceof Failure) return { refused: error.complaint };
    if (error instanceof FileFailure) return { refused: fileComplaint(error) };
    throw error;
  }
}

/** A file of the current folder is applied only as it was accepted. */
function changeRefused(
  options: ServeOptions,
  bytes: Uint8Array | undefined,
  env: Shell['env'],
): string | undefined {
  const { file, origin } = options;
  if (origin === 'folder' && bytes === undefined) return `${file} cannot be read.`;
  return needsYes(options, env, bytes) ? notAccepted(file).message : undefined;
}

interface ServeStderr {
  readonly stderr: Stderr;
  /** On a terminal only. */
  readonly live?: LiveLog;
}

/** A live log on a terminal, JSON lines for programs, sentences elsewhere. */
async function openStderr(options: ServeOptions, shell: Shell): Promise<ServeStderr> {
  const { json, quiet, verbose } = options;
  const name = commandName(shell);
  const written = { ...options, place: options, name, write: lineWriter(shell) };
  if (json) {
    const { createPinoLog } = await import('@callsign/gateway/telemetry/pino-log');
    const log = createPinoLog({ least: verbose ? 'debug' : 'warning' });
    return { stderr: createStderr({ ...written, log }) };
  }
  if (quiet || !shell.stderr.isTTY) return { stderr: createStderr(written) };
  const { LiveLog: Live } = await import('@callsign/gateway/telemetry/live-log');
  const live = new Live({ stream: shell.stderr, env: shell.env, verbose });
  return { stderr: createStderr({ ...written, log: live.log }), live };
}

async function run(
  options: ServeOptions,
  config: GatewayConfig,
  chain: Readonly<Record<string, string>>,
  shell: Shell,
  { stderr, live }: ServeStderr,
): Promise<number> {
  const { log } = stderr;
  const { env } = shell;
  const { profile, set, readOnly } = options;
  const startedAt = new Date().toISOString();
  const shared = await openShared(config, env, log).catch((error: Error) => error);
  if (shared instanceof Error) {
    const message = `The shared storage cannot be used: ${shared.message}.`;
    return stderr.complain({ exit: EXIT.unreachable, code: 'unreachable', message });
  }
  const { storage, instance } = shared;
  const gateway = new Gateway(config, {
    self: SELF,
    env,
    cwd: shell.cwd,
    instance,
    log,
    storage,
    chain,
    readOnly,
    isShared: options.isBackground,
    modules: live ? [{ module: live.module }] : [],
    ...(profile === undefined ? {} : { profile }),
    ...(set === undefined ? {} : { set }),
  });
  // From here on a signal shuts the gateway down cleanly, even while it is starting.
  let reloader: Reloader | undefined;
  const watched = new EventEmitter();
  const whenRead = async (): Promise<void> => {
    if (!reloader) await once(watched, 'watched');
    await reloader?.whenRead();
  };
  const signals = new EndSignal(() => reloader?.look());
  const endLog = logUnexpectedErrors(log);
  const about = () => ({ version: VERSION, config: reloader?.status ?? ({ ok: true } as const) });
  const health = (): object => healthOf(gateway, about());
  const router = new AdminRouter();
  const openRouter = router.hold();
  let listener: Listener | undefined;
  let socket: SharedSocket | undefined;
  const status = (): GatewayStatus =>
    statusOf(gateway, {
      ...about(),
      startedAt,
      url: listener?.url,
      clients: listener?.clients() ?? [],
    });
  let admin: AdminListener | undefined;
  let api: AdminApi | undefined;
  try {
    if (options.isBackground) {
      listener = socket = await openSharedSocket(options, { gateway, env, log, whenRead });
    } else if (options.http) {
      listener = await openHttpListener(options, gateway, { health, router, stderr });
    } else listener = openStdio(gateway, shell, stderr);
    await firstAnswers();
    // Servers are told what the only client can do, so its first message is awaited for a moment.
    // If it has disconnected, nothing else would keep the process alive until the end of the wait.
    if (listener.heard) {
      const patience = sleep(FIRST_MESSAGE_MS, undefined, { ref: false });
      await Promise.race([listener.heard, listener.closed, patience]);
    }
    // After the listener is open, so that no server is started if it cannot be opened.
    gateway.start();
    // The first servers start now, and the rest of this start is done beside them.
    await nextTurn();
    reloader = new Reloader(gateway, log, {
      isLenient: !options.strict,
      refusal: (bytes) => changeRefused(options, bytes, env),
      onRepair: () => stderr.announce(REPAIRED, { repaired: options.file }),
    });
    watched.emit('watched');
    if (storage) await join(gateway, storage, reloader, log);
    api = serveAdminApi(router, {
      gateway,
      reloader,
      status,
      // A file that was accepted stays accepted as the console writes it.
      write: (file, text) => writeConfig(file, text, env),
    });
    // Opened last: commands that find the socket may use every path at once.
    admin = openAdminListener({
      gateway,
      router,
      status,
      log,
      env,
      isBackground: options.isBackground,
    });
    openRouter();
    announceApprovals(gateway.approvals, log, live);
    if (live) void sayReady(live, gateway, listener.url);
    const failed = options.strict ? failure(gateway) : NEVER;
    return await Promise.race([
      signals.asked.then((code) => drainedFor(code, gateway, listener)),
      listener.closed.then(() => EXIT.ok),
      failed.then((complaint) => stderr.complain(complaint)),
    ]);
  } catch (error) {
    // Clients that start together start several. One of them is enough.
    if (error instanceof AlreadyServed) return EXIT.ok;
    const { message } = error as Error;
    return stderr.complain({ exit: EXIT.usage, code: 'cannot-serve', message });
  } finally {
    // Requests that still wait would keep their connections open.
    openRouter();
    reloader?.close();
    await Promise.all([listener?.close(), admin?.close(), api?.close(), gateway.stop()]);
    // After the servers have ended, because their last records still go to the storage.
    await gateway.shared.joined?.close();
    await storage?.close();
    if (socket?.successor?.length) {
      const args = backgroundArgs(options.file, options.origin);
      // An upgraded service starts again in its place, and not beside itself.
      if (!startService(socket.successor, args, env, { verb: 'restart' })) {
        startInBackground(socket.successor, args, env);
      }
    }
    live?.goodbye();
    signals.release();
    endLog();
  }
}

/** SIGTERM lets calls finish. An interrupt does not wait. */
async function drainedFor(
  code: number,
  gateway: Gateway,
  listener: Listener | undefined,
): Promise<number> {
  const isDrained = code === EXIT.ok;
  // No person will answer in time, unless calls of many instances have time to finish.
  if (!isDrained || !gateway.instance) gateway.endWaits();
  if (isDrained) await listener?.drain();
  gateway.endWaits();
  // The callers get their answers before the connections are closed.
  await nextTurn();
  return code;
}

async function sayReady(live: LiveLog, gateway: Gateway, url: string | undefined): Promise<void> {
  await gateway.settled();
  const servers = gateway.status();
  // The gateway was stopped while they started.
  if (servers.some(({ state }) => state.is === 'stopped')) return;
  live.ready({ servers, tools: gateway.hub.entries('tool').size, url });
}

/** The client's first messages are answered before child processes and threads compete for the machine. */
async function firstAnswers(): Promise<void> {
  // Event-loop turns until the first message is read, answered and written.
  for (let turns = 0; turns < 3; turns++) await nextTurn();
}

const NEVER = new Promise<never>(() => undefined);

async function openSharedSocket(
  { file, runsIdle }: ServeOptions,
  { env, ...parts }: Pick<SharedSocketOptions, 'gateway' | 'log' | 'whenRead'> & Pick<Shell, 'env'>,
): Promise<SharedSocket> {
  const idleMs = runsIdle ? Infinity : parts.gateway.config.settings.background.stopAfterMs;
  const socket = new SharedSocket({ ...parts, shared: sharedGateway(file, env), idleMs });
  await socket.open();
  return socket;
}

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

/** Resolves if a server fails to start, once all have been tried. */
async function failure(gateway: Gateway): Promise<Complaint> {
  await gateway.settled();
  const sentences = gateway.status().flatMap(({ key, state }) => {
    const reason = 'reason' in state ? state.reason : `it is ${state.is}`;
    const failed = state.is === 'ready' ? toolsFailure(state) : reason;
    return failed === undefined ? [] : `Server "${key}" ${howItFailed(failed)}.`;
  });
  if (sentences.length === 0) return NEVER;
  const advice = 'To see what servers print: --verbose';
  const message = [...sentences, advice].join('\n');
  return { exit: EXIT.unreachable, code: 'unreachable', message };
}

/** Logs calls that wait for an approval, with the command that decides. */
function announceApprovals(
  approvals: Gateway['approvals'],
  log: Log,
  live: LiveLog | undefined,
): void {
  approvals.subscribe((event) => {
    const { type, id } = event;
    const tool = onOneLine(event.tool);
    if (type === 'settled') {
      const sentence = `${tool} (${id}): ${event.outcome}`;
      if (live) live.approval(sentence);
      else log('info', sentence);
      return;
    }
    const client = approvals.pending.find((each) => each.id === id)?.caller.client ?? '';
    const from = client === '' ? '' : ` from ${onOneLine(client)}`;
    const commands = `To see it: callsign approvals show ${id}. To allow it: callsign approvals approve ${id}`;
    const sentence = `${tool}${from} waits for an approval. ${commands}`;
    if (live) live.approval(sentence);
    else log('warning', sentence);
  });
}

/** Says that there is no such profile; `undefined` if there is. */
function profileProblem(
  profile: string | undefined,
  { settings }: GatewayConfig,
): string | undefined {
  const profiles = createProfileSet({ own: settings.profiles });
  if (profile === undefined || profile === 'auto' || profiles.get(profile)) return undefined;
  return `There is no profile "${profile}". Known: auto, ${profiles.ids.join(', ')}.`;
}

function unusableConfig(file: string, problems: readonly Problem[]): Complaint {
  if (problems.some(({ code }) => code === 'file-not-found')) {
    const advice = "Any client's MCP file works: callsign serve --config ~/.cursor/mcp.json";
    const message = `There is no configuration at ${file}.\n${advice}`;
    return { exit: EXIT.config, code: 'no-config', message };
  }
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const message = `The configuration has ${count}.`;
  return { exit: EXIT.config, code: 'invalid-config', message, problems };
}

/** Such an error is a fault in Callsign, but it must not end the calls of all clients. */
function logUnexpectedErrors(log: Log): () => void {
  const say = (error: unknown): void => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log('error', `Unexpected error. Please report it. ${text}`);
  };
  process.on('unhandledRejection', say);
  process.on('uncaughtException', say);
  return () => {
    process.off('unhandledRejection', say);
    process.off('uncaughtException', say);
  };
}
