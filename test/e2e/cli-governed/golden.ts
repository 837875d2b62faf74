/** The golden files of these commands, without the values that differ in each run. */

import { join } from 'node:path';

import { ROOT } from '../../architecture/tree.js';
import type { Home } from '../cli/callsign.js';

export function golden(name: string): string {
  return join(ROOT, 'test', 'e2e', 'cli-governed', 'golden', `${name}.txt`);
}

/** The text without the folders, process ids, ids, times and hashes of this run. */
export function settled(home: Home, text: string): string {
  return home
    .tidy(text)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME')
    .replace(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g, 'SESSION');
}
