/**
 * Servers whose lists are too long, too large, too slow or endless: the gateway keeps what fits,
 * and warns.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { pause, plain, startGateway, temporaryFolder } from '../gateway-process.js';
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
  const file = join(temporaryFolder(), 'loop.json');
  const watch = pathToFileURL(join(ROOT, 'test/e2e/limits/loop-watch.mjs')).href;
  const gateway = await startPlain(
    {
      many: greedy('later-many', 70_000),
      long: greedy('later-description', 8_600_000),
      fine: plain(),
    },
    { env: { NODE_OPTIONS: `--import=${watch}`, CALLSIGN_LOOP_FILE: file } },
  );
  const client = await gateway.connect();
  await client.tools();
  await client.result('fine:echo');
  const longest = async (): Promise<number> => {
    await pause(250);
    return (JSON.parse(readFileSync(file, 'utf8')) as { busy: number }).busy;
  };
  const reset = async (): Promise<void> => {
    process.kill(gateway.pid, 'SIGUSR2');
    await pause(250);
  };
  await reset();
  await client.result('long:grow');
  await expect
    .poll(() => gateway.stderr)
    .toContain('"long" was left out: its definition is too long');
  const description = await longest();
  await expect.poll(async () => client.tools()).toContain('long:last');

  await reset();
  await client.result('many:grow');
  await expect
    .poll(async () => JSON.stringify(await gateway.stateOf('many')))
    .toContain('more than 6000 entries');
  const walk = await longest();
  await reset();
  expect((await client.tools()).filter((name) => name.startsWith('many:'))).toHaveLength(6_000);
  const list = await longest();
  // Without slices and limits these were 1,700, 4,900 and 3,000. A busy machine needs several times
  // as long as an idle one.
  expect(description).toBeLessThan(200);
  expect(walk).toBeLessThan(1_200);
  expect(list).toBeLessThan(200);
});
