/** The console of one of three gateways that share a database shows all of them. One is killed and started again. */

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { describePostgres } from '../../testing/postgres.js';
import { describeInBrowser, goTo } from '../console/browser.js';
import { adminFetch, consoleLink } from '../console/console-link.js';
import { violations, widths } from '../console/signed-in-page.js';
import { plain, startGateway, temporaryFolder } from '../gateway-process.js';
import { type Machine, machines } from './machines.js';

const KEY = 'callsign_key_of_the_console';
const hash = `sha256:${createHash('sha256').update(KEY).digest('hex')}`;
const keyed = { auth: { keys: [{ name: 'wall', hash, console: 'viewer' }] } };
const settings = {
  instances: { secrets: ['a secret of the instances in this test'] },
  servers: { twin: { placement: 'each' } },
};
const servers = { kid: plain(), twin: plain() };
/** Where pictures for people go. Default: none are taken. */
const PICTURES = process.env['CALLSIGN_PICTURES_IN'];

interface Instances {
  readonly instances: readonly {
    readonly id: string;
    readonly state: string;
    readonly isSelf: boolean;
    readonly pid: number;
    readonly callsPerSecond: number;
    readonly servers: readonly { readonly key: string; readonly runsHere: boolean }[];
  }[];
  readonly warnings: readonly { readonly text: string }[];
}

describePostgres('the console of one of three gateways', (postgres) => {
  describeInBrowser('in a browser', (open) => {
    it('shows every instance, one that is killed as gone, and one that starts again', async () => {
      const all = await machines(postgres, 3, settings, { servers });
      const [viewed] = all as [Machine, Machine, Machine];
      const { page } = await open(onTestFinished);
      await page.goto(await consoleLink(viewed.gateway, viewed.env));
      const table = page.getByRole('region', { name: 'Instances' });
      const rows = table.locator('tbody tr');
      await expect.poll(() => rows.count()).toBe(3);
      await expect.poll(() => rows.filter({ hasText: '2 of 2' }).count()).toBe(3);
      expect(await rows.filter({ hasText: 'ready' }).count()).toBe(3);
      expect(await rows.filter({ hasText: 'same' }).count()).toBe(3);
      expect(await rows.filter({ hasText: 'this one' }).count()).toBe(1);

      // Calls of another instance count, there and in all.
      const other = all.find((each) => each !== viewed)!;
      const idle = await keepCalling(other);
      const inAll = page.getByRole('listitem').filter({ hasText: 'calls per second in all' });
      await expect.poll(async () => Number.parseFloat(await inAll.innerText())).toBeGreaterThan(0);
      const busy = rows.filter({ hasNotText: 'this one' }).locator('td.number:last-child');
      await expect
        .poll(async () => (await busy.allInnerTexts()).map(Number).toSorted((a, b) => a - b)[1])
        .toBeGreaterThan(0);
      await pictures(page, 'ready');
      await idle();

      // One runs "kid" for all. It is killed.
      await goTo(page, '#/servers/kid');
      const places = page.locator('.places li');
      await expect.poll(() => places.filter({ hasText: 'runs it for all' }).count()).toBe(1);
      expect(await places.filter({ hasText: 'connected to it' }).count()).toBe(2);
      await pictures(page, 'server');
      const holder = await holderOf(all);
      const survivor = all.find((each) => each !== holder)!;
      await page.goto('about:blank');
      await page.goto(await consoleLink(survivor.gateway, survivor.env));
      await expect.poll(() => rows.filter({ hasText: 'ready' }).count()).toBe(3);
      const stop = await keepCalling(survivor);
      holder.gateway.kill('SIGKILL');
      await rows.filter({ hasText: 'silent' }).waitFor();
      await rows.filter({ hasText: 'gone' }).waitFor();
      await page.getByText('stopped unexpectedly').waitFor();
      await expect.poll(() => rows.filter({ hasText: 'ready' }).count()).toBe(2);
      await pictures(page, 'gone');
      if (process.env['CALLSIGN_PICTURES'] === 'docs') {
        await page.setViewportSize({ width: 1280, height: 800 });
        const path = join(ROOT, 'docs', 'console', 'instances.png');
        await page.locator('main').screenshot({ path });
        await page.setViewportSize({ width: 1440, height: 900 });
      }
      await stop();
      await goTo(page, '#/servers/kid');
      await expect.poll(() => places.count()).toBe(2);
      await expect.poll(() => places.filter({ hasText: 'runs it for all' }).count()).toBe(1);

      // It starts again as another instance. The warning ends, and the entry of the old one stays.
      const { config } = holder.gateway;
      const again = await startGateway({ servers: {}, config, env: holder.env, listener: 'http' });
      await goTo(page, '#/now');
      await expect.poll(() => rows.filter({ hasText: 'ready' }).count()).toBe(3);
      expect(await rows.filter({ hasText: 'gone' }).count()).toBe(1);
      await expect.poll(() => page.getByText('stopped unexpectedly').count()).toBe(0);

      // One that gets SIGTERM leaves in order: it drains, and no entry stays.
      const end = join(temporaryFolder(), 'end');
      const last = await again.connect();
      await last.tools();
      const call = last.call('twin:sleep', { until: end });
      again.kill('SIGTERM');
      await rows.filter({ hasText: 'draining' }).waitFor();
      writeFileSync(end, '');
      expect((await call).error).toBeUndefined();
      await expect.poll(() => rows.count()).toBe(3);
      expect(await rows.filter({ hasText: 'gone' }).count()).toBe(1);
      await page.evaluate(axe.source);
      for (const screen of ['#/now', '#/servers/kid']) {
        await goTo(page, screen);
        await page.getByRole('heading', { name: 'Instances' }).waitFor();
        for (const theme of ['Light', 'Dark']) {
          await page.getByRole('button', { name: theme }).click();
          expect(await violations(page)).toEqual([]);
        }
        await page.setViewportSize({ width: 375, height: 800 });
        for (const width of await widths(page)) expect(width).toBeLessThanOrEqual(375);
        await page.setViewportSize({ width: 1440, height: 900 });
      }
    });

    it('marks an instance with another configuration, and its other servers', async () => {
      const { instances } = settings;
      const [viewed] = await machines(postgres, 1, { instances }, { servers: { kid: plain() } });
      await machines(postgres, 1, settings, { servers, beside: viewed! });
      const { page } = await open(onTestFinished);
      await page.goto(await consoleLink(viewed!.gateway, viewed!.env));
      const rows = page.getByRole('region', { name: 'Instances' }).locator('tbody tr');
      await rows.filter({ hasText: 'different' }).waitFor();
      await page.getByText('runs another configuration').waitFor();
      await pictures(page, 'different');
      await goTo(page, '#/servers');
      await page.getByText('Only other instances have these servers: twin').waitFor();
    });
  });

  it('says over the API which instances run, for a viewer too, or why it cannot', async () => {
    const [a, b] = await machines(postgres, 2, { ...settings, ...keyed }, { servers });
    const ask = adminFetch(new URL(a!.gateway.url).origin, KEY);
    const listed = async (): Promise<Instances> => (await ask<Instances>('GET', '/instances')).body;
    await expect
      .poll(async () => (await listed()).instances.map(({ state }) => state))
      .toEqual(['ready', 'ready']);
    const { instances, warnings } = await listed();
    expect(warnings).toEqual([]);
    expect(instances.map(({ pid }) => pid).toSorted()).toEqual(
      [a!.gateway.pid, b!.gateway.pid].toSorted(),
    );
    expect(instances.find(({ isSelf }) => isSelf)!.pid).toBe(a!.gateway.pid);
    const { answer } = await b!.command('status', '--all');
    const listedThere = answer['instances'] as { id: string }[];
    expect(listedThere.map(({ id }) => id)).toEqual(instances.map(({ id }) => id));
    await postgres.stop();
    await expect
      .poll(async () => (await ask<{ error: string }>('GET', '/instances')).status)
      .toBe(503);
    const { body } = await ask<{ error: string }>('GET', '/instances');
    expect(body.error).toContain('the database cannot be reached');
    expect(body.error).not.toContain(postgres.server.url);
  });
});

