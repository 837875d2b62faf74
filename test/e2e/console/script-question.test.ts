/** The question about a script on the screen Approvals: each call is shown, and may be left out. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import axe from 'axe-core';
import { expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { plain, startGateway } from '../gateway-process.js';
import { describeInBrowser, goTo } from './browser.js';
import { signIn, violations, widths } from './signed-in-page.js';

const FOLDER = process.env['CALLSIGN_PICTURES'] === 'docs' ? join(ROOT, 'docs', 'console') : '';
const LONG = 'the harbour, its tides and its ferries, '.repeat(12);
const CODE = `for (const page of ['drafts/2019', 'drafts/2020', 'drafts/2021'])
  try { await tools.kid.echo({ page }) } catch {}
try { await tools.kid.add({ text: ${JSON.stringify(LONG)}, password: 'hunter2', markup: '<b>\u202Ebold</b>' }) } catch {}`;

describeInBrowser('the question about a script', (open) => {
  it('shows every call, and allows some of them', async () => {
    const gateway = await startGateway({
      servers: { kid: plain() },
      settings: {
        scripts: {},
        policy: { confirm: { whenClientCannotAsk: 'wait' } },
        annotations: {
          'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
          'kid:add': { preset: 'WRITE_IDEMPOTENT' },
        },
      },
      listener: 'http',
    });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/approvals');
    const client = await gateway.connect({ name: 'claude-code' });
    await client.tools();
    const run = client.call('callsign:run', { code: CODE, purpose: 'Remove the old drafts' });
    const asked = page.getByRole('article');
    await asked.waitFor();
    const text = await asked.innerText();
    expect(text).toContain('3 × `kid:echo` (destructive), 1 × `kid:add` (write)');
    for (const year of [2019, 2020, 2021]) expect(text).toContain(`{"page":"drafts/${year}"}`);
    expect(text).toContain('NOT SHOWN: 9 characters at `password` (looks like a secret).');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('\u202E');
    await page.evaluate(axe.source);
    const second = asked.getByRole('checkbox').nth(1);
    await asked.getByRole('button', { name: 'Allow all 4 calls' }).waitFor();
    await second.uncheck();
    await asked.getByRole('button', { name: 'Allow 3 of 4 calls' }).waitFor();
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 900 });
      for (const each of await widths(page)) expect(each).toBeLessThanOrEqual(width);
      expect([width, await violations(page)]).toEqual([width, []]);
      if (width === 1440 && FOLDER !== '')
        writeFileSync(join(FOLDER, 'script.png'), await page.screenshot());
    }
    await asked.getByRole('button', { name: 'Allow 3 of 4 calls' }).click();
    const [{ text: told }] = (await run).result!['content'] as [{ text: string }];
    const { sent, notSent } = JSON.parse(told) as Record<string, { arguments: string }[]>;
    expect(sent!.map((call) => call.arguments.slice(0, 24))).toEqual([
      '{"page":"drafts/2019"}',
      '{"page":"drafts/2021"}',
      expect.stringMatching(/^\{"text":"the harbour/),
    ]);
    expect(notSent!.map((call) => call.arguments)).toEqual(['{"page":"drafts/2020"}']);
    await page.getByText('No calls are waiting.').waitFor();
  });
});
