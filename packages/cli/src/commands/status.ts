/** `callsign status`: shows running gateways with their clients, servers and waiting calls. */

import { existsSync } from 'node:fs';

import type { ServerStatus } from '@callsign/gateway/host';
import type { AdminClient, GatewayStatus } from '@callsign/gateway/admin';
import { counted, shownDuration, type Column, type Meaning } from '@callsign/terminal';

import type { CommandModule, Context } from '../command/command.js';
import { copyable } from '../command/copyable.js';
import { EXIT } from '../command/exit-code.js';
import { requireConfig } from '../config-file/required-config.js';
import { adviceFor } from '../fleet/not-started.js';
import { showInstances } from '../governed/instance-table.js';
import { asked, requireGateways, type GatewayWords } from '../governed/running-gateways.js';

const STATE_TINTS: Readonly<Record<ServerStatus['state']['is'], Meaning>> = {
  ready: 'good',
  starting: 'warning',
  waiting: 'warning',
  failed: 'bad',
  stopped: 'aside',
  asleep: 'aside',
};

/** `shown`: makes commands in a reason work when they are copied. */
function reasonColumn(shown: (text: string) => string): Column<ServerStatus> {
  return { title: 'REASON', text: ({ state }) => shown(reasonIn(state) ?? '') };
}

/** Why a server is not ready, or which lists it failed to return although it is ready. */
function reasonIn(state: ServerStatus['state']): string | undefined {
  if (state.is === 'ready') return state.failures?.join('; ');
  if (state.is === 'asleep' && state.reason !== undefined)
    return `last start failed: ${state.reason}`;
  return 'reason' in state ? state.reason : undefined;
}

/** Partial, because a gateway of another version may return less. */
type ShownStatus = AdminClient['identity'] & { readonly status: Partial<GatewayStatus> };

type ProcessStatus = NonNullable<ServerStatus['processes']>[number];

interface StatusOptions extends GatewayWords {
  readonly all?: boolean;
}

export const command: CommandModule<StatusOptions> = {
  describe(line) {
    line
      .description(
        'Shows the running gateways of this user: address, clients, calls that wait for an approval, ' +
          'and servers. With --config, only those of this configuration.',
      )
      .option(
        '--all',
        'all instances that share the storage of this configuration, on any machine; without a storage, the ' +
          'gateways of all your configurations',
      );
  },

  async run(context, { options }) {
    const { json, out } = context;
    if (options.all && (await hasStorage(context))) return await showInstances(context);
    const gateways = await requireGateways(context, options.all ? {} : options, false);
    const states = await Promise.all(
      gateways.map(async ({ identity, get }): Promise<ShownStatus> => {
        const status = (await asked(get('/status'))) as Partial<GatewayStatus>;
        return { ...identity, status };
      }),
    );
    if (json) {
      out.json({ gateways: states });
      return EXIT.ok;
    }
    for (const [i, state] of states.entries()) {
      if (i > 0) out.lines('');
      write(context, state);
    }
    return EXIT.ok;
  },
};

const INVALID = 'the file has problems: callsign validate';

