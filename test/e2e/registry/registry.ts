/** A registry on loopback, with the v0.1 API as it is published, for servers that a test describes. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

/** `server.json`. Any member may be missing or wrong. */
export interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly version: string;
  readonly packages?: unknown;
  readonly remotes?: unknown;
  readonly [more: string]: unknown;
}

export interface RegistryOptions {
  /** Answers a request in its own way. Returns false if the usual answer is wanted. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** `deleted` or `deprecated`, by name and version. */
  readonly status?: Readonly<Record<string, string>>;
  /** How many servers a page has. Default: 30. */
  readonly page?: number;
}

export interface TestRegistry {
  readonly url: string;
  /** The paths that were asked for, and the header `Authorization` of the last request. */
  readonly asked: string[];
  readonly authorization: () => string | undefined;
}

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/** `servers`: all versions, the newest of each first. */
export async function startRegistry(
  servers: readonly Listed[],
  { answer, status = {}, page = 30 }: RegistryOptions = {},
): Promise<TestRegistry> {
  const asked: string[] = [];
  let authorization: string | undefined;
  const latest = (name: string): Listed | undefined => servers.find((each) => each.name === name);
  const recordOf = (server: Listed): object => ({
    server: {
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      description: `The server ${server.name}`,
      ...server,
    },
    _meta: {
      [OFFICIAL]: {
        status: status[`${server.name}@${server.version}`] ?? 'active',
        publishedAt: '2026-01-15T10:00:00Z',
        updatedAt: '2026-01-15T10:00:00Z',
        isLatest: latest(server.name) === server,
      },
    },
  });
  const listed = (query: URLSearchParams): object => {
    const word = (query.get('search') ?? '').toLowerCase();
    const fitting = servers.filter(
      (each) =>
        each.name.toLowerCase().includes(word) &&
        (query.get('version') !== 'latest' || latest(each.name) === each),
    );
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Math.min(page, Number(query.get('limit') ?? page));
    const more = end < fitting.length ? { nextCursor: String(end) } : {};
    const shown = fitting.slice(start, end);
    return { servers: shown.map(recordOf), metadata: { count: shown.length, ...more } };
  };
  const http = createServer((request, response) => {
    asked.push(request.url!);
    authorization = request.headers.authorization;
    if (answer?.(request, response)) return;
    const { pathname, searchParams } = new URL(request.url!, 'http://registry');
    const [, name = '', version = ''] =
      /^\/v0\.1\/servers\/([^/]+)\/versions\/([^/]+)$/.exec(pathname)?.map(decodeURIComponent) ??
      [];
    const found =
      version === 'latest'
        ? latest(name)
        : servers.find((each) => each.name === name && each.version === version);
    const body =
      pathname === '/v0.1/servers' ? listed(searchParams) : found ? recordOf(found) : undefined;
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { error: 'Server not found' }));
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, authorization: () => authorization };
}
