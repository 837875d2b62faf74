/** Says which tools a gateway would withhold, without a gateway. Accepts nothing. */

import type { Item } from '@callsign/core';
import type { Trust } from '@callsign/effects';
import { canonicalName } from '@callsign/naming';

import type { LockMode, QuarantineMode } from './lock-settings.js';
import type { LockStore } from './lock-store.js';
import { acceptedIn, reasonOf } from './locked-tools.js';
import { suspiciousNames, suspiciousTexts } from './quarantine.js';
import { knownOf } from './quarantined-tools.js';
import { ToolLock } from './tool-lock.js';

export interface JudgedLists {
  readonly lock: LockMode;
  readonly quarantine: QuarantineMode;
  readonly store: LockStore;
  /** The servers of the configuration, in its order, with what they offer. */
  readonly servers: readonly {
    readonly key: string;
    readonly trust: Trust;
    readonly tools: readonly Item[];
  }[];
}

/** Canonical name → why the tool is withheld. Throws if the lock file cannot be read. */
export async function withheldTools(lists: JudgedLists): Promise<ReadonlyMap<string, string>> {
  const { lock, quarantine, store, servers } = lists;
  const accepted = lock === 'off' ? undefined : new ToolLock(store);
  const found = new Map<string, string>();
  if (quarantine === 'names' || quarantine === 'on') {
    const known = servers.flatMap(({ key: server, trust, tools }, rank) =>
      knownOf({ server, trust, rank }, tools, acceptedIn(accepted, server)),
    );
    const offered = new Map(servers.map(({ key, tools }) => [key, tools]));
    const texts = quarantine === 'on' ? await suspiciousTexts(offered) : [];
    for (const [name, reason] of [...texts, ...suspiciousNames(known)]) found.set(name, reason);
  }
  for (const { key: server, tools } of lock === 'enforce' ? servers : []) {
    // A server that is not in the lock yet is accepted as it is when a gateway starts it.
    if (!accepted?.tools(server)) continue;
    for (const item of tools) {
      const reason = reasonOf(accepted.standing(server, item), item);
      if (reason !== undefined) found.set(canonicalName({ server, tool: item.name }), reason);
    }
  }
  return found;
}
