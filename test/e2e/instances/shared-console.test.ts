/** The console of one of several gateways that share a database shows the calls of all of them. */

import { expect, it, onTestFinished } from 'vitest';

import { describePostgres } from '../../testing/postgres.js';
import { describeInBrowser, goTo } from '../console/browser.js';
import { consoleLink } from '../console/console-link.js';
import { machines } from './machines.js';

const POLICY = {
  destructive: 'confirm',
  confirm: { whenClientCannotAsk: 'wait', timeoutMs: 60_000 },
};

describePostgres('a console with PostgreSQL', (postgres) => {
  describeInBrowser('of one of two gateways', (open) => {
    it('decides a call that waits at the other gateway, and shows the records of both', async () => {
      const [a, b] = await machines(postgres, 2, { policy: POLICY });
      const { page } = await open(onTestFinished);
      await page.goto(await consoleLink(b!.gateway, b!.env));
      await page.getByText('live', { exact: true }).waitFor();
      await goTo(page, '#/approvals');
      await page.getByText('No calls are waiting.').waitFor();

      const [one, two] = [await a!.gateway.connect({ name: 'one' }), await b!.gateway.connect()];
      await one.tools();
      const call = one.call('kid:echo', { word: 'shared' });
      await page.getByRole('article').getByText('"shared"').waitFor();
      await page.getByRole('button', { name: 'Allow once' }).click();
      expect((await call).result!['structuredContent']).toEqual({ word: 'shared' });
      await page.getByText('No calls are waiting.').waitFor();
      await two.result('kid:add', { a: 1, b: 2 });

      await goTo(page, '#/audit');
      const rows = page.locator('.records tbody tr');
      // Records reach the database a moment after their calls.
      await expect
        .poll(async () => {
          await page.getByRole('button', { name: /Refresh|new call/ }).click();
          return (await rows.allInnerTexts()).join('\n');
        })
        .toMatch(/kid:add[^]*kid:echo/);
      await page.getByText('2 calls, all ok').waitFor();
      await page.getByRole('link', { name: 'kid:echo' }).click();
      const path = page.getByRole('region', { name: 'kid:echo' });
      await path.getByText('recorded before it was sent').waitFor();
      expect(await path.innerText()).toContain('one');
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('in 2 journals').waitFor();
    });
  });
});
