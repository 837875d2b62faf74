/** Finds the smallest sandbox in which a server starts and its tools answer as before. */

import { dirname, relative } from 'node:path';

import { homeIn } from '@callsign/config';
import {
  type Deed,
  type GatewayConfig,
  isInside,
  type SandboxSettings,
  spelled,
  type StdioServer,
} from '@callsign/gateway/host';
import { definitionOfTool } from '@callsign/gateway/admin';
import { isRecord } from '@callsign/config';

import type { Context } from '../command/command.js';
import { madeArguments } from './made-arguments.js';
import { limitsHere, runObserved } from './observed-run.js';

export interface Suggestion {
  /** `undefined`: it did not start in any sandbox that was tried. */
  readonly sandbox: SandboxSettings | undefined;
  /** Why not. */
  readonly failure: string | undefined;
  /** What a person should know or decide, as sentences. */
  readonly notes: readonly string[];
  readonly tools: number;
  readonly called: number;
}

/** Each round allows what the one before was refused. */
const MOST_ROUNDS = 6;
const MOST_CALLS = 20;

interface Needs {
  readonly write: Set<string>;
  readonly hosts: Set<string>;
  /** Hosts that only calls asked for. They were not reached. */
  readonly hostsOfCalls: Set<string>;
  readonly direct: Set<string>;
  readonly secrets: Set<string>;
  readonly impossible: Set<string>;
}

/** `callsTools`: whether tools that are said to read are called. No call reaches a host. */
export async function suggestSandbox(
  context: Context,
  config: GatewayConfig,
  server: StdioServer,
  callsTools: boolean,
): Promise<Suggestion> {
  const needs: Needs = {
    write: new Set(),
    hosts: new Set(),
    hostsOfCalls: new Set(),
    direct: new Set(),
    secrets: new Set(),
    impossible: new Set(),
  };
  let last = { failure: undefined as string | undefined, tools: 0, called: 0 };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = JSON.stringify([...needs.write]);
    let isStarting = true;
    const files = { write: [...needs.write], read: [], hide: [] };
    const { value, deeds } = await runObserved(
      context,
      config,
      server,
      { files, network: [] },
      async ({ tools, failure, call }) => {
        isStarting = false;
        const calm = tools
          .filter(({ risk }) => risk === 'read')
          .slice(0, callsTools ? MOST_CALLS : 0);
        let called = 0;
        for (const entry of failure === undefined ? calm : []) {
          const { raw } = definitionOfTool(entry);
          await call(entry, madeArguments(isRecord(raw) ? raw['inputSchema'] : undefined));
          called += 1;
        }
        return { failure, tools: tools.length, called };
      },
      {
        onHost(wanted) {
          (isStarting ? needs.hosts : needs.hostsOfCalls).add(spelled(wanted));
          return isStarting;
        },
      },
    );
    last = value;
    note(deeds, needs, context, server, files);
    if (JSON.stringify([...needs.write]) === before) break;
  }
  return proposed(needs, context, server, last);
}

function note(
  deeds: readonly Deed[],
  needs: Needs,
  context: Context,
  server: StdioServer,
  files: { write: string[]; read: string[]; hide: string[] },
): void {
  const { home } = homeIn(context.env);
  const { hide, own, temporary, caches, write } = limitsHere(context, server, {
    files,
    network: [],
  });
  // A folder of its own, which `true` would open too.
  const { cwd, write: standard } = limitsHere(context, server, { network: [] });
  for (const { kind, what, error, isFolder } of deeds) {
    if (kind === 'asks' || kind === 'connects') {
      if (!/^(?:127\.|\[::1\])/.test(what)) needs.direct.add(what);
      continue;
    }
    if (kind === 'runs' || kind === 'hides' || isIn(what, own)) continue;
    if (kind === 'sees') {
      const secret = hide.find((place) => isInside(what, place, true));
      if (secret !== undefined) needs.secrets.add(secret);
      continue;
    }
    if (error !== 'EROFS' || isIn(what, [...temporary, ...write, ...caches.map(({ at }) => at)]))
      continue;
    if (/^\/(?:dev|proc|sys)\//.test(what)) continue;
    const wanted =
      isInside(what, cwd) && standard.includes(cwd) ? cwd : isFolder ? what : dirname(what);
    if (isInside(home, wanted, true)) needs.impossible.add(what);
    else needs.write.add(wanted);
  }
}

function isIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isInside(path, folder, true));
}

function list(all: Iterable<string>): string {
  return [...all].slice(0, 5).join(', ');
}

function proposed(
  needs: Needs,
  context: Context,
  server: StdioServer,
  { failure, tools, called }: { failure: string | undefined; tools: number; called: number },
): Suggestion {
  const { home } = homeIn(context.env);
  const cwd = server.cwd ?? context.cwd;
  const short = (path: string): string => {
    if (isInside(path, cwd, true)) return relative(cwd, path) || '.';
    return isInside(path, home) ? `~/${relative(home, path)}` : path;
  };
  const limits = limitsHere(context, server, { network: [] });
  const write = [...needs.write].filter(
    (path) => ![...needs.write].some((other) => other !== path && isInside(path, other)),
  );
  const hosts = [...new Set([...needs.hosts, ...needs.hostsOfCalls])].toSorted();
  // What a launcher downloads is no address of the server, but it needs it to start.
  const network: SandboxSettings['network'] =
    needs.direct.size > 0 ? 'all' : hosts.length > 0 ? hosts : 'none';
  const isOwnFolder =
    write.length === 1 && write[0] === limits.cwd && limits.write.includes(write[0]);
  const files =
    write.length === 0
      ? { files: 'read-only' as const }
      : isOwnFolder
        ? {}
        : { files: { write: write.map(short), read: [], hide: [] } };
  const notes = [
    ...(needs.direct.size > 0
      ? [
          `It connects without the proxy (${list(needs.direct)}), so its network cannot be limited to hosts.`,
        ]
      : []),
    ...(needs.secrets.size > 0
      ? [
          `It looked at ${list([...needs.secrets].map(short))}, which stays hidden. Add it to "read" if it needs it.`,
        ]
      : []),
    ...(needs.impossible.size > 0
      ? [
          `It writes ${list([...needs.impossible].map(short))} directly in the home folder, which stays closed. Give it another place.`,
        ]
      : []),
    ...(write.length === 0 && tools > called
      ? [
          'Tools that change something were not called. If they write files, name the places in "write".',
        ]
      : []),
    ...(network === 'none' && called === 0
      ? ['No tool was called. If its tools reach hosts, add them to "network".']
      : []),
  ];
  const sandbox = failure === undefined ? { ...files, network } : undefined;
  return { sandbox, failure, notes, tools, called };
}