function write(context: Context, { pid, config, status, isBackground }: ShownStatus): void {
  const { out } = context;
  const shown = (text: string): string =>
    context.copyable(copyable(text, { file: config, origin: 'flag' }));
  const {
    url = isBackground ? 'in the background' : 'stdio',
    startedAt,
    clients = [],
    waiting = [],
    servers = [],
  } = status;
  out.lines(`${out.paint('name', url)} (process ${pid})`);
  out.field('config', config);
  if (startedAt !== undefined) {
    const up = shownDuration(Date.now() - Date.parse(startedAt));
    out.field('up', `${up}, since ${out.time(startedAt)}`);
  }
  if (status.config?.ok === false) {
    out.field('problem', shown(INVALID), 'bad');
  }
  const { trouble, unshared } = status.audit ?? {};
  if (trouble) out.field('records', `cannot be written: ${trouble}`, 'bad');
  if (unshared) out.field('records', `are not in the database yet: ${unshared}`, 'warning');
  out.field('clients', clientsText(clients));
  for (const { id, tool } of waiting) {
    out.field(
      'waiting',
      `${tool}: ${context.copyable(`callsign approvals show ${id}`)}`,
      'warning',
    );
  }
  if (servers.length === 0) return;
  out.lines('');
  out.table(servers, [
    { title: 'SERVER', text: ({ key }) => key, tint: () => 'name', isWhole: true },
    { title: 'STATE', text: ({ state }) => state.is, tint: stateTint },
    { title: 'TOOLS', text: ({ tools }) => String(tools) },
    { title: 'RESTARTS', text: ({ restarts }) => String(restarts), isOptional: true },
    ...(servers.some(({ processes }) => processes) ? [PROCESSES] : []),
    ...(servers.some(({ sandbox }) => sandbox) ? [SANDBOX] : []),
    ...(servers.some(({ state }) => reasonIn(state)) ? [reasonColumn(shown)] : []),
  ]);
  if (!servers.some(({ state }) => state.is === 'failed')) return;
  out.lines('', ...adviceFor(true).map(shown));
}

/** The processes with their clients and why they use them, for the background gateway. */
const PROCESSES: Column<ServerStatus> = {
  title: 'PROCESSES',
  isOptional: true,
  text: ({ processes = [], state }) => {
    const alike = new Map<string, ProcessStatus[]>();
    for (const each of processes) {
      const key = JSON.stringify([each.state, each.clients, each.reason]);
      alike.set(key, [...(alike.get(key) ?? []), each]);
    }
    const isOnly = processes.length === 1;
    const texts = Array.from(alike.values(), (each) => {
      // Of the only process, they are in the list of all clients.
      const names = isOnly ? [] : each.flatMap((process) => process.names ?? []);
      return processesText(each[0]!, { count: each.length, names, server: state.is });
    });
    return texts.join('; ');
  },
};

/** Of processes with the same words. What the state of the server already says is left out. */
function processesText(
  { state, clients, reason }: ProcessStatus,
  alike: { readonly count: number; readonly names: readonly string[]; readonly server: string },
): string {
  const { count, names, server } = alike;
  const users = counted(clients, 'client');
  const who = names.length === 0 ? '' : ` (${[...new Set(names)].join(', ')})`;
  if (count > 1) return `${count} × ${state}, ${users} each${who}: ${reason}`;
  if (state !== server) return `${state}, ${users}${who}: ${reason}`;
  return clients === 0 ? reason : `${users}${who}: ${reason}`;
}

/** Whether other instances may run this configuration. */
async function hasStorage(context: Context): Promise<boolean> {
  if (!existsSync(context.file)) return false;
  return (await requireConfig(context)).settings.storage !== undefined;
}

function said(what: string | readonly string[]): string {
  return typeof what === 'string' ? what : what.join(', ');
}

/** What limits a server, and what was refused last. */
const SANDBOX: Column<ServerStatus> = {
  title: 'SANDBOX',
  text: ({ sandbox }) => {
    if (!sandbox) return '';
    const { files, network, refused } = sandbox;
    const last = refused.slice(-3).join(', ');
    return `writes: ${said(files)}; network: ${said(network)}${last === '' ? '' : `; refused: ${last}`}`;
  },
};

function stateTint({ state }: ServerStatus): Meaning {
  return state.is === 'ready' && reasonIn(state) ? 'bad' : STATE_TINTS[state.is];
}

/** Each client once, with the number of its sessions. */
function clientsText(clients: GatewayStatus['clients']): string {
  const counts = new Map<string, number>();
  for (const { name, version } of clients) {
    const text = `${name} ${version}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  if (counts.size === 0) return 'none with a session';
  const texts = [...counts].map(([text, count]) => {
    return count === 1 ? text : `${text} (${counted(count, 'session')})`;
  });
  return texts.join(', ');
}
