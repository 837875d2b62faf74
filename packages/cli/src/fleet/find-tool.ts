/** Finds a tool by any of its names. */

import type { Entry } from '@callsign/core';
import { finished, parseCanonicalName } from '@callsign/naming';
import { onOneLine } from '@callsign/terminal';

import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import type { Fleet } from './fleet.js';
import { badEntry, notStarted } from './not-started.js';
import { isHiddenByRoles, isSwitchedOff } from './withheld.js';

/** Tries the name under the configured profile first, then under every other profile. */
export function findTool(fleet: Fleet, spelling: string): Entry | undefined {
  for (const profile of [undefined, ...fleet.profiles.ids]) {
    const found = fleet.view(profile).table('tool').find(spelling);
    if (found) return fleet.tools.get(found.tool.canonical);
  }
  return undefined;
}

/**
 * The failure for an unknown name. It says so instead if the server of the name failed to start, or
 * if the configuration hides the tool. Only commands say that: callers of a gateway must not learn it.
 */
export function unknownTool(fleet: Fleet, spelling: string): Failure {
  const parsed = parseCanonicalName(spelling);
  const server = fleet.servers.find(({ key }) => parsed.ok && key === parsed.ref.server);
  if (server?.failure !== undefined)
    return notStarted(server.key, server.failure, server.isGivenUp);
  const isBad = fleet.config.unavailable?.some(({ key }) => parsed.ok && key === parsed.ref.server);
  if (isBad && !server && parsed.ok) return badEntry(parsed.ref.server);
  if (parsed.ok && isSwitchedOff(fleet.config, parsed.ref)) {
    // Whether the server has the tool is not known here.
    const { server: key, tool } = parsed.ref;
    return hidden(`mcpServers.${key} in your file does not offer ${tool}. See its lists of tools.`);
  }
  if (parsed.ok && server?.tools.some(({ name }) => name === parsed.ref.tool)) {
    const entry = fleet.tools.get(spelling);
    const message =
      entry && isHiddenByRoles(fleet.config, entry)
        ? `callsign.roles hides ${spelling} from callers without a key, such as this command.`
        : `Your configuration does not offer ${spelling}.`;
    return hidden(`${message}\nTo see why: callsign policy test ${spelling}`);
  }
  const own = fleet.config.servers.find(({ key }) => parsed.ok && key === parsed.ref.server);
  if (own?.settings.accounts?.lists === 'own') {
    const message = `Each caller has an account of their own at ${own.key}. Without one, a command knows only ${own.key}:sign_in.`;
    return new Failure({ exit: EXIT.usage, code: 'unknown-tool', message });
  }
  const { message } = finished(fleet.view().explainUnknown('tool', spelling));
  const missing = server ? [] : unasked(fleet);
  const text = [message, ...missing, 'To see all: callsign tools'].join('\n');
  return new Failure({ exit: EXIT.usage, code: 'unknown-tool', message: text });
}

function hidden(message: string): Failure {
  return new Failure({ exit: EXIT.denied, code: 'hidden-tool', message });
}

/** The tool may be one of a server that did not start. */
function unasked({ config, servers }: Fleet): string[] {
  const bad = (config.unavailable ?? []).filter(
    ({ key }) => !servers.some((server) => server.key === key),
  );
  const failed = [
    ...servers.filter(({ failure, tools }) => failure !== undefined && !tools.length),
    ...bad,
  ];
  const { misnamed = [] } = config;
  const keys = [
    ...failed.map(({ key }) => `"${onOneLine(key)}"`),
    ...misnamed.map(({ shown }) => onOneLine(shown)),
  ];
  if (keys.length === 0) return [];
  return [`Servers that did not start, so their tools are not known: ${keys.join(', ')}.`];
}
