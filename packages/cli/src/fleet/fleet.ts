/** The servers of a configuration as a command sees them: named and labelled as the gateway does, none running. */

import type { Entry, View } from '@callsign/core';
import { Gateway, type GatewayConfig, type ServerConfig } from '@callsign/gateway';
import { createProfileSet, type ProfileSet } from '@callsign/naming';

import type { Context } from '../command/command.js';
import { requireConfig } from '../config-file/config-text.js';
import { usageFailure } from '../command/failure.js';
import { onOneLine } from '@callsign/terminal';
import { definitionOf, readCatalogue, writeCatalogue, type CataloguedServer } from './catalogue.js';
import { harvest } from './harvest.js';
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
}

/** Starts only those servers of which nothing is noted, and notes what they offer. */
export async function openFleet(
  context: Context,
  config: GatewayConfig,
  { refresh = false, only }: FleetOptions = {},
): Promise<Fleet> {
  const { file, env } = context;
  const notes = new Map(readCatalogue(file, env).map((server) => [server.key, server]));
  const isNoted = (server: ServerConfig): boolean =>
    notes.get(server.key)?.definition === definitionOf(server);
  const wanted = config.servers.filter(({ key }) => only === undefined || key === only);
  const asked = wanted.filter((server) => refresh || !isNoted(server));
  if (asked.length > 0) {
    for (const server of await harvest(context, config, asked)) notes.set(server.key, server);
  }
  const servers = config.servers.filter(isNoted).map(({ key }) => notes.get(key)!);
  if (asked.length > 0) writeCatalogue(file, servers, env);
  return fleetOf(config, servers, asked.length < wanted.length);
}

/** A fleet, with a warning about what is wrong in it. */
export async function requireFleet(context: Context, options: FleetOptions): Promise<Fleet> {
  const fleet = await openFleet(context, await requireConfig(context), options);
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
  for (const { key, tools } of servers) gateway.hub.set(key, notedSource(key, tools));
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
