/** Lists and choices of the console with many servers: what is first, what is on a small screen, what a choice changes. */

import { readFileSync } from 'node:fs';

import axe from 'axe-core';
import { expect, it } from 'vitest';

import { journalFolder } from '../../testing/audit-folder.js';
import { plain, startGateway, type ServerEntry } from '../gateway-process.js';
import { describeInBrowser, goTo } from './browser.js';
import { signIn, violations, widths } from './signed-in-page.js';

const MISSING: ServerEntry = { command: 'no-such-command' };
const SCREENS = ['now', 'servers', 'tools', 'names', 'policy', 'approvals', 'audit', 'lock'];

/** What each screen says to do next while there are no servers, in the order of the navigation. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  now: 'callsign setup',
  servers: 'or use Add a server',
  tools: 'Servers shows why, and adds one',
  names: 'Servers shows why, and adds one',
  policy: 'Choose another way',
  approvals: 'policy says so',
  audit: 'Call a tool from a client',
  lock: 'Turn it on',
};

const policyIn = (file: string): unknown =>
  (JSON.parse(readFileSync(file, 'utf8')) as { callsign: { policy?: unknown } }).callsign.policy;

describeInBrowser('the list of servers', (open) => {
  it('begins with what failed, and can be searched, filtered and sorted (M30)', async () => {
    const gateway = await startGateway({
      servers: { beta: plain(), zulu: plain('--tools=3'), alpha: plain(), mike: MISSING },
      listener: 'http',
    });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/servers');
    const names = (): Promise<string[]> => page.locator('.servers tbody th').allInnerTexts();
    // It is tried some times before it counts as failed.
    await page.getByText(/4 servers: 1 (failed|waiting|starting), 3 ready/).waitFor();
    expect(await names()).toEqual(['mike', 'beta', 'zulu', 'alpha']);
    await page.getByLabel('Failed first').selectOption('By name');
    await expect.poll(names).toEqual(['alpha', 'beta', 'mike', 'zulu']);
    await page.getByLabel('Any state').selectOption('ready');
    await expect.poll(names).toEqual(['alpha', 'beta', 'zulu']);
    await page.getByRole('searchbox', { name: 'Search servers' }).fill('zul');
    await expect.poll(names).toEqual(['zulu']);
    // The address has the filters, and a server keeps them.
    await page.getByRole('link', { name: 'zulu' }).click();
    await page.getByRole('region', { name: 'zulu', exact: true }).waitFor();
    expect(await names()).toEqual(['zulu']);
    await page.getByRole('searchbox', { name: 'Search servers' }).fill('nothing like it');
    await page.getByRole('link', { name: 'Clear the filters' }).click();
    await expect.poll(names).toEqual(['mike', 'beta', 'zulu', 'alpha']);
    expect(new URL(page.url()).hash).toBe('#/servers/zulu');
  });

  it('has the servers that are asleep behind failed ones, and wakes them by a call', async () => {
    const asleep = { start: 'on-demand' };
    const first = await startGateway({
      servers: { beta: plain(), mike: MISSING, alpha: plain('--tools=3') },
      settings: { servers: { beta: asleep, alpha: asleep } },
      listener: 'http',
    });
    const client = await first.connect();
    await expect.poll(async () => (await client.tools()).length).toBeGreaterThan(20);
    first.kill('SIGTERM');
    await first.exited;
    const gateway = await startGateway({ servers: {}, config: first.config, listener: 'http' });
    const { page } = await signIn(open, gateway, { viewport: { width: 375, height: 740 } });
    await goTo(page, '#/servers');
    await page.getByText('2 asleep. Those asleep start with their next call.').waitFor();
    const rows = page.locator('.servers tbody tr');
    expect(await page.locator('.servers tbody th').allInnerTexts()).toEqual([
      'mike',
      'beta',
      'alpha',
    ]);
    expect(await rows.nth(1).innerText()).toMatch(/asleep/);
    await page.evaluate(axe.source);
    expect(await violations(page)).toEqual([]);
    await (
      await gateway.connect()
    ).request('tools/call', {
      name: 'beta:echo',
      arguments: { text: 'x' },
    });
    await rows.filter({ hasText: 'beta' }).getByText('ready').waitFor();
    await page.getByText('1 asleep.').waitFor();
  });
});

describeInBrowser('the chart of calls', (open) => {
  it('has the calls from before the page was opened, even after a reload (M27)', async () => {
    const gateway = await startGateway({ servers: { kid: plain() }, listener: 'http' });
    const client = await gateway.connect();
    await client.tools();
    for (let i = 0; i < 7; i++) {
      await client.request('tools/call', { name: 'kid:echo', arguments: { text: 'x' } });
    }
    const { page } = await signIn(open, gateway);
    const chart = page.getByRole('img', { name: 'Chart: 7 calls in the last 5 minutes, 0 failed' });
    await chart.waitFor();
    await page.reload();
    await chart.waitFor();
  });

  it('has the recorded calls of its servers after a restart', async () => {
    const first = await startGateway({
      servers: { kid: plain() },
      settings: { audit: { folder: journalFolder() } },
      listener: 'http',
    });
    const client = await first.connect();
    await client.tools();
    for (const name of ['kid:echo', 'kid:echo', 'kid:none']) {
      await client.request('tools/call', { name, arguments: { text: 'x' } });
    }
    first.kill('SIGTERM');
    await first.exited;
    const gateway = await startGateway({ servers: {}, config: first.config, listener: 'http' });
    const { page } = await signIn(open, gateway);
    const chart = (calls: number) =>
      page.getByRole('img', { name: `Chart: ${calls} calls in the last 5 minutes, 0 failed` });
    await chart(2).waitFor();
    const again = await gateway.connect();
    await again.tools();
    await again.request('tools/call', { name: 'kid:echo', arguments: { text: 'x' } });
    await chart(3).waitFor();
  });

  it('leaves out how long a call waited for a person (M24)', async () => {
    const folder = journalFolder();
    const gateway = await startGateway({
      servers: { kid: plain() },
      settings: {
        audit: { folder },
        policy: { destructive: 'confirm', confirm: { whenClientCannotAsk: 'wait' } },
        annotations: { 'kid:echo': { preset: 'WRITE_DESTRUCTIVE' } },
      },
      listener: 'http',
    });
    const { page } = await signIn(open, gateway);
    const client = await gateway.connect();
    await client.tools();
    const call = client.request('tools/call', { name: 'kid:echo', arguments: { text: 'x' } });
    await goTo(page, '#/approvals');
    // It waits for at least two seconds, of two minutes.
    await page.getByText(/^11[0-8] s left/).waitFor();
    await page.getByRole('button', { name: 'Allow once' }).click();
    expect((await call).error).toBeUndefined();
    await goTo(page, '#/audit');
    await page.getByRole('link', { name: 'kid:echo' }).click();
    await page.getByText(/^after \d.* s, \d.* s of it waiting for a person/).waitFor();
    const stats = await page.locator('.over-time').innerText();
    const [, value, unit] = /95 % within ([\d.]+) (m?s)/.exec(stats)!;
    expect(Number(value) * (unit === 's' ? 1_000 : 1)).toBeLessThan(1_900);
  });
});

describeInBrowser('the policy', (open) => {
  it('is changed by a choice of three, and keeps its rules (M29)', async () => {
    const rule = { match: 'kid:fail', decision: 'deny', reason: 'never' };
    const gateway = await startGateway({
      servers: { kid: plain() },
      settings: { policy: { rules: [rule], destructive: 'dry-run' } },
      listener: 'http',
    });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/policy');
    const rules = page.locator('.rules.numbered li');
    await page.getByText('If the tool may delete or overwrite:').waitFor();
    expect(await rules.allInnerTexts()).toEqual(['If the tool is kid:fail: deny never']);
    // The file has another policy than these three.
    const ways = page.getByRole('group', { name: 'Ways to decide' });
    expect(await ways.getByRole('radio', { checked: true }).count()).toBe(0);
    await page.getByRole('radio', { name: 'Ask before every change' }).check();
    await page.getByText(/of \d+ tools would be decided differently/).waitFor();
    await page.evaluate(axe.source);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => policyIn(gateway.config))
      .toEqual({ write: 'confirm', contradiction: 'confirm', rules: [rule] });
    await page.locator('.rules').getByText('If the tool adds or changes: confirm').waitFor();
    await page.getByRole('radio', { name: 'Never ask' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => policyIn(gateway.config))
      .toEqual({ destructive: 'allow', rules: [rule] });
  });

  it('that has nothing else is written by its name', async () => {
    const gateway = await startGateway({ servers: { kid: plain() }, listener: 'http' });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/policy');
    await page.getByText('There is no policy').waitFor();
    expect(await page.getByRole('radio', { name: 'Never ask' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'Careful' }).check();
    expect(await page.getByRole('textbox').inputValue()).toBe('"careful"');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => policyIn(gateway.config)).toBe('careful');
    await page.getByRole('status').getByText('Saved.').waitFor();
    // Without rules, the labels are all there is, and have no order.
    await page.getByText('the strictest decision counts').waitFor();
    expect(await page.locator('.rules.numbered').count()).toBe(0);
    // Calls of clients that cannot ask wait on Approvals only if that is chosen.
    const asked = page.getByRole('group', { name: 'Who is asked' });
    expect(await asked.getByRole('radio', { name: 'Ask only in the client' }).isChecked()).toBe(
      true,
    );
    await asked.getByRole('radio', { name: 'Ask me too' }).check();
    expect(await page.getByText('Saved.').count()).toBe(0);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => policyIn(gateway.config))
      .toEqual({ contradiction: 'confirm', confirm: { whenClientCannotAsk: 'wait' } });
    await page.getByRole('status').getByText('Saved.').waitFor();
    // It has not gone when the editor shows the changed file.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await page.getByText('Saved.').count()).toBe(1);
    expect(await page.getByRole('radio', { name: 'Careful' }).isChecked()).toBe(true);
    await asked.getByRole('radio', { name: 'Ask only in the client' }).check();
    expect(await page.getByRole('textbox').inputValue()).toBe('"careful"');
  });
});

describeInBrowser('the lock', (open) => {
  it('that is off says what it does, and is turned on by a button (M26)', async () => {
    const gateway = await startGateway({ servers: { kid: plain() }, listener: 'http' });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/lock');
    await page.getByText('It is off.').waitFor();
    expect(await page.locator('.locked').count()).toBe(0);
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.getByLabel('Changed lines').getByText('"lock": "warn"').waitFor();
    await page.getByRole('radio', { name: 'Withhold' }).check();
    await page.getByLabel('Changed lines').getByText('"lock": "enforce"').waitFor();
    await page.evaluate(axe.source);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    // What is offered now is accepted.
    await page.locator('.unchanged').getByText('kid').waitFor();
    expect(await page.locator('.locked').count()).toBe(0);
    expect(readFileSync(gateway.config, 'utf8')).toContain('"lock": "enforce"');
  });
});

describeInBrowser('without any servers', (open) => {
  it.each([375, 1440])('every screen of %i pixels says what to do next (M33)', async (width) => {
    const gateway = await startGateway({
      servers: {},
      settings: { audit: { folder: journalFolder() } },
      listener: 'http',
    });
    const { page } = await signIn(open, gateway, { viewport: { width, height: 740 } });
    await page.evaluate(axe.source);
    for (const theme of ['dark', 'light']) {
      if (theme === 'light') await page.getByRole('button', { name: 'Light' }).click();
      for (const [screen, words] of Object.entries(NEXT_STEPS)) {
        await goTo(page, `#/${screen}`);
        await expect.poll(() => page.getByRole('main').innerText()).toContain(words);
        expect([screen, ...(await widths(page)).map((each) => each <= width)]).toEqual([
          screen,
          true,
          true,
        ]);
        expect([theme, screen, await violations(page)]).toEqual([theme, screen, []]);
      }
    }
  });
});

describeInBrowser('a width of 375 pixels', (open) => {
  it('shows every screen without cutting anything off, with 24 servers (M31)', async () => {
    const kids = Array.from({ length: 24 }, (_, i) => [
      i % 6 === 0 ? `a-server-with-a-name-that-is-quite-long-${i}` : `kid-${i}`,
      i % 2 === 0 ? plain() : MISSING,
    ]);
    const gateway = await startGateway({
      servers: Object.fromEntries(kids) as Record<string, ServerEntry>,
      settings: { audit: { folder: journalFolder() }, lock: 'warn' },
      listener: 'http',
    });
    const client = await gateway.connect({ name: 'some-agent-with-a-long-name' });
    await client.tools();
    await client.request('tools/call', { name: 'kid-2:echo', arguments: { text: 'x' } });
    const { page } = await signIn(open, gateway, { viewport: { width: 375, height: 740 } });
    await page.evaluate(axe.source);
    for (const screen of [...SCREENS, 'servers/kid-2', 'tools/kid-2%3Aecho', 'names/windsurf']) {
      await goTo(page, `#/${screen}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.locator('.waiting').count()).toBe(0);
      expect([screen, ...(await widths(page))]).toEqual([screen, 375, 375]);
      expect([screen, await cutBadges(page)]).toEqual([screen, []]);
      expect([screen, await violations(page)]).toEqual([screen, []]);
    }
    // All screens are in the navigation, with the count of calls that wait.
    for (const link of await page.getByRole('navigation').getByRole('link').all()) {
      const place = (await link.boundingBox())!;
      expect(place.x).toBeGreaterThanOrEqual(0);
      expect(place.x + place.width).toBeLessThanOrEqual(375);
    }
    const tile = page.locator('.clients [aria-current]');
    const { x, width } = (await tile.boundingBox())!;
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(375);
    await goTo(page, '#/audit');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Any risk').selectOption('read');
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await page.getByLabel('Any risk').waitFor({ state: 'hidden' });
  });
});

/** Badges that end outside of the window or of the box that they are in. */
function cutBadges(page: Parameters<typeof widths>[0]): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('main .badge')].flatMap((badge) => {
      const { left, right, width } = badge.getBoundingClientRect();
      const box = badge.closest('.scroll, .virtual, main').getBoundingClientRect();
      return width > 0 && (left < box.left || right > box.right) ? [badge.outerHTML] : [];
    })`,
  );
}
