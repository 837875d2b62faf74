/** `callsign status`: the gateways that run, and how their servers are. */

import type { ServerStatus } from '@callsign/gateway';

import type { CommandModule } from '../command/command.js';
import { isRecord } from '@callsign/config';
import { EXIT } from '../command/exit-code.js';
import { asked, requireGateways, type GatewayWords } from '../governed/running-gateways.js';
import type { Tint } from '@callsign/terminal';

const TINTS: Readonly<Record<ServerStatus['state']['is'], Tint>> = {
  ready: 'green',
  starting: 'yellow',
  waiting: 'yellow',
  failed: 'red',
  stopped: 'dim',
};

interface Row {
  readonly pid: string;
  readonly config: string;
  /** Nothing for a gateway without any. */
  readonly server: ServerStatus | undefined;
}

export const command: CommandModule<GatewayWords> = {
  describe(line) {
    line.description(
      'Shows the gateways of this user that run, and the state of their servers; with --config, ' +
        'only those that run this configuration.',
    );
  },

  async run(context, { options }) {
    const { json, out } = context;
    const gateways = await requireGateways(context, options);
    const states = await Promise.all(
      gateways.map(async ({ identity, get }) => ({
        ...identity,
        status: await asked(get('/status')),
      })),
    );
    if (json) {
      out.json({ gateways: states });
      return EXIT.ok;
    }
    const rows: readonly Row[] = states.flatMap(({ pid, config, status }) => {
      const servers = serversIn(status);
      const shown = servers.length === 0 ? [undefined] : servers;
      return shown.map((server) => ({ pid: String(pid), config, server }));
    });
    out.table(rows, [
      { title: 'PID', text: ({ pid }) => pid },
      { title: 'CONFIGURATION', text: ({ config }) => config },
      { title: 'SERVER', text: ({ server }) => server?.key ?? '', tint: () => 'bold' },
      {
        title: 'STATE',
        text: ({ server }) => stateText(server),
        tint: ({ server }) => server && (hasFailures(server) ? 'red' : TINTS[server.state.is]),
      },
      { title: 'TOOLS', text: ({ server }) => (server ? String(server.tools) : '') },
    ]);
    return EXIT.ok;
  },
};

/** A gateway of another version may say less. */
function serversIn(status: unknown): readonly ServerStatus[] {
  const servers = isRecord(status) ? status['servers'] : undefined;
  return Array.isArray(servers) ? (servers as ServerStatus[]) : [];
}

interface FailingServer extends ServerStatus {
  readonly state: { readonly is: 'ready'; readonly failures: readonly string[] };
}

/** Whether it started and did not give all its lists. */
function hasFailures(server: ServerStatus): server is FailingServer {
  const { state } = server;
  return state.is === 'ready' && state.failures !== undefined && state.failures.length > 0;
}

function stateText(server: ServerStatus | undefined): string {
  if (!server) return '';
  const { state } = server;
  if (hasFailures(server)) return `ready, but ${server.state.failures.join('; ')}`;
  return 'reason' in state ? `${state.is}: ${state.reason}` : state.is;
}
