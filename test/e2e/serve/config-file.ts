/** Writes configurations for the command into a folder of the test. */

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { child, PLAIN, temporaryFolder } from './callsign-process.js';

interface Content {
  readonly mcpServers?: object;
  readonly callsign?: object;
}

/** Writes a configuration and returns its path. Text is written unchanged. */
export function configFile(content: Content | string, name = 'mcp.json'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(patient(content)));
  return file;
}

/** A busy machine may start servers slowly, and the first list must be complete. */
export function patient<T extends Content>(content: T): T & { callsign: object } {
  return { ...content, callsign: { listWaitMs: 60_000, ...content.callsign } };
}

/** One server without faults. */
export const ONE = { mcpServers: { one: child(PLAIN) } };

/** A configuration with a server that leaves a trace if it is ever started. */
export function tracedConfig(others: object = {}): { file: string; wasStarted(): boolean } {
  const folder = join(temporaryFolder(), 'trace');
  mkdirSync(folder);
  const script = `require('fs').writeFileSync(process.argv[1] + '/started', '')`;
  const traced = { command: process.execPath, args: ['-e', script, folder] };
  const file = configFile({ mcpServers: { traced, ...others } });
  return { file, wasStarted: () => readdirSync(folder).length > 0 };
}
