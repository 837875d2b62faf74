import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, it, onTestFinished, vi } from 'vitest';

import { child, PLAIN, temporaryFolder } from '../../../../../test/e2e/serve/callsign-process.js';
import { createGateway } from '../../gateway/create-gateway.js';
import type { Gateway } from '../../gateway/gateway.js';
import { showClient } from './admin-names.js';

const TOOLS = 2_000;

async function gatewayOf(tools: number): Promise<Gateway> {
  const file = join(temporaryFolder(), 'callsign.json');
  const mcpServers = { kid: child(PLAIN, `--tools=${tools}`) };
  writeFileSync(file, JSON.stringify({ mcpServers, callsign: { audit: { mode: 'off' } } }));
  const gateway = await createGateway(file, {
    self: { name: 'test', version: '0' },
    log: () => undefined,
  });
  onTestFinished(() => gateway.stop());
  gateway.start(true);
  await gateway.settled();
  return gateway;
}

/** Counts the turns of the event loop until the work is done. */
async function turnsOf<T>(
  work: Promise<T>,
): Promise<{ readonly value: T; readonly turns: number }> {
  let turns = 0;
  const state = { isDone: false };
  const value = work.finally(() => (state.isDone = true));
  while (!state.isDone) {
    await nextTurn();
    turns++;
  }
  return { value: await value, turns };
}

it('lets others have their turn while it makes the names of a client', async () => {
  const gateway = await gatewayOf(TOOLS);
  // A slow machine: each look at the clock is a millisecond later, and there is one for each part of the work.
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now++);
  onTestFinished(() => clock.mockRestore());
  const { value, turns } = await turnsOf(showClient(gateway, 'cursor'));
  expect(value.names.length).toBeGreaterThanOrEqual(TOOLS);
  // A turn lasts 8 ms. Each tool is one part when it is named, and five when its name is compared with the others.
  expect(turns).toBeGreaterThan((6 * TOOLS) / 10);
  // The names have not changed, so they are not made again.
  expect((await turnsOf(showClient(gateway, 'cursor'))).turns).toBeLessThan(10);
});
