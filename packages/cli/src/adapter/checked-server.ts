/** The tools of a server that runs only for one check, as a client lists and calls them. */

import { type Gateway } from '@callsign/gateway/host';
import { callTool } from '@callsign/gateway/admin';
import type { ListedTool, ToolClient } from '@callsign/mcpaql/authoring';
import { canonicalName } from '@callsign/naming';

import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { ADHOC } from '../fleet/adhoc-config.js';
import { adhocNotStarted } from '../fleet/not-started.js';
import { SELF } from '../fleet/running-gateway.js';

/** A check shows no progress and answers no question. */
const SILENT_CLIENT = {
  progress: () => undefined,
  waiting: () => undefined,
  ask: () => Promise.reject(new Error('There is no person to ask.')),
};

/** Throws if the server did not start. */
export function toolClient(gateway: Gateway, signal: AbortSignal): ToolClient {
  const state = gateway.status()[0]?.state;
  if (state && 'reason' in state) throw adhocNotStarted(state.reason);
  const entries = [...gateway.hub.entries('tool').values()];
  // The check compares answers with the names of the server itself.
  const knownAs = Object.fromEntries(entries.map(({ canonical, ref }) => [canonical, ref.tool]));
  return {
    listTools: async () => entries.map(({ item }) => JSON.parse(item.json) as ListedTool),
    async callTool(name, args) {
      const canonical = canonicalName({ server: ADHOC, tool: name });
      const request = {
        name: canonical,
        canonical,
        args: JSON.stringify(args),
        client: { name: SELF.name, version: SELF.version },
        knownAs,
        canAsk: false,
        isApproved: false,
      };
      // A separate signal, because each call adds a listener to it.
      const answer = await callTool(gateway, request, SILENT_CLIENT, AbortSignal.any([signal]));
      if (!answer) throw gone(name);
      return JSON.parse(answer.json) as unknown;
    },
  };
}

function gone(tool: string): Failure {
  const message = `The server no longer offers ${tool}.`;
  return new Failure({ exit: EXIT.unreachable, code: 'unreachable', message });
}
