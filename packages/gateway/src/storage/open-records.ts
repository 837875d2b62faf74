/** Opens the records of calls in the store that a configuration names. */

import type { ThreadedRecords } from '@callsign/audit/records';
import { type Environment, homeIn } from '@callsign/config';

import type { GatewayConfig } from '../config/gateway-config.js';
import type { SharedParts } from './shared-parts.js';

export interface RecordsPlace {
  readonly config: Pick<GatewayConfig, 'settings' | 'stores'>;
  /** The records of all instances. */
  readonly shared: SharedParts['records'];
  readonly env: Environment;
}

/** Loaded when it is first needed: most gateways never need it. */
export async function openRecords({ config, shared, env }: RecordsPlace): Promise<ThreadedRecords> {
  const { defaultAuditFolder, ThreadedRecords: Records } = await import('@callsign/audit/records');
  const { folder = defaultAuditFolder(homeIn(env)), store } = config.settings.audit;
  const chosen = config.stores?.find(({ module }) => module.name === store);
  const own = chosen?.module.open({ folder, settings: chosen.settings });
  // A store that the configuration names comes first, then the one that instances share.
  return new Records({
    folder,
    store: own ?? shared?.calls,
    source: own ? undefined : shared?.journals,
  });
}
