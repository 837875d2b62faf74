/** One configured server with its connection, its remembered offer and its printed lines. */

import type { PlacedServer } from '@callsign/instances/peers';
import { Upstream, type ChildGroups } from '@callsign/wire';

import type { ServerConfig } from '../config/server-config.js';
import type { LimitSettings, Settings } from '../config/settings.js';
import { drained } from './drain.js';
import { createLastWords } from './last-words.js';
import type { MemoryKey } from './offer-memory.js';
import type { RosterOptions } from './roster-options.js';
import type { ServerLog } from './server-log.js';
import { redactorOf, type Redact } from './server-redactor.js';
import { toolsFailure } from './tools-failure.js';
import { eraOf, transportOf } from './transport.js';

/** A server of the roster. A reload that keeps the server replaces only `config`. */
export interface Seat {
  config: ServerConfig;
  readonly limits: LimitSettings;
  readonly upstream: Upstream;
  /** Whether its last offer was remembered, so that it is listed before it starts. */
  readonly isRemembered: boolean;
  /** Starts the server. It is one function per seat: `StaggeredStarts` recognises it. */
  readonly start: () => void;
  /** Set if the server runs on one of many instances. */
  readonly placed: PlacedServer | undefined;
  /** When it entered its state, in milliseconds since 1970. */
  since: number;
  /** Why it could not replace the server before it, which is still in use. */
  trouble?: string;
}

export interface SeatOptions extends RosterOptions {
  readonly groups: ChildGroups;
  /** What the server prints. */
  readonly kept: ServerLog;
  readonly memoryKey: MemoryKey;
  readonly settings: () => Settings;
  /** A call waits for this start. */
  readonly onAwaited: (start: () => void) => void;
}

const ADVICE = 'To find out why: callsign doctor';

/**
 * Creates the connection of a server and starts nothing; the roster decides when `start` is called.
 */
export function openSeat(config: ServerConfig, limits: LimitSettings, options: SeatOptions): Seat {
  const { key } = config;
  const { self, log, chain, answer, isListed, memory, kept, memoryKey, settings } = options;
  const { clientCapabilities, isBrief } = options;
  // A reload that keeps the server may say of other values that they are secret.
  const redact: Redact = (text) => redactorOf(seat.config)(text);
  const lastWords = createLastWords(key, log, kept, redact);
  const remembered = memory.read(memoryKey);
  const { maxMessageBytes } = limits;
  const local = transportOf(config, {
    maxMessageBytes,
    chain,
    onStderr: lastWords.hear,
    groups: options.groups,
    onStray: lastWords.stray,
    onNotice: lastWords.note,
    redact,
    credentials: options.credentials,
  });
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
      return seat.config.settings.startTimeoutMs;
    },
    // A command starts a server once more only if its failure came soon.
    get restart() {
      const policy = settings().restart;
      const { startTimeoutMs } = seat.config.settings;
      const isStarting = upstream.state.is === 'starting';
      const isLate = isBrief && isStarting && Date.now() - seat.since > startTimeoutMs / 2;
      return isLate ? { ...policy, giveUpAfter: 1 } : policy;
    },
    get dropsUnavailable() {
      return settings().dropUnavailable;
    },
    remembered,
    // A server that failed to list its tools must not overwrite the tools that are remembered.
    onOffer: (offer) => {
      if (toolsFailure(upstream.state) === undefined) memory.write(memoryKey, offer);
    },
    explain: lastWords.explain,
    redact,
    advice: ADVICE,
    stillOffers: isListed,
    onAwaited: () => options.onAwaited(start),
    maxPending: limits.maxPendingPerServer,
    lists: limits,
    answer,
    clientCapabilities,
    log: lastWords.log,
  });
  let wasReady = false;
  upstream.onState(({ is }) => {
    seat.since = Date.now();
    // The state becomes ready once more whenever the lists of the server change.
    const isReady = is === 'ready';
    if (isReady && !wasReady && upstream.restarts > 0) log('info', `[${key}] is ready again`);
    wasReady = isReady;
  });
  placed?.serve(upstream);
  const isRemembered = remembered !== undefined;
  const start = (): void => void upstream.start();
  const seat: Seat = { config, limits, upstream, isRemembered, start, placed, since: Date.now() };
  return seat;
}

/** Ends a server. Other instances may start it only after the last line, so it never runs twice. */
export async function endSeat({ upstream, placed }: Seat): Promise<void> {
  placed?.retire();
  await upstream.stop();
  await placed?.close();
}

/**
 * Leaves a server to another instance, and calls it there from then on. `ServerPlace` describes the protocol. Resolves
 * when another instance may run it.
 */
export async function handOver({ upstream, placed }: Seat, limitMs: number): Promise<void> {
  if (!placed) return;
  const end = Date.now() + limitMs;
  placed.retire();
  placed.resign();
  await drained(placed, { limitMs, onLate: () => undefined });
  if (placed.isHeld) await upstream.move(Math.max(0, end - Date.now()));
  await placed.release();
}

/** Whether a server runs on one of many instances only. */
export function runsOnOne({ transport, settings: { placement } }: ServerConfig): boolean {
  return (placement ?? (transport === 'stdio' ? 'one' : 'each')) === 'one';
}
