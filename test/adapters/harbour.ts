/** The harbour API of the examples for one test, with its adapter in front of it. */

import { fileURLToPath } from 'node:url';

import {
  type Adapter,
  type AdapterSourceOptions,
  createAdapterSource,
  loadAdapter,
} from '@callsign/mcpaql';
import { onTestFinished } from 'vitest';

import { type Desk, deskFor } from './desk.js';

export interface Harbour {
  readonly port: number;
  readonly url: string;
  readonly requests: readonly string[];
  close(): Promise<void>;
}

const FOLDER = new URL('../../examples/harbour/', import.meta.url);

/** Looks like a real token, so that the tests detect a leak. */
export const TOKEN = 'harbour-test-token-93f1';

export async function openHarbour(): Promise<Harbour> {
  const { startHarbour } = (await import(new URL('api.mjs', FOLDER).href)) as {
    startHarbour(options: { port?: number; token?: string }): Promise<Harbour>;
  };
  const harbour = await startHarbour({ token: TOKEN });
  onTestFinished(() => harbour.close());
  return harbour;
}

let loading: ReturnType<typeof loadAdapter> | undefined;

/** Read once: no test changes it. */
export async function harbourAdapter(changes: Partial<Adapter> = {}): Promise<Adapter> {
  loading ??= loadAdapter(fileURLToPath(new URL('harbour.adapter.md', FOLDER)));
  const loaded = await loading;
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems, null, 2));
  return { ...loaded.adapter, ...changes };
}

/** A harbour API, and a `Desk` that calls its five tools: `desk.ask('read', …)`. */
export async function harbourDesk(
  changes: Partial<Adapter> = {},
  options: AdapterSourceOptions = {},
): Promise<{ harbour: Harbour; desk: Desk }> {
  const harbour = await openHarbour();
  const source = createAdapterSource(await harbourAdapter(changes), {
    baseUrl: harbour.url,
    env: { HARBOUR_TOKEN: TOKEN },
    ...options,
  });
  onTestFinished(() => source.close());
  return { harbour, desk: deskFor(source) };
}
