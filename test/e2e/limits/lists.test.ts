/**
 * Servers whose lists are too long, too large, too slow or endless: the gateway keeps what fits,
 * and warns.
 */

import { expect, it } from 'vitest';

import { plain, startGateway } from '../gateway-process.js';
import { greedy, residentMegabytes, startPlain } from './greedy.js';

it('F1: a list with endless pages is cut off by its size and reported, and other servers are not affected', async () => {
  const gateway = await startPlain({ greedy: greedy('pages', 1_000_000), fine: plain() });
  const client = await gateway.connect();
  let peak = 0;
  await expect
    .poll(async () => {
      peak = Math.max(peak, residentMegabytes(gateway.pid));
      return JSON.stringify(await gateway.stateOf('greedy'));
    })
    .toContain('cut off');
  expect(await gateway.stateOf('greedy')).toMatchObject({ state: { is: 'ready' }, tools: 6_000 });
  expect(gateway.stderr).toMatch(
    /warning: \[greedy\] tools\/list was cut off: .*the items before that are used/,
  );
  expect(await client.tools()).toContain('fine:add');
  expect(peak).toBeLessThan(400);
});

it('F1: a server that pages slowly is cut off by the time that it may take to start', async () => {
  const gateway = await startGateway({
    servers: { slow: greedy('slow-pages'), fine: plain() },
    settings: { servers: { slow: { startTimeoutMs: 3_000 } } },
    listener: 'http',
  });
  const client = await gateway.connect();
  await expect
    .poll(async () => JSON.stringify(await gateway.stateOf('slow')))
    .toMatch(/cut off: its lists take longer than 3 s/);
  expect(await client.tools()).toContain('slow:t_0');
});

it('F10: 70,000 tools on one line, and a description of 8.6 MB, do not stop the gateway', async () => {
  const gateway = await startPlain({
    many: greedy('later-many', 70_000),
    long: greedy('later-description', 8_600_000),
    fine: plain(),
  });
  const client = await gateway.connect();
  await client.tools();
  await client.result('fine:echo');
  await client.result('long:grow');
  await expect
    .poll(() => gateway.stderr)
    .toContain('"long" was left out: its definition is too long');
  await expect.poll(async () => client.tools()).toContain('long:last');

  await client.result('many:grow');
  await expect
    .poll(async () => JSON.stringify(await gateway.stateOf('many')))
    .toContain('more than 6000 entries');
  expect((await client.tools()).filter((name) => name.startsWith('many:'))).toHaveLength(6_000);
});
