/** Lists the names that each client sees, and what was changed in them. */

import { setImmediate as nextTurn } from 'node:timers/promises';

import { createProfileSet, createToolRenderer, maxNameLength } from '@callsign/naming';
import { inSlices } from '@callsign/wire/rpc';

import { viewOptions } from '../../clients/client-views.js';
import type { Gateway } from '../../gateway/gateway.js';
import type { ClientData, ClientNames } from '../data/admin-data.js';
import { AdminError } from '../router/admin-error.js';
import { finite } from './admin-tools.js';

/** Yields between two clients, so that calls continue even with thousands of tools. */
export async function listClients(gateway: Gateway): Promise<ClientData[]> {
  const { settings } = gateway.config;
  const profiles = profilesOf(gateway);
  const refs = Array.from(gateway.hub.entries('tool').values(), ({ ref }) => ref);
  const clients: ClientData[] = [];
  for (const profile of profiles.ids) {
    const rules = profiles.get(profile)!;
    const options = viewOptions(rules, settings, gateway.keys);
    const render = createToolRenderer(options);
    const changed = refs.filter((ref) => !render(ref).exact).length;
    const maxLength = finite(maxNameLength(rules, options.clientKey));
    clients.push({ profile, label: rules.label, maxLength, tools: refs.length, changed });
    await nextTurn();
  }
  return clients;
}

/** In slices, so that calls continue even with thousands of tools. */
export async function showClient(gateway: Gateway, profile: string): Promise<ClientNames> {
  const rules = profilesOf(gateway).get(profile);
  const view = rules && gateway.viewOf(profile);
  if (!view) throw new AdminError(404, `There is no client profile ${profile}.`);
  const table = await inSlices(view.tableSlices('tool'));
  await inSlices(table.findProblems());
  const { tools, problems } = table;
  const { clientKey } = viewOptions(rules, gateway.config.settings, gateway.keys);
  return {
    profile,
    label: rules.label,
    maxLength: finite(maxNameLength(rules, clientKey)),
    names: tools.map(({ canonical, name, exact, reasons }) => {
      return { canonical, name, exact, reasons, length: name.length };
    }),
    // A name that was changed and still works is not a problem.
    problems: problems
      .filter(({ severity }) => severity !== 'info')
      .map(({ code, message, advice }) => ({ code, message, advice })),
  };
}

function profilesOf({ config }: Gateway): ReturnType<typeof createProfileSet> {
  const { profiles: own, clientKey } = config.settings;
  return createProfileSet({ own, clientKey });
}
