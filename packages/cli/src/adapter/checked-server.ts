/** A server that was never configured, run for one check: its tools as a client lists and calls them. */

import { resolve } from 'node:path';

import { parseConfig, type Gateway, type GatewayConfig } from '@callsign/gateway';
import type { ListedTool, ToolClient } from '@callsign/mcpaql';
import { canonicalName } from '@callsign/naming';

import { callTool } from '../call/tool-call.js';
import { configFailure } from '../config-file/config-text.js';
import { EXIT } from '../exit-code.js';
import { Failure, usageFailure } from '../failure.js';
import { notStarted } from '../fleet/not-started.js';

/** The key of a server that has none. */
const SERVER = 'server';
const SILENT = { update: () => undefined, end: () => undefined };

/** A configuration of one server, by a command line or by an address. */
export function adhocConfig(
  url: string | undefined,
  rest: readonly string[] | undefined,
): GatewayConfig {
  if ((url === undefined) === (rest === undefined) || rest?.length === 0) {
    throw usageFailure('Give the address of a server, or its command behind "--".');
  }
  // By way of variables, so that a "$" in a word is nothing but a "$".
  const words = rest ?? [url!];
  const env = Object.fromEntries(words.map((word, i) => [`WORD_${i}`, word]));
  const [first, ...others] = Object.keys(env).map((name) => `\${${name}}`);
  const entry = rest ? { command: first, args: others } : { url: first };
  const file = resolve('command line');
  // What is asked for the sake of asking is no call that anybody will look for.
  const callsign = { audit: { mode: 'off' } };
  const text = JSON.stringify({ mcpServers: { [SERVER]: entry }, callsign });
  const parsed = parseConfig(text, { file, env });
  if (!parsed.ok) throw configFailure(file, parsed.problems);
  return parsed.config;
}

/** Throws if the server did not start. */
export function toolClient(gateway: Gateway, signal: AbortSignal): ToolClient {
  const state = gateway.status()[0]?.state;
  if (state && 'reason' in state) throw notStarted(SERVER, state.reason);
  const entries = [...gateway.hub.entries('tool').values()];
  return {
    listTools: async () => entries.map(({ item }) => JSON.parse(item.json) as ListedTool),
    async callTool(name, args) {
      const route = gateway.hub.route('tool', canonicalName({ server: SERVER, tool: name }));
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
