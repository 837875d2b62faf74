/** The servers of a configuration as a command sees them: named and labelled as the gateway does, none running. */

import type { AdminClient, OfferedTools } from '@callsign/admin';
import type { Entry, View } from '@callsign/core';
import { Gateway, type GatewayConfig, type ServerConfig } from '@callsign/gateway';
import { createProfileSet, type ProfileSet } from '@callsign/naming';

import { requireConfig, usageFailure, type Context } from '@callsign/command';
import { onOneLine } from '@callsign/terminal';
import { definitionOf, readCatalogue, writeCatalogue, type CataloguedServer } from './catalogue.js';
import { harvest } from './harvest.js';
import { findLive, liveOffers, type LiveWords } from './live-gateway.js';
import { howItFailed } from './not-started.js';
import { notedSource } from './noted-source.js';
import { SELF } from './running-gateway.js';

export interface Fleet {
  readonly config: GatewayConfig;
  readonly servers: readonly CataloguedServer[];
  /** Whether anything that matters in it was noted at another time. */
  readonly isNoted: boolean;
  /** Every tool, by canonical name, in the order of the file. */
  readonly tools: ReadonlyMap<string, Entry>;
  /** The built-in profiles and those of the configuration. */
  readonly profiles: ProfileSet;
  /** The view under a profile; without one, that of a client that nothing is known about. */
  view(profile?: string): View;
}

export interface FleetOptions {
  /** Whether to start every server, whatever is noted. */
  readonly refresh?: boolean | undefined;
  /** The key of the one server that matters; the others are there as far as they are noted. */
  readonly only?: string | undefined;
  /** The running gateway to ask. What it offers now counts; nothing is started for it. */
  readonly live?: AdminClient | undefined;
}

/** Starts only those servers of which nothing is noted, and notes what they offer. */
export async function openFleet(
  context: Context,
  config: GatewayConfig,
  { refresh = false, only, live }: FleetOptions = {},
): Promise<Fleet> {
  const { file, env } = context;
  const notes = new Map(readCatalogue(file, env).map((server) => [server.key, server]));
  const offered = live ? notesOf(await liveOffers(context, live, only), config) : [];
  for (const server of offered) notes.set(server.key, server);
  const isLive = (key: string): boolean => offered.some((server) => server.key === key);
  const isNoted = (server: ServerConfig): boolean =>
    isLive(server.key) || notes.get(server.key)?.definition === definitionOf(server);
  const wanted = config.servers.filter(({ key }) => only === undefined || key === only);
  const asked = wanted.filter((server) => (refresh && !isLive(server.key)) || !isNoted(server));
  if (asked.length > 0) {
    for (const server of await harvest(context, config, asked)) notes.set(server.key, server);
  }
  const servers = config.servers.filter(isNoted).map(({ key }) => notes.get(key)!);
  // A server that is down for a moment does not replace what is known of it.
  const isWhole = offered.length > 0 && offered.every(({ failure }) => failure === undefined);
  if (asked.length > 0 || isWhole) writeCatalogue(file, servers, env);
  const missing = (config.unavailable ?? []).flatMap(({ key }) => {
    return offered.find((server) => server.key === key) ?? [];
  });
  const isFresh = wanted.every((server) => isLive(server.key) || asked.includes(server));
  return fleetOf(config, [...servers, ...missing], !isFresh);
}

/** A server that lacks something here, such as a variable, may well run at the gateway. */
function notesOf(offers: readonly OfferedTools[], config: GatewayConfig): CataloguedServer[] {
  const noted = new Date().toISOString();
  return offers.flatMap(({ key, state, tools, instructions }) => {
    const failure = 'reason' in state ? { failure: state.reason } : {};
    const server = config.servers.find((each) => each.key === key);
    if (server)
      return { key, definition: definitionOf(server), noted, tools, instructions, ...failure };
    const isElsewhere =
      state.is === 'ready' && config.unavailable?.some((each) => each.key === key);
    return isElsewhere ? { key, definition: '', noted, tools, instructions } : [];
  });
}

/** A fleet, from the running gateway if there is one, with a warning about what is wrong in it. */
export async function requireFleet(
  context: Context,
  { pid, ...options }: Omit<FleetOptions, 'live'> & LiveWords,
): Promise<Fleet> {
  const config = await requireConfig(context);
  const live = await findLive(context, pid === undefined ? {} : { pid });
  const fleet = await openFleet(context, config, { ...options, live });
  warnOfFleet(context, fleet);
  return fleet;
}

/** Warns of servers that did not start, and of accepted labels that have lapsed. */
export function warnOfFleet({ stderr }: Context, { servers, tools }: Fleet): void {
  for (const { key, failure } of servers) {
    if (failure === undefined) continue;
    const advice = 'To try again: --refresh; to find out why: callsign doctor';
    stderr.log('warning', `Server "${key}" ${howItFailed(onOneLine(failure))}. ${advice}`);
  }
  for (const { canonical, hasLapsed, ref } of tools.values()) {
    if (!hasLapsed) continue;
    const what = `The accepted label of ${onOneLine(canonical)} has lapsed`;
    const advice = `To review it: callsign labels review ${onOneLine(ref.server)}`;
    stderr.log('warning', `${what}, because its definition has changed. ${advice}`);
  }
}

export function fleetOf(
  config: GatewayConfig,
  servers: readonly CataloguedServer[],
  isNoted: boolean,
): Fleet {
  const gateway = new Gateway(config, { self: SELF, log: () => undefined });
  for (const { key, tools, instructions } of servers) {
    gateway.hub.set(key, notedSource(key, tools, instructions));
  }
  const { profiles: own, clientKey } = config.settings;
  const profiles = createProfileSet({ own, clientKey });
  return {
    config,
    servers,
    isNoted,
    profiles,
    tools: gateway.hub.entries('tool'),
    view(profile) {
      const view = profile === undefined ? gateway.viewFor(undefined) : gateway.viewOf(profile);
      if (view) return view;
      throw usageFailure(`There is no profile "${profile}". Known: ${profiles.ids.join(', ')}.`);
    },
  };
}
