/** One configured server with its connection, its remembered offer and its printed lines. */

import type { Call, Question, Reply, Unsubscribe } from '@callsign/core';
import type { PlacedServer } from '@callsign/instances/peers';
import { Upstream, type ChildGroups } from '@callsign/wire';

import type { ServerConfig } from '../config/server-config.js';
import type { Refusals } from '../sandbox/refusals.js';
import type { LimitSettings, Settings } from '../config/settings.js';
import { drained } from './drain.js';
import { createLastWords } from './last-words.js';
import type { MemoryKey } from './offer-memory.js';
import type { ServerPoolOptions } from './server-pool-options.js';
import type { ServerLog } from './server-log.js';
import { redactorOf, type Redact } from './server-redactor.js';
import { toolsFailure } from './tools-failure.js';
import { eraOf, transportOf } from './transport.js';

/** A server of the pool. A reload that keeps the server replaces only `config`. */
export interface ServerProcess {
  config: ServerConfig;
  readonly limits: LimitSettings;
  readonly upstream: Upstream;
  /** Whether its last offer was remembered, so that it is listed before it starts. */
  readonly isCached: boolean;
  /** Starts the server. It is one function per server: `StaggeredStarts` recognises it. */
  readonly start: () => void;
  /** Set if the server runs on one of many instances. */
  readonly placed: PlacedServer | undefined;
  /** When it entered its state, in milliseconds since 1970. */
  since: number;
  /** Ends the watch for idle times. */
  readonly stopWatch: Unsubscribe;
  /** Why it could not replace the server before it, which is still in use. */
  trouble?: string;
}

export interface ServerProcessOptions extends ServerPoolOptions {
  readonly groups: ChildGroups;
  /** What the server prints. */
  readonly printed: ServerLog;
  /** What its sandbox refused. */
  readonly refusals: Refusals;
  readonly memoryKey: MemoryKey;
  readonly settings: () => Settings;
  /** A call waits for this start. */
  readonly onAwaited: (start: () => void) => void;
  /** Whether it starts with its first call, if its last offer is known. */
  readonly isOnDemand: (config: ServerConfig) => boolean;
  /** Whether it must start at once, because it takes the place of a running process. */
  readonly isSuccessor?: boolean;
  /** After how many milliseconds without use it is stopped. `undefined`: never. */
  readonly idleMs: (config: ServerConfig) => number | undefined;
  /** Called when the server asks for the roots of its client. */
  readonly onRoots?: ((running: ServerProcess, calls: readonly Call[]) => void) | undefined;
  /** Answers a question that belongs to no call. */
  readonly answerFor: (running: ServerProcess, question: Question) => Promise<Reply> | undefined;
}

const ADVICE = 'To find out why: callsign doctor';
const START_AGAIN = 'To start it again: callsign reload';

/**
 * Creates the connection of a server and starts nothing; the pool decides when `start` is called.
 */
