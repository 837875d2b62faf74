/** Servers in the admin API: their tools and their output. */

import type { Item } from '@callsign/core';

import type { Gateway } from '../../gateway/gateway.js';
import type { LogLine, ServerLog } from '../../servers/server-log.js';
import type { ServerStatus } from '../../servers/server-status.js';
import { AdminError } from '../router/admin-error.js';
import type { AdminRouter } from '../router/admin-router.js';

/** The tools of a server as it lists them. */
export interface OfferedTools {
  readonly key: string;
  readonly state: ServerStatus['state'];
  readonly tools: readonly Item[];
  readonly prompts?: readonly Item[];
  readonly templates?: readonly Item[];
  readonly instructions?: string | undefined;
}

/** The tools of every server, before settings and views. */
export function offeredTools(gateway: Gateway): OfferedTools[] {
  return gateway.status().map(({ key, state }) => {
    return { key, state, ...gateway.servers.offered(key) };
  });
}

/**
 * `GET /offers` lists all tools. `GET /servers/:key/log` shows the output of a server; `?follow`
 * streams it.
 */
export function serveServers(router: AdminRouter, gateway: Gateway): void {
  router.on('GET', '/offers', () => offeredTools(gateway));
  router.on('GET', '/servers/:key/log', ({ params, query }) => {
    const key = params.get('key')!;
    const log = gateway.servers.logOf(key);
    if (!log) throw new AdminError(404, `There is no server "${key}" at this gateway.`);
    return query.has('follow') ? followed(log, Number(query.get('last'))) : log.lines();
  });
}

/** The last lines, and then every new one. */
function followed(log: ServerLog, last: number): ReadableStream<LogLine> {
  let stop: (() => void) | undefined;
  return new ReadableStream<LogLine>({
    start(controller) {
      const lines = log.lines();
      for (const line of last > 0 ? lines.slice(-last) : []) controller.enqueue(line);
      stop = log.subscribe((line) => controller.enqueue(line));
    },
    cancel: () => stop?.(),
  });
}
