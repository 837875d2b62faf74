/**
 * The servers of a configuration as commands see them: named and labelled as in the gateway, not
 * running.
 */

import {
  type Entry,
  type Item,
  type View,
  CallsignError,
  NOTHING,
  type Source,
} from '@callsign/core';
import type { AdminClient, OfferedTools } from '@callsign/gateway/admin';
import { Gateway, type GatewayConfig, cachedOffers, type Settings } from '@callsign/gateway/host';
import { createProfileSet, type ProfileSet } from '@callsign/naming';
import { onOneLine } from '@callsign/terminal';

import type { Context } from '../command/command.js';
import { usageFailure } from '../command/failure.js';
import { readRequired, serverNamed } from '../config-file/required-config.js';
import { harvest } from './harvest.js';
import { withStateStoresOf } from './state-stores.js';
import { findLive, liveOffers, type LiveWords } from './live-gateway.js';
import { startTrouble } from './not-started.js';
import type { OfferedServer } from './offered-server.js';
import { SELF } from './running-gateway.js';
import { withheldIn, type Withheld } from './withheld.js';

/** A snapshot: it does not change when the servers do. */
export interface Fleet {
  readonly config: GatewayConfig;
  readonly servers: readonly OfferedServer[];
  /** Whether some tools come from an earlier start, so that a missing tool may exist by now. */
  readonly isCached: boolean;
  /** Every tool, by canonical name, in the order of the file. */
  readonly tools: ReadonlyMap<string, Entry>;
  /** The tools among them that the lock file or the quarantine withholds, and why. */
  readonly withheld: Withheld;
  /** The built-in profiles and those of the configuration. */
  readonly profiles: ProfileSet;
  /** The view under a profile. Default: the view of an unknown client. */
  view(profile?: string): View;
}

/** Which servers are asked again. */
export interface FleetOptions {
  /** Whether to start every server, even if its tools are remembered. */
  readonly refresh?: boolean | undefined;
  /** If false, nothing is started, so servers that are not remembered have no tools. Default: true. */
  readonly starts?: boolean | undefined;
  /** The key of the one server to ask. Others are included only as far as they are remembered. */
  readonly only?: string | undefined;
  /**
   * The running gateway to ask. Its current tools win over remembered ones, and nothing is started.
   */
  readonly live?: AdminClient | undefined;
}

/**
 * Opens a fleet: asks the running gateway, then uses remembered tools, then starts the servers
 * left.
 */
export async function openFleet(
  context: Context,
  config: GatewayConfig,
  { refresh = false, starts = true, only, live }: FleetOptions = {},
): Promise<Fleet> {
  const known = new Map<string, OfferedServer>();
  const cached = await withStateStoresOf(context, config, async (stores) =>
    cachedOffers(config, context.env, stores),
  );
  for (const [key, { lists, instructions }] of cached) {
    known.set(key, { key, tools: lists.tool, instructions });
  }
  const offered = live ? offersAt(await liveOffers(context, live, only), config) : [];
  for (const server of offered) known.set(server.key, server);
  const isLive = (key: string): boolean => offered.some((server) => server.key === key);
  const wanted = config.servers.filter(({ key }) => only === undefined || key === only);
  const asked = wanted.filter(({ key }) => {
    return starts && ((refresh && !isLive(key)) || !known.has(key));
  });
  if (asked.length > 0) {
    for (const server of await harvest(context, config, asked)) known.set(server.key, server);
  }
  const servers = config.servers.flatMap(({ key }) => known.get(key) ?? []);
  const missing = (config.unavailable ?? []).flatMap(({ key }) => {
    return offered.find((server) => server.key === key) ?? [];
  });
  const isFresh = wanted.every((server) => isLive(server.key) || asked.includes(server));
  const all = [...servers, ...missing];
  return fleetOf(config, all, !isFresh, await withheldIn(context, config, all), context.env);
}

/** The tools that servers offered last, by their keys. Starts nothing. */
export function cachedTools(
  config: GatewayConfig,
  env: Context['env'],
): ReadonlyMap<string, readonly Item[]> {
  const offers = cachedOffers(config, env);
  return new Map(Array.from(offers, ([key, { lists }]) => [key, lists.tool]));
}

/**
 * A server whose entry fails here, such as for a missing variable, may still run at the gateway.
 */
