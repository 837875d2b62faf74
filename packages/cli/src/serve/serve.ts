/** `callsign serve`: loads the configuration, runs the gateway, and shuts it down. */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';

import { mayListen } from '@callsign/auth';
import { formatProblems } from '@callsign/config';
import {
  Gateway,
  type GatewayConfig,
  loadWithModules,
  Reloader,
  toolsFailure,
} from '@callsign/gateway/host';
import {
  type AdminApi,
  AdminRouter,
  type GatewayStatus,
  healthOf,
  serveAdminApi,
  statusOf,
} from '@callsign/gateway/admin';
import type { LiveLog } from '@callsign/gateway/telemetry/live-log';
import { Interrupted } from '@callsign/terminal';

import { FileFailure } from '../clients/files/file-failure.js';
import { needsYes } from '../command/accepted-configs.js';
import { EndSignal } from '../command/end-signal.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, fileComplaint, interruption } from '../command/failure.js';
import { type Complaint, createStderr, type Stderr } from '../command/stderr.js';
import { SELF, VERSION } from '../command/version.js';
import { notAccepted, requireConsent } from '../config-file/config-consent.js';
import { writeConfig } from '../config-file/config-text.js';
import { fingerprint, rememberGood } from '../first-word/good-configs.js';
import { extendChain } from '../fleet/chain.js';
import { howItFailed } from '../fleet/not-started.js';
import { openAdminListener, type AdminListener } from './admin-listener.js';
import { announceApprovals } from './announced-approvals.js';
import { profileProblem, unusableConfig } from './config-complaints.js';
import { join, openShared } from './join-instances.js';
import { keepGreeting } from './kept-greeting.js';
import { openHttp, openStdio, type HttpSurroundings, type Listener } from './listeners.js';
import { readServeOptions, type ServeOptions } from './serve-options.js';
import { logStrayRejections } from './stray-rejections.js';

/** How long servers wait for a client's first message on standard input. */
const FIRST_WORD_MS = 500;

const REPAIRED = 'The configuration can be used again, and is in use now.';

/** `greeted`: a message from the client that was already answered. */
export async function serve(args: readonly string[], greeted?: string): Promise<number> {
  const options = readServeOptions(args);
  if ('wrong' in options) {
    const message = `${options.wrong} See: callsign serve --help`;
    const stderr = createStderr({ json: args.includes('--json'), verbose: false });
    return stderr.complain({ exit: EXIT.usage, code: 'usage', message });
  }
  const opened = await openStderr(options);
  const { stderr } = opened;
  // Taken before the file is read, so that a change during the check is noticed.
  const mark = fingerprint(options.file);
  const consent = await consentFor(options);
  if ('refused' in consent) return stderr.complain(consent.refused);
  const loaded = await loadWithModules(options.file, {
    isLenient: !options.strict,
    bytes: consent.bytes,
  });
  if (!loaded.ok) return stderr.complain(unusableConfig(options.file, loaded.problems));
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
  return run(options, loaded.config, chain.env, { ...opened, greeted, mark });
}

