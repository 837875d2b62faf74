/** The remembered offers of the servers of a configuration, for commands. Starts no server. */

import { type Environment, homeIn, stateFolder } from '@callsign/config';
import type { Log } from '@callsign/core';
import type { CachedOffer } from '@callsign/wire';

import { ServerSignIns } from '../auth/server-sign-ins.js';
import type { GatewayConfig } from '../config/gateway-config.js';
import { memoryKeyOf } from '../servers/memory-key.js';
import { OfferMemory } from '../servers/offer-memory.js';
import { type StateStores, stateStores } from '../storage/state-stores.js';

const silent: Log = () => undefined;

/** By the keys of the servers. `stores`: where the sign-ins that count are. Default: files. */
export function cachedOffers(
  config: GatewayConfig,
  env: Environment,
  stores: StateStores = stateStores(undefined, homeIn(env)),
): ReadonlyMap<string, CachedOffer> {
  const { remember, network } = config.settings;
  const folder = stateFolder(homeIn(env));
  const memory = new OfferMemory({ folder, log: silent, isOn: () => remember });
  const signIns = new ServerSignIns(() => network, silent, stores);
  const offers = new Map<string, CachedOffer>();
  for (const server of config.servers) {
    const offer = memory.read(memoryKeyOf(config, server, signIns.holder(server)));
    if (offer) offers.set(server.key, offer);
  }
  return offers;
}
