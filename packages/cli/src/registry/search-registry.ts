/** `callsign search --registry`: finds servers in the registry. */

import { skeleton } from '@callsign/naming';
import { counted } from '@callsign/terminal';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { configuredRegistry } from './configured-registry.js';
import type { RegistryServer } from './registry-server.js';

const SHOWN = 20;
const WAYS = { npm: 'npx', pypi: 'uvx', remote: 'remote' } as const;

export async function searchRegistry(context: Context, words: readonly string[]): Promise<number> {
  const { json, out, say } = context;
  const registry = await configuredRegistry(context);
  const progress = context.wait(`Searching ${registry.url}`);
  const { servers, refused } = await registry.search(words).finally(() => progress.end());
  const rows = servers.slice(0, SHOWN);
  if (json) {
    out.json({ registry: registry.url, servers: rows.map(asJson), found: servers.length, refused });
    return EXIT.ok;
  }
  if (rows.length === 0) {
    say(`${registry.url} has no server whose name has one of these words.`);
  } else {
    const twins = twinsIn(rows);
    out.table(rows, [
      { title: 'NAME', text: ({ name }) => name, tint: () => 'name', isWhole: true },
      { title: 'VERSION', text: ({ version }) => version },
      { title: 'RUNS WITH', text: runsWith },
      { title: 'DESCRIPTION', text: (server) => noteFor(server, twins) },
    ]);
    if (servers.length > SHOWN) {
      say(`${SHOWN} of ${servers.length} are shown. More words find fewer.`);
    }
    say(`To see its tools with their labels, and to add it: callsign add ${rows[0]!.name}`);
  }
  if (refused > 0) {
    say(`${counted(refused, 'server')} of the registry cannot be used, and left out.`);
  }
  return EXIT.ok;
}

function runsWith({ ways }: RegistryServer): string {
  return [...new Set(ways.map(({ kind }) => WAYS[kind]))].join(', ') || 'not with Callsign';
}

function noteFor(server: RegistryServer, twins: ReadonlySet<string>): string {
  const notes = [
    server.isDeprecated ? 'Deprecated. ' : '',
    twins.has(server.name) ? 'Looks like another name here. ' : '',
  ];
  return notes.join('') + (server.description || server.title);
}

/** Names that a reader could take for another one in the list. */
function twinsIn(servers: readonly RegistryServer[]): ReadonlySet<string> {
  const seen = servers.map(({ name }) => ({ name, look: skeleton(name.toLowerCase()) }));
  const isTwin = ({ name, look }: (typeof seen)[number]): boolean =>
    seen.some((other) => other.look === look && other.name !== name);
  return new Set(seen.filter(isTwin).map(({ name }) => name));
}

function asJson(server: RegistryServer): object {
  const { name, version, title, description, isDeprecated, ways, unusable } = server;
  const kinds = [...new Set(ways.map(({ kind }) => kind))];
  return { name, version, title, description, deprecated: isDeprecated, ways: kinds, unusable };
}
