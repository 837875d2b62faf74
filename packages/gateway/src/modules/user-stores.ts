/** Users' stores for the tables of calls: from `stores` in the configuration. */

import type { ConfiguredStore, StoreModule } from '@callsign/audit';
import type { Problem } from '@callsign/config';

import type { Settings } from '../config/settings.js';
import { importEntry, reportAt } from './import-entry.js';

export type LoadedStores =
  | { readonly ok: true; readonly stores: readonly ConfiguredStore[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Imports the stores. Node caches imports: changed code needs a restart. */
export async function loadStores({
  settings,
  file,
}: {
  readonly file: string;
  readonly settings: Pick<Settings, 'stores'>;
}): Promise<LoadedStores> {
  const stores: ConfiguredStore[] = [];
  const problems: Problem[] = [];
  for (const [i, entry] of (settings.stores ?? []).entries()) {
    const report = reportAt(problems, file, `callsign.stores[${i}]`);
    const module = await importEntry(entry.use, file, STORE, report);
    if (!module) continue;
    if (module.name === 'sqlite' || stores.some((other) => other.module.name === module.name)) {
      report(`there are two stores with the name "${module.name}"`, 'rename one');
    } else stores.push({ module, settings: entry.settings });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, stores };
}

const STORE = {
  is: isStore,
  noun: 'a store of Callsign',
  advice: 'its default export must have a "name" and an "open" function',
};

function isStore(value: unknown): value is StoreModule {
  if (typeof value !== 'object' || value === null) return false;
  const { name, open } = value as Partial<StoreModule>;
  return typeof name === 'string' && name !== '' && typeof open === 'function';
}
