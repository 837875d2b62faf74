/**
 * The server that overuses resources, and a gateway with the default configuration, without a key
 * `callsign`.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../architecture/tree.js';
import type { Command } from '../clients/pipe-peer.js';
import {
  startGateway,
  temporaryFolder,
  type GatewayProcess,
  type GatewaySetup,
  type ServerEntry,
} from '../gateway-process.js';

const SERVER = join(ROOT, 'test/e2e/limits/greedy-server.mjs');

export function greedy(mode: string = 'polite', amount?: number): Command {
  const args = [SERVER, mode, ...(amount === undefined ? [] : [String(amount)])];
  return { command: process.execPath, args };
}

/** A gateway with a plain `mcpServers` file and its own state folder. */
export function startPlain(
  mcpServers: Readonly<Record<string, ServerEntry | { readonly url: string }>>,
  more: Partial<GatewaySetup> = {},
): Promise<GatewayProcess> {
  const folder = temporaryFolder();
  const config = join(folder, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers }));
  const env = { XDG_STATE_HOME: folder, ...more.env };
  return startGateway({ servers: {}, config, listener: 'http', ...more, env });
}

export function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024;
}
