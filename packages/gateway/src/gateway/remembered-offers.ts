/** The remembered offers of the servers of a configuration, for commands. Starts no server. */

import { stateFolder } from '@callsign/config';
import type { Log } from '@callsign/core';
import type { RememberedOffer } from '@callsign/wire';

import { ServerSignIns } from '../auth/server-sign-ins.js';
import type { GatewayConfig } from '../config/gateway-config.js';
import { memoryKeyOf } from '../servers/memory-key.js';
import { OfferMemory } from '../servers/offer-memory.js';
import { type KeptStores, keptStores } from '../storage/kept-stores.js';

const silent: Log = () => undefined;

/** By the keys of the servers. `kept`: whose sign-ins count. Unset: those in files. */
export function rememberedOffers(
  config: GatewayConfig,
  kept: KeptStores = keptStores(undefined),
): ReadonlyMap<string, RememberedOffer> {
  const { remember, network } = config.settings;
  const memory = new OfferMemory({ folder: stateFolder(), log: silent, isOn: () => remember });
  const signIns = new ServerSignIns(() => network, silent, kept);
  const offers = new Map<string, RememberedOffer>();
  for (const server of config.servers) {
    const offer = memory.read(memoryKeyOf(config, server, signIns.holder(server)));
    if (offer) offers.set(server.key, offer);
  }
  return offers;
}