function offersAt(offers: readonly OfferedTools[], config: GatewayConfig): OfferedServer[] {
  return offers.flatMap(({ key, state, tools, instructions }) => {
    const failure =
      'reason' in state ? { failure: state.reason, isGivenUp: state.is === 'failed' } : {};
    const isOurs = config.servers.some((each) => each.key === key);
    if (isOurs) return { key, tools, instructions, ...failure };
    const isElsewhere =
      state.is === 'ready' && config.unavailable?.some((each) => each.key === key);
    return isElsewhere ? { key, tools, instructions } : [];
  });
}

type RequireOptions = Omit<FleetOptions, 'live'> &
  LiveWords & {
    /** A name or a pattern. If it begins with the key of a server, warnings are about that server. */
    readonly about?: string | undefined;
  };

/** Opens the fleet with `requireQuietFleet`, and prints warnings. */
export async function requireFleet(context: Context, options: RequireOptions): Promise<Fleet> {
  const fleet = await requireQuietFleet(context, options);
  warnOfFleet(context, fleet, options.about);
  return fleet;
}

/**
 * Loads the configuration, and opens the fleet at the running gateway if there is one. Prints no
 * warnings, for commands that may fail with the same words.
 */
export async function requireQuietFleet(
  context: Context,
  { pid, about, ...options }: RequireOptions,
): Promise<Fleet> {
  const { config, warn } = await readRequired(context);
  warn(about === undefined ? undefined : serverNamed(about, config));
  const live = await findLive(context, pid === undefined ? {} : { pid });
  return openFleet(context, config, { ...options, live });
}

/**
 * Warns of servers that did not start, and of accepted labels that have lapsed. `about`: only of
 * the server that it names, if it names one.
 */
export function warnOfFleet(
  { stderr }: Context,
  { config, servers, tools }: Fleet,
  about?: string,
): void {
  const only = about === undefined ? undefined : serverNamed(about, config);
  for (const { key, failure, isGivenUp } of servers) {
    if (failure === undefined || (only !== undefined && key !== only)) continue;
    const [sentence, ...advice] = startTrouble(key, onOneLine(failure), isGivenUp);
    stderr.log('warning', `${sentence} ${advice.join('. ')}`);
  }
  for (const { canonical, hasLapsed, ref } of tools.values()) {
    if (!hasLapsed || (only !== undefined && ref.server !== only)) continue;
    const what = `The accepted label of ${onOneLine(canonical)} has expired`;
    const advice = `To review it: callsign labels review ${onOneLine(ref.server)}`;
    stderr.log('warning', `${what}, because its definition has changed. ${advice}`);
  }
}

/**
 * Puts known tools into a gateway that is never started: only its naming and labelling are used.
 */
export function fleetOf(
  config: GatewayConfig,
  servers: readonly OfferedServer[],
  isCached: boolean,
  withheld: Withheld = new Map(),
  env?: Context['env'],
): Fleet {
  // Withheld tools are listed too, so that commands can say why they are withheld.
  const settings: Settings = { ...config.settings, lock: 'off', quarantine: 'off' };
  const gateway = new Gateway(
    { ...config, settings },
    {
      self: SELF,
      log: () => undefined,
      ...(env ? { env } : {}),
    },
  );
  for (const { key, tools, instructions } of servers) {
    gateway.hub.set(key, cachedSource(key, tools, instructions));
  }
  const { profiles: own, clientKey } = config.settings;
  const profiles = createProfileSet({ own, clientKey });
  return {
    config,
    servers,
    isCached,
    profiles,
    tools: gateway.hub.entries('tool'),
    withheld,
    view(profile) {
      const view = profile === undefined ? gateway.viewFor(undefined) : gateway.viewOf(profile);
      if (view) return view;
      throw usageFailure(`There is no profile "${profile}". Known: ${profiles.ids.join(', ')}.`);
    },
  };
}

/** A Source made of a remembered list. It lists tools and refuses every call. */
export function cachedSource(
  server: string,
  tools: readonly Item[],
  instructions?: string,
): Source {
  const byName = new Map(tools.map((item) => [item.name, item]));
  return {
    offer: { ...NOTHING, tool: tools },
    instructions,
    route(kind, name) {
      const item = kind === 'tool' ? byName.get(name) : undefined;
      if (!item) return undefined;
      const reason = 'it has not been started';
      const send = () =>
        Promise.reject(new CallsignError('upstream-unavailable', { server, reason }));
      return { item, send };
    },
    subscribe: () => () => undefined,
    tell: () => undefined,
  };
}
