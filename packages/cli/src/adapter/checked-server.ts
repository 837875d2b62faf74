/** A server that was never configured, run for one check: its tools as a client lists and calls them. */

import type { Gateway } from '@callsign/gateway';
import type { ListedTool, ToolClient } from '@callsign/mcpaql-authoring';
import { canonicalName } from '@callsign/naming';

import { callTool } from '../call/tool-call.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { ADHOC } from '../fleet/adhoc-config.js';
import { notStarted } from '../fleet/not-started.js';

const SILENT = { update: () => undefined, clear: () => undefined, end: () => undefined };

/** Throws if the server did not start. */
export function toolClient(gateway: Gateway, signal: AbortSignal): ToolClient {
  const state = gateway.status()[0]?.state;
  if (state && 'reason' in state) throw notStarted(ADHOC, state.reason);
  const entries = [...gateway.hub.entries('tool').values()];
  return {
    listTools: async () => entries.map(({ item }) => JSON.parse(item.json) as ListedTool),
    async callTool(name, args) {
      const route = gateway.hub.route('tool', canonicalName({ server: ADHOC, tool: name }));
      if (!route) throw gone(name);
      const reply = await callTool({
        name,
        args: JSON.stringify(args),
        route,
        // One of its own: whoever listens to it listens for one call.
        signal: AbortSignal.any([signal]),
        progress: SILENT,
        isInteractive: false,
      });
      return JSON.parse(reply.json) as unknown;
    },
  };
}

function gone(tool: string): Failure {
  const message = `The server no longer offers ${tool}.`;
  return new Failure({ exit: EXIT.unreachable, code: 'unreachable', message });
}
