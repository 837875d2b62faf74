/** Answers the hub's questions from the settings: which tools are offered, and what labels them. */

import { isDeepStrictEqual } from 'node:util';

import { isSwitchedOn, type ToolLists, toolListsOf } from '@callsign/config';
import { globMatcher, type HubOptions, type Item, type Label } from '@callsign/core';
import { definitionOf } from '@callsign/governance';
import { canonicalName, OWN_SERVER_KEY, type ToolRef } from '@callsign/naming';

import type { GatewayConfig } from '../config/gateway-config.js';
import type { ServerSettings, ViewKind } from '../config/settings.js';
import { effectOf } from '../sandbox/observation.js';
import type { ObservationStore } from '../sandbox/observation-store.js';

/** Made for one configuration. A reload replaces it, and compares both with `sameLabels`. */
export interface Labels extends Required<Pick<HubOptions, 'admits' | 'label' | 'displayName'>> {
  viewOf(server: string): ViewKind;
  /** Whether clients may read the server's instructions. */
  showsInstructions(server: string): boolean;
}

/** `observations`: what tools of servers tried when they were watched. */
export function createLabels(
  { servers, unavailable = [], settings }: GatewayConfig,
  observations?: Pick<ObservationStore, 'of'>,
): Labels {
  const observed = new Map(
    servers.map((server) => [
      server.key,
      new Map((observations?.of(server) ?? []).map((each) => [each.tool, each])),
    ]),
  );
  const byKey = new Map(
    [...unavailable, ...servers].map((server) => [server.key, server.settings]),
  );
  const lists = toolListsIn({ servers, unavailable });
  const allow = settings.tools.allow?.map(globMatcher);
  const deny = settings.tools.deny.map(globMatcher);
  const overrides = settings.annotations
    .filter(({ accepted }) => accepted === undefined)
    .map((override) => ({ ...override, matches: globMatcher(override.glob) }));
  // An accepted label is for one tool: its name is not a glob, even if it has an asterisk.
  const acceptances = new Map(
    settings.annotations
      .filter(({ accepted }) => accepted !== undefined)
      .map((acceptance) => [acceptance.glob, acceptance]),
  );
  return {
    admits(kind, ref) {
      if (kind !== 'tool') return true;
      const name = canonicalName(ref);
      const own = lists.get(ref.server);
      if (own && !isSwitchedOn(own, ref.tool)) return false;
      const isAllowed = allow === undefined || allow.some((matches) => matches(name));
      return isAllowed && !deny.some((matches) => matches(name));
    },
    label(ref, item) {
      return labelOf(ref, item, byKey.get(ref.server));
    },
    displayName: (server) => byKey.get(server)?.displayName,
    showsInstructions: (server) => byKey.get(server)?.instructions !== false,
    viewOf: (server) => byKey.get(server)?.view ?? 'flat',
  };

  function labelOf(ref: ToolRef, item: Item, server: ServerSettings | undefined): Label {
    const name = canonicalName(ref);
    const matching = overrides.filter(({ matches }) => matches(name));
    const acceptance = acceptances.get(name);
    const seen = observed.get(ref.server)?.get(ref.tool);
    const effect = seen && seen.definition === definitionOf(item).hash ? effectOf(seen) : undefined;
    const isValid = acceptance && acceptance.accepted === definitionOf(item).hash;
    const title =
      matching.findLast((override) => override.title !== undefined)?.title ?? acceptance?.title;
    return {
      // Later overrides in the file win, hint by hint.
      override: Object.assign({}, ...matching.map(({ hints }) => hints)),
      ...(acceptance && isValid ? { accepted: acceptance.hints } : {}),
      ...(acceptance && !isValid ? { hasLapsed: true } : {}),
      ...(effect ? { observed: effect } : {}),
      ...(server?.assume ? { assumed: server.assume } : {}),
      // What the gateway says about its own tools is no claim of a server.
      ...(ref.server === OWN_SERVER_KEY ? { trust: 'full' as const } : {}),
      ...(server ? { trust: server.trust } : {}),
      ...(title === undefined ? {} : { title }),
    };
  }
}

/** Whether all names and labels are unchanged, so that lists can be kept. */
export function sameLabels(a: GatewayConfig, b: GatewayConfig): boolean {
  return isDeepStrictEqual(labelsIn(a), labelsIn(b));
}

function labelsIn(config: GatewayConfig): readonly unknown[] {
  const { settings, servers, modules } = config;
  const own = new Map(servers.map((server) => [server.key, server.settings]));
  return [settings, modules, own, toolListsIn(config)];
}

/** The tools that the entries of servers switch on or off, as their client would. */
function toolListsIn({
  servers,
  unavailable = [],
}: Pick<GatewayConfig, 'servers' | 'unavailable'>): ReadonlyMap<string, ToolLists> {
  const all = [...unavailable, ...servers];
  return new Map(all.map(({ key, written }) => [key, toolListsOf(written?.entry ?? {})]));
}