function sayOnStderr(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** A file of the current folder must be accepted. With HTTP and a terminal, the person is asked now. */
async function consentFor(
  options: ServeOptions,
): Promise<{ bytes: Uint8Array | undefined } | { refused: Complaint }> {
  const { http, json, quiet } = options;
  const isInteractive = http !== undefined && !json && !quiet && isatty(0) && isatty(2);
  try {
    return { bytes: await requireConsent({ ...options, isInteractive, say: sayOnStderr }) };
  } catch (error) {
    if (error instanceof Interrupted) return { refused: interruption().complaint };
    if (error instanceof Failure) return { refused: error.complaint };
    if (error instanceof FileFailure) return { refused: fileComplaint(error) };
    throw error;
  }
}

/** A file of the current folder is applied only as it was accepted. */
function changeRefused(options: ServeOptions, bytes: Uint8Array | undefined): string | undefined {
  const { file, origin } = options;
  if (origin === 'folder' && bytes === undefined) return `${file} cannot be read.`;
  return needsYes(options, bytes) ? notAccepted(file).message : undefined;
}

interface ServeStderr {
  readonly stderr: Stderr;
  /** On a terminal only. */
  readonly live?: LiveLog;
}

/** A live log on a terminal, JSON lines for programs, sentences elsewhere. */
async function openStderr(options: ServeOptions): Promise<ServeStderr> {
  const { json, quiet, verbose } = options;
  if (json) {
    const { createPinoLog } = await import('@callsign/gateway/telemetry/pino-log');
    const log = createPinoLog({ least: verbose ? 'debug' : 'warning' });
    return { stderr: createStderr({ ...options, log, place: options }) };
  }
  if (quiet || !process.stderr.isTTY)
    return { stderr: createStderr({ ...options, place: options }) };
  const { LiveLog: Live } = await import('@callsign/gateway/telemetry/live-log');
  const live = new Live({ stream: process.stderr, env: process.env, verbose });
  return { stderr: createStderr({ ...options, log: live.log, place: options }), live };
}

interface Start extends ServeStderr {
  /** A message from the client that was already answered. */
  readonly greeted: string | undefined;
  /** The fingerprint of the configuration before it was read. */
  readonly mark: string | undefined;
}

async function run(
  options: ServeOptions,
  config: GatewayConfig,
  chain: Readonly<Record<string, string>>,
  { stderr, live, greeted, mark }: Start,
): Promise<number> {
  const { log } = stderr;
  const { profile, readOnly } = options;
  const startedAt = new Date().toISOString();
  const shared = await openShared(config, log).catch((error: Error) => error);
  if (shared instanceof Error) {
    const message = `The shared storage cannot be used: ${shared.message}.`;
    return stderr.complain({ exit: EXIT.unreachable, code: 'unreachable', message });
  }
  const { storage, instance } = shared;
  const gateway = new Gateway(config, {
    self: SELF,
    instance,
    log,
    storage,
    chain,
    readOnly,
    modules: live ? [{ module: live.module }] : [],
    ...(profile === undefined ? {} : { profile }),
  });
  // From here on a signal shuts the gateway down cleanly, also while it is starting.
  let reloader: Reloader | undefined;
  const signals = new EndSignal(() => reloader?.look());
  const endLog = logStrayRejections(log);
  const about = () => ({ version: VERSION, config: reloader?.status ?? ({ ok: true } as const) });
  const health = (): object => healthOf(gateway, about());
  const router = new AdminRouter();
  const openRouter = router.hold();
  let listener: Listener | undefined;
  const status = (): GatewayStatus =>
    statusOf(gateway, {
      ...about(),
      startedAt,
      url: listener?.url,
      clients: listener?.clients() ?? [],
    });
  let admin: AdminListener | undefined;
  let api: AdminApi | undefined;
  let forgetGreeting: (() => void) | undefined;
  try {
    listener = options.http
      ? await openHttpListener(options, gateway, { health, router, stderr })
      : openStdio(gateway, stderr, greeted);
    await firstWords();
    // Servers are told what the only client can do, so its first message is awaited for a moment.
    // If it has disconnected, nothing else would keep the process alive until the end of the wait.
    if (listener.heard) {
      const patience = sleep(FIRST_WORD_MS, undefined, { ref: false });
      await Promise.race([listener.heard, listener.closed, patience]);
    }
    // After the listener is open, so that no server is started if it cannot be opened.
    gateway.start();
    // The first servers start now, and the rest of this start is done beside them.
    await nextTurn();
    reloader = new Reloader(gateway, log, {
      isLenient: !options.strict,
      refusal: (bytes) => changeRefused(options, bytes),
      onRepair: () => stderr.announce(REPAIRED, { repaired: options.file }),
    });
    if (storage) await join(gateway, storage, reloader, log);
    api = serveAdminApi(router, {
      gateway,
      reloader,
      status,
      // A file that was accepted stays accepted as the console writes it.
      write: writeConfig,
    });
    // Opened last: commands that find the socket may use every path at once.
    admin = openAdminListener({ gateway, router, status, log });
    openRouter();
    announceApprovals(gateway.approvals, log, live);
    if (live) void sayReady(live, gateway, listener.url);
    rememberGood(options.file, mark);
    forgetGreeting = keepGreeting(gateway, options.file);
    const failed = options.strict ? failure(gateway) : NEVER;
    return await Promise.race([
      signals.asked.then((code) => drainedFor(code, gateway, listener)),
      listener.closed.then(() => EXIT.ok),
      failed.then((complaint) => stderr.complain(complaint)),
    ]);
  } catch (error) {
    const { message } = error as Error;
    return stderr.complain({ exit: EXIT.usage, code: 'cannot-serve', message });
  } finally {
    // Requests that still wait would keep their connections open.
    openRouter();
    reloader?.close();
    // Servers that end remove their instructions.
    forgetGreeting?.();
    await Promise.all([listener?.close(), admin?.close(), api?.close(), gateway.stop()]);
    // After the servers have ended, because their last records still go to the storage.
    await gateway.shared.joined?.close();
    await storage?.close();
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
async function firstWords(): Promise<void> {
  // Event-loop turns until the first message is read, answered and written.
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
