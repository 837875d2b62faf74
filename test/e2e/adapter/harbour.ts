/**
 * The harbour of the examples for a test: its API on a free port, its adapter, and the command that
 * serves it.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { BIN } from '../command.js';
import { ROOT } from '../../architecture/tree.js';
import type { Finally } from '../gateway-process.js';

export const ADAPTER: string = join(ROOT, 'examples', 'harbour', 'harbour.adapter.md');
export const TOKEN = 'harbour-secret-7f3a';

export interface Harbour {
  readonly url: string;
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export async function openHarbour(later: Finally = onTestFinished): Promise<Harbour> {
  const api = new URL('../../../examples/harbour/api.mjs', import.meta.url);
  const { startHarbour } = (await import(api.href)) as {
    startHarbour(options: { port: number; token: string }): Promise<Harbour>;
  };
  const harbour = await startHarbour({ port: 0, token: TOKEN });
  later(() => harbour.close());
  return harbour;
}

interface ServeCommand {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** How to start the command that serves the adapter on standard input and output. */
export function served({ url }: Pick<Harbour, 'url'>): ServeCommand {
  return {
    command: process.execPath,
    args: [BIN, 'adapter', 'serve', ADAPTER, '--base-url', url],
    env: { HARBOUR_TOKEN: TOKEN },
  };
}

/** The adapter under another name, so that two can be served together. */
export function renamed(name: string): string {
  return readFileSync(ADAPTER, 'utf8').replace('name: harbour-logbook', `name: ${name}`);
}
