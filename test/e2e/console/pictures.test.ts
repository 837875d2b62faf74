/**
 * Pictures of the console with the servers of the showcase. With `CALLSIGN_PICTURES=docs` they are written into
 * docs/console; otherwise this only checks that each of these screens loads.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { journalFolder } from '../../testing/audit-folder.js';
import { startGateway, temporaryFolder } from '../gateway-process.js';
import { describeInBrowser, goTo } from './browser.js';
import { consoleLink } from './console-link.js';
import { widths } from './signed-in-page.js';

const FOLDER = process.env['CALLSIGN_PICTURES'] === 'docs' ? join(ROOT, 'docs', 'console') : '';

/** The showcase with its own policy, in a separate folder. */
function showcase(): string {
  const text = readFileSync(join(ROOT, 'examples', 'showcase', 'callsign.json'), 'utf8');
  const { mcpServers } = JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '')) as {
    mcpServers: Record<string, object>;
  };
  const servers = Object.entries(mcpServers).map(([key, entry]) => [key, { ...entry, cwd: ROOT }]);
  const policy = { destructive: 'confirm', confirm: { whenClientCannotAsk: 'wait' } };
  const folder = join(temporaryFolder(), 'harbour');
  mkdirSync(folder);
  const file = join(folder, 'callsign.json');
  const audit = { folder: journalFolder(), arguments: 'redacted' };
  const callsign = { policy, audit, listWaitMs: 60_000 };
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(servers), callsign }));
  return file;
}

/** A read by its words, a tool that sends, and a claim that its own name contradicts. */
const OFFICE = {
  tools: [
    { name: 'list_notes', description: 'List the notes of a notebook.' },
    { name: 'send_email', description: 'Send an e-mail to a contact.' },
    {
      name: 'delete_note',
      description: 'Delete a note for good.',
      annotations: { readOnlyHint: true },
    },
  ].map((tool) => ({ ...tool, inputSchema: { type: 'object', properties: {} } })),
};

describeInBrowser('pictures of the console', (open) => {
  it('show an inferred read, a tool that sends, and a contradicted claim (S1, W2, M28)', async () => {
    const recording = join(temporaryFolder(), 'office.json');
    writeFileSync(recording, JSON.stringify(OFFICE));
    const script = join(ROOT, 'test', 'fixtures', 'recorded-child.mjs');
    const office = { command: process.execPath, args: [script, recording] };
    const gateway = await startGateway({ servers: { office }, listener: 'http' });
    const { page } = await open(onTestFinished, { viewport: { width: 1280, height: 560 } });
    await page.goto(await consoleLink(gateway));
    await goTo(page, '#/tools/office%3Adelete_note');
    await page.getByText('the server says read-only, but the name says delete').first().waitFor();
    await page.getByText('office:send_email').first().waitFor();
    const picture = await page.screenshot();
    if (FOLDER !== '') writeFileSync(join(FOLDER, 'labels.png'), picture);
    const tools = page.getByRole('main');
    expect(await tools.innerText()).toContain('send_email');
    // Each row has the reason for its label, and the dot says how certain the label is.
    const rows = ['list_notes', 'send_email', 'delete_note'].map((name) =>
      tools.locator('.tool-row').filter({ hasText: `office:${name}` }),
    );
    const shown = rows.map(async (row) => {
      const dot = await row.locator('.badge').getAttribute('class');
      return [dot?.split(' ').at(-1), await row.locator('.because').innerText()];
    });
    expect(await Promise.all(shown)).toEqual([
      ['inferred', expect.stringContaining('list')],
      ['inferred', expect.stringContaining('send')],
      ['stated', expect.stringContaining('the name says delete')],
    ]);
  });

  it('show the showcase', async () => {
    const gateway = await startGateway({
      servers: {},
      config: showcase(),
      listener: 'http',
    });
    const client = await gateway.connect({ name: 'claude-code' });
    await client.tools();
    const { page } = await open(onTestFinished, { viewport: { width: 1280, height: 800 } });
    await page.goto(await consoleLink(gateway));
    await page.getByText('6 of 6').waitFor();
    const call = client.request('tools/call', {
      name: 'memory__delete_entities',
      arguments: { entityNames: ['Harbour', 'Tide table'] },
    });
    // Calls continue until the chart shows many of them.
    const chart = page.getByRole('img', { name: /^Chart: ([2-9]\d\d|\d{4,}) calls/ });
    for (let i = 0; (await chart.count()) === 0; i++) {
      const path = i % 9 === 8 ? 'none.txt' : 'tides.csv';
      await client.request('tools/call', {
        name: 'filesystem__read_text_file',
        arguments: { path },
      });
    }
    await page.getByText('call is waiting for you').waitFor();
    const take = async (name: string, hash: string, heading: string): Promise<void> => {
      await goTo(page, hash);
      await page.getByRole('heading', { name: heading }).first().waitFor();
      await expect.poll(() => page.locator('.waiting').count()).toBe(0);
      const picture = await page.screenshot();
      expect(picture.length).toBeGreaterThan(10_000);
      if (FOLDER !== '') writeFileSync(join(FOLDER, `${name}.png`), picture);
    };
    await take('now', '#/now', 'Now');
    await take('tool', '#/tools/memory%3Adelete_entities', 'Name in every client');
    await take('names', '#/names/cursor', 'Names');
    await take('approvals', '#/approvals', 'Approvals');
    await page.setViewportSize({ width: 375, height: 800 });
    for (const width of await widths(page)) expect(width).toBeLessThanOrEqual(375);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Allow once' }).click();
    expect((await call).error).toBeUndefined();
    await goTo(page, '#/audit');
    await page.getByRole('link', { name: 'memory:delete_entities' }).click();
    await page.getByText('recorded before it was sent').waitFor();
    // The end of the call may be recorded after its path is shown. The page does not need a reload.
    await page.getByText(/^after [\d.]+ m?s/).waitFor();
    await page.getByText('approved by the operator').waitFor();
    await take('audit', new URL(page.url()).hash, 'Path');
  });
});
