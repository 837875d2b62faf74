/** The names that each client sees, and what was changed in them. */

import { createProfileSet, nameRoom } from '@callsign/naming';

import type { Gateway } from '../gateway/gateway.js';
import type { ClientData, ClientNames } from './admin-data.js';
import { AdminError } from './admin-router.js';
import { finite } from './admin-tools.js';

export function listClients(gateway: Gateway): ClientData[] {
  return profilesOf(gateway).ids.map((id) => {
    const { profile, label, room, names, problems } = showClient(gateway, id);
    const changed = names.filter(({ exact }) => !exact).length;
    return { profile, label, room, tools: names.length, changed, problems: problems.length };
  });
}

export function showClient(gateway: Gateway, profile: string): ClientNames {
  const rules = profilesOf(gateway).get(profile);
  const view = rules && gateway.viewOf(profile);
  if (!view) throw new AdminError(404, `There is no client profile ${profile}.`);
  const { tools, problems } = view.table('tool');
  return {
    profile,
    label: rules.label,
    room: finite(nameRoom(rules, gateway.config.settings.clientKey)),
    names: tools.map(({ canonical, name, exact, reasons }) => {
      return { canonical, name, exact, reasons, length: name.length };
    }),
    problems: problems.map(({ code, message }) => ({ code, message })),
  };
}

function profilesOf({ config }: Gateway): ReturnType<typeof createProfileSet> {
  const { profiles: own, clientKey } = config.settings;
  return createProfileSet({ own, clientKey });
}
