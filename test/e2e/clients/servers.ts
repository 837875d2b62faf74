/** The servers that tests start: our fixtures, and the official ones as they are installed. */

import { join } from 'node:path';

import { ROOT } from '../../architecture/tree.js';
import { fixtureFile } from '../../testing/fixture.js';
import type { Command } from './pipe-peer.js';

export function fixture(name: 'plain-child' | 'everything', ...flags: string[]): Command {
  return {
    command: process.execPath,
    args: [fixtureFile(name), ...flags],
  };
}

export function official(
  name: 'everything' | 'filesystem' | 'memory' | 'sequential-thinking',
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Command {
  const script = join(ROOT, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
  return { command: process.execPath, args: [script, ...args], env };
}
