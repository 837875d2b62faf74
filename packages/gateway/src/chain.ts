/** What stands between a client and a server, in the one order that there is. */

import { breaker, limit, resultSize, retry, timeout } from '@callsign/governance';
import type { Clock, Interceptor } from '@callsign/core';

import type { GatewayConfig } from './config/gateway-config.js';
import type { ServerSettings } from './config/settings.js';
import { observe, type Observer } from '@callsign/core';

/** Interceptors that the gateway adds to those of the core, each where it belongs. */
export interface Governors {
  readonly trace?: Interceptor | undefined;
  /** Hear how every call ends, refusals included. */
  readonly observers?: readonly Observer[];
  /** Refuses what cannot be recorded. */
  readonly strict?: Interceptor | undefined;
  readonly roles?: Interceptor;
  readonly policy?: Interceptor;
  /** Lets a call that changes something go on when its intent is written down. */
  readonly intent?: Interceptor;
}

export interface ChainOptions {
  readonly config: () => GatewayConfig;
  readonly whenReady: (server: string) => Promise<boolean>;
  readonly clock: Clock;
}

/**
 * Makes the chain for the configuration of the moment. What counts and remembers is made once, so that
 * a reload does not forget.
 */
export function createChain(options: ChainOptions): (governors: Governors) => Interceptor[] {
  const { config, whenReady, clock } = options;
  const settings = () => config().settings;
  const ofServer = (server: string): ServerSettings | undefined =>
    serverSettings(config()).get(server);
  const limited = limit({
    clock,
    ofServer: (server) => ofServer(server)?.quota ?? settings().quota?.perServer,
    ofCaller: () => settings().quota?.perCaller,
    maxWaitMs: () => settings().quota?.maxWaitMs ?? LONGEST_WAIT_MS,
  });
  const broken = breaker({
    clock,
    failures: () => settings().breaker?.failures ?? Infinity,
    restMs: () => settings().breaker?.restMs ?? 0,
  });
  const sized = resultSize(() => settings().limits.maxResultBytes ?? Infinity);
  const timed = timeout({
    clock,
    limitMs: ({ ref }) => ofServer(ref.server)?.callTimeoutMs ?? LONGEST_WAIT_MS,
  });

  return ({ trace, observers = [], strict, roles, policy, intent }) => {
    const { quota, breaker: rests, limits, retry: again } = settings();
    const counts = quota !== undefined || config().servers.some((each) => each.settings.quota);
    const chain = [
      trace,
      observers.length > 0 ? observe(observers, () => performance.now()) : undefined,
      strict,
      roles,
      policy,
      counts ? limited : undefined,
      rests ? broken : undefined,
      intent,
      limits.maxResultBytes === undefined ? undefined : sized,
      timed,
      again ? retry({ clock, whenBack: whenReady, random: Math.random, ...again }) : undefined,
    ];
    return chain.filter((interceptor) => interceptor !== undefined);
  };
}

/** Where the configuration says nothing, because the server has just left it. */
const LONGEST_WAIT_MS = 60_000;

const known = new WeakMap<GatewayConfig, ReadonlyMap<string, ServerSettings>>();

/** Looked up for every call, so made once for every configuration. */
function serverSettings(config: GatewayConfig): ReadonlyMap<string, ServerSettings> {
  let byKey = known.get(config);
  if (!byKey) {
    byKey = new Map(config.servers.map(({ key, settings }) => [key, settings]));
    known.set(config, byKey);
  }
  return byKey;
}
