/** The list of servers: which ones match, and in which order. */

import type { ServerData } from '@callsign/gateway/admin/data';
import type { ComponentChildren } from 'preact';

import { href } from '../live/route.js';
import { Empty } from '../view/notice.js';

export const STATES: readonly ServerData['state'][] = [
  'failed',
  'waiting',
  'starting',
  'ready',
  'asleep',
  'stopped',
  'disabled',
];

export const ORDERS: Readonly<Record<string, string>> = {
  name: 'By name',
  tools: 'Most tools first',
  since: 'Last change first',
};

/** All words must occur in the key, the name or the address. */
export function matching(
  servers: readonly ServerData[],
  text: string,
  state: string,
): readonly ServerData[] {
  const words = text.toLowerCase().split(/\s+/);
  return servers.filter(({ key, displayName, address = '', ...server }) => {
    const known = `${key} ${displayName} ${address}`.toLowerCase();
    return (state === '' || server.state === state) && words.every((word) => known.includes(word));
  });
}

/** Default: what needs a person first. Servers that are equal stay in the order of the configuration. */
export function inOrder(servers: readonly ServerData[], order: string): readonly ServerData[] {
  switch (order) {
    case 'name':
      return servers.toSorted((a, b) => a.key.localeCompare(b.key));
    case 'tools':
      return servers.toSorted((a, b) => b.tools - a.tools);
    case 'since':
      return servers.toSorted((a, b) => (b.since ?? '').localeCompare(a.since ?? ''));
    default:
      return servers.toSorted((a, b) => urgency(a) - urgency(b));
  }
}

/** A server that is asleep may have failed when it was started last. */
function urgency({ state, reason }: ServerData): number {
  const hasTrouble = reason !== undefined && (state === 'ready' || state === 'asleep');
  return hasTrouble ? STATES.indexOf('starting') : STATES.indexOf(state);
}

/** Such as "2 failed, 41 ready, 17 asleep". */
export function statesText(servers: readonly ServerData[]): string {
  return STATES.flatMap((state) => {
    const count = servers.filter((server) => server.state === state).length;
    return count === 0 ? [] : `${count} ${state}`;
  }).join(', ');
}

/** `adder`: where one can be added on this page, such as a button. */
export function NoServers({ adder }: { readonly adder: ComponentChildren }) {
  return (
    <Empty>
      The configuration has no servers. To take over those of your clients, run{' '}
      <code>callsign setup</code>. To add one, run <code>callsign add NAME -- COMMAND</code> or use{' '}
      {adder}.
    </Empty>
  );
}

export function NoTools() {
  return (
    <Empty>
      No server offers a tool now. <a href={href('servers')}>Servers</a> shows why, and adds one.
    </Empty>
  );
}