it('a gateway without storage has no other instances', async () => {
  const gateway = await startGateway({
    servers: { kid: plain() },
    settings: keyed,
    listener: 'http',
  });
  const ask = adminFetch(new URL(gateway.url).origin, KEY);
  await expect
    .poll(async () => (await ask<Instances>('GET', '/instances')).body)
    .toEqual({ instances: [], warnings: [] });
});

/** Calls one tool after the other. Returns a function that ends it. */
async function keepCalling({ gateway }: Machine): Promise<() => Promise<void>> {
  const client = await gateway.connect();
  const load = { isWanted: true };
  const calls = (async () => {
    while (load.isWanted) await client.result('twin:add', { a: 1, b: 2 });
  })();
  return async () => {
    load.isWanted = false;
    await calls;
  };
}

/** The machine that runs "kid" for all. */
async function holderOf(all: readonly Machine[]): Promise<Machine> {
  const { answer } = await all[0]!.command('status', '--all');
  const instances = answer['instances'] as { leases: string[]; pid: number }[];
  const { pid } = instances.find(({ leases }) => leases.includes('server:kid'))!;
  return all.find(({ gateway }) => gateway.pid === pid)!;
}

/** Wide and narrow, dark and light, for a person to look at. */
async function pictures(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  for (const theme of ['Light', 'Dark']) {
    await page.getByRole('button', { name: theme }).click();
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 900 });
      const path = join(PICTURES, `${name}-${theme}-${width}.png`);
      await page.screenshot({ path });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
