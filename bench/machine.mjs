// The machine of a measurement, and the versions on it.
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';

import { peerVersions } from './peers/install.mjs';

const ROOT = join(import.meta.dirname, '..');

export function describeMachine(hasPeers) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const sdk = join(ROOT, 'node_modules/@modelcontextprotocol/server/package.json');
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    system: `${type()} ${release().split('.', 2).join('.')}`,
    node: process.version,
    versions: {
      callsign: version,
      '@modelcontextprotocol/server': JSON.parse(readFileSync(sdk, 'utf8')).version,
      ...(hasPeers ? peerVersions() : {}),
    },
  };
}