export function openServerProcess(
  config: ServerConfig,
  limits: LimitSettings,
  options: ServerProcessOptions,
): ServerProcess {
  const { key } = config;
  const { self, log, cwd, chain, isListed, memory, printed, memoryKey, settings } = options;
  const { clientCapabilities, isBrief } = options;
  // A reload that keeps the server may say of other values that they are secret.
  const redact: Redact = (text) => redactorOf(running.config)(text);
  const lastWords = createLastWords(key, log, printed, redact);
  const cached = memory.read(memoryKey);
  const { maxMessageBytes } = limits;
  const local = transportOf(config, {
    maxMessageBytes,
    get env() {
      return options.env;
    },
    cwd,
    chain,
    onStderr: lastWords.hear,
    groups: options.groups,
    onStray: lastWords.stray,
    onNotice: lastWords.note,
    redact,
    sandbox: { file: options.file, refusals: options.refusals, watch: options.watch },
    credentials: options.credentials,
  });
  const isAsleep =
    cached !== undefined && options.isSuccessor !== true && options.isOnDemand(config);
  const onMove = (): void => void upstream.move();
  const placed = runsOnOne(config)
    ? options.instances?.place({ key, local, maxMessageBytes, onMove })
    : undefined;
  const upstream: Upstream = new Upstream({
    key,
    transport: placed?.transport ?? local,
    self,
    era: eraOf(config),
    // Read at each start, so that a change of these does not cause a restart.
    get startTimeoutMs() {
      return running.config.settings.startTimeoutMs;
    },
    // A command starts a server once more only if its failure came soon.
    get restart() {
      const policy = settings().restart;
      const { startTimeoutMs } = running.config.settings;
      const isStarting = upstream.state.is === 'starting';
      const isLate = isBrief && isStarting && Date.now() - running.since > startTimeoutMs / 2;
      return isLate ? { ...policy, giveUpAfter: 1 } : policy;
    },
    get dropsUnavailable() {
      return settings().dropUnavailable;
    },
    cached,
    isAsleep,
    get sleepsAfterFailure() {
      return options.isOnDemand(running.config);
    },
    onRoots: (calls) => options.onRoots?.(running, calls),
    // A server that failed to list its tools must not overwrite the tools that are remembered.
    onOffer: (offer) => {
      if (toolsFailure(upstream.state) === undefined) memory.write(memoryKey, offer);
    },
    explain: lastWords.explain,
    redact,
    advice: ADVICE,
    // No one can reload the gateway of a single command.
    startAgain: isBrief ? undefined : START_AGAIN,
    stillOffers: isListed,
    onAwaited: () => options.onAwaited(start),
    maxPending: limits.maxPendingPerServer,
    lists: limits,
    answer: (question) => options.answerFor(running, question),
    clientCapabilities,
    log: lastWords.log,
  });
  let wasReady = false;
  upstream.onState(({ is }) => {
    running.since = Date.now();
    // The state becomes ready once more whenever the lists of the server change.
    const isReady = is === 'ready';
    if (isReady && !wasReady && upstream.restarts > 0) log('info', `[${key}] is ready again`);
    wasReady = isReady;
  });
  placed?.serve(upstream);
  const isCached = cached !== undefined;
  const start = (): void => void upstream.start();
  const running: ServerProcess = {
    config,
    limits,
    upstream,
    isCached,
    start,
    placed,
    since: Date.now(),
    stopWatch: stopWhenIdle({
      upstream,
      idleMs: () => options.idleMs(running.config),
      isNeeded: () => options.isNeeded(key),
    }),
  };
  return running;
}

/** Ends a server. Other instances may start it only after the last line, so it never runs twice. */
export async function endServerProcess(running: ServerProcess): Promise<void> {
  const { upstream, placed, stopWatch } = running;
  stopWatch();
  placed?.retire();
  await upstream.stop();
  await placed?.close();
}

/**
 * Leaves a server to another instance, and calls it there from then on. `ServerOwner` describes the protocol. Resolves
 * when another instance may run it.
 */
export async function handOver(
  { upstream, placed }: ServerProcess,
  limitMs: number,
): Promise<void> {
  if (!placed) return;
  const end = Date.now() + limitMs;
  placed.retire();
  placed.resign();
  await drained(placed, { limitMs, onLate: () => undefined });
  if (placed.hasLease) await upstream.move(Math.max(0, end - Date.now()));
  await placed.release();
}

/** Whether a server runs on one of many instances only. */
export function runsOnOne({ transport, settings: { placement } }: ServerConfig): boolean {
  return (placement ?? (transport === 'stdio' ? 'one' : 'each')) === 'one';
}

interface IdleStopOptions {
  readonly upstream: Pick<Upstream, 'activity' | 'isBusy' | 'sleep' | 'state'>;
  /** Milliseconds; `undefined`: never. Asked each time, because settings may change. */
  readonly idleMs: () => number | undefined;
  /** Whether a subscription or a task needs the server although no call is under way. */
  readonly isNeeded: () => boolean;
}

/** How often it is looked at, as a part of the time, and in milliseconds. */
const LOOKS = 10;
const [SHORTEST_MS, LONGEST_MS] = [20, 60_000];

/**
 * Puts a server to sleep that no client has used for some time. Looks from time to time, so that calls need no extra work.
 * Ends with the returned function.
 */
function stopWhenIdle({ upstream, idleMs, isNeeded }: IdleStopOptions): Unsubscribe {
  let seen = '';
  let since = Date.now();
  const look = (): void => {
    const limitMs = idleMs();
    const now = upstream.activity;
    const isUsed = upstream.state.is !== 'ready' || upstream.isBusy || now !== seen || isNeeded();
    if (isUsed) [seen, since] = [now, Date.now()];
    else if (limitMs !== undefined && Date.now() - since >= limitMs) upstream.sleep();
    timer = setTimeout(look, pauseFor(limitMs)).unref();
  };
  let timer = setTimeout(look, SHORTEST_MS).unref();
  return () => clearTimeout(timer);
}

function pauseFor(limitMs: number | undefined): number {
  if (limitMs === undefined) return LONGEST_MS;
  return Math.min(Math.max(limitMs / LOOKS, SHORTEST_MS), LONGEST_MS);
}
