/** The records of a running gateway about one tool, in the order of its journal. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Home } from '../cli/callsign.js';

/** Each as its kind, its method and its outcome. */
export function recordsOf(home: Home, tool: string): string[] {
  const folder = join(home.folder, 'state/callsign/audit');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const lines = files
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  return lines
    .filter((line) => line.includes(`"${tool}"`))
    .map((line) => {
      const { kind, method, outcome } = JSON.parse(line) as Record<string, string | undefined>;
      return [kind, method, outcome].filter(Boolean).join(' ');
    });
}
