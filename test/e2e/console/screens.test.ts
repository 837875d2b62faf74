/** The screens of the console in a real browser, with a real gateway and real servers. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import axe from 'axe-core';
import { expect, it, onTestFinished } from 'vitest';

import { plain, startGateway, temporaryFolder, type ServerEntry } from '../gateway-process.js';
import { openSession, post } from '../limits/http-session.js';
import { describeInBrowser, goTo } from './browser.js';
import { consoleLink } from './console-link.js';
import { cutLabels, signIn, violations, widths } from './signed-in-page.js';

const retold = (file: string): ServerEntry => ({
  command: process.execPath,
  args: [join(import.meta.dirname, '..', 'cli-governed', 'retold-child.mjs'), file],
});

const recorded = (file: string): ServerEntry => ({
  command: process.execPath,
  args: [join(import.meta.dirname, '..', '..', 'fixtures', 'recorded-child.mjs'), file],
});

const POLICY = { destructive: 'confirm', confirm: { whenClientCannotAsk: 'wait' } };

const SCREENS = ['Now', 'Servers', 'Tools', 'Names', 'Policy', 'Approvals', 'Lock'];

describeInBrowser('the console', (open) => {
  it('signs in by the link, keeps no token in the address, and stays signed in after a reload', async () => {
    const gateway = await startGateway({ servers: { kid: plain() }, listener: 'http' });
    const { page } = await signIn(open, gateway);
    await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    expect(page.url()).not.toContain('token');
    expect(await page.context().cookies()).toEqual([]);
    await page.reload();
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Callsign console' }).waitFor();
  });

  it('gives advice if a link was already used', async () => {
    const gateway = await startGateway({ servers: { kid: plain() }, listener: 'http' });
    const link = await consoleLink(gateway);
    const { page: first } = await open(onTestFinished);
    await first.goto(link);
    await first.getByText('live', { exact: true }).waitFor();
    const second = await open(() => undefined);
    await second.page.goto(link);
    await second.page.getByRole('alert').getByText('To get a new one: callsign console').waitFor();
    await second.page.context().close();
    // Chromium itself reports the refused request.
    expect(second.faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  });

  it('shows every screen without a mouse, and each passes axe in both themes', async () => {
    const file = join(temporaryFolder(), 'tools.json');
    writeFileSync(file, JSON.stringify({ old_tool: 'Reads.' }));
    const gateway = await startGateway({
      servers: { kid: plain(), told: retold(file), gone: { command: 'no-such-command' } },
      settings: {
        policy: POLICY,
        lock: 'warn',
        annotations: { 'kid:echo': { preset: 'WRITE_DESTRUCTIVE' } },
      },
      listener: 'http',
    });
    const { page } = await signIn(open, gateway);
    const client = await gateway.connect();
    await client.tools();
    const call = client.request('tools/call', { name: 'kid:echo', arguments: { text: 'x' } });
    // Not added as a script of the page, because its policy forbids that.
    await page.evaluate(axe.source);
    for (const theme of ['dark', 'light']) {
      if (theme === 'light') await page.getByRole('button', { name: 'Light' }).click();
      for (const screen of SCREENS) {
        const link = page.getByRole('navigation').getByRole('link', { name: screen });
        await link.focus();
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
        await expect.poll(() => page.locator('.waiting').count()).toBe(0);
        expect([theme, screen, await violations(page)]).toEqual([theme, screen, []]);
      }
      await goTo(page, '#/tools/kid%3Aecho');
      await page.getByRole('heading', { name: 'Name in every client' }).waitFor();
      expect([theme, 'tool', await violations(page)]).toEqual([theme, 'tool', []]);
    }
    await goTo(page, '#/approvals');
    await page.getByRole('button', { name: 'Deny', exact: true }).focus();
    await page.keyboard.press('Enter');
    expect((await call).error?.message).toContain('the operator denied it');
  });

  it('approves the call of a client and shows its result, within two seconds', async () => {
    const gateway = await startGateway({
      servers: { kid: plain() },
      settings: { policy: POLICY, annotations: { 'kid:add': { preset: 'WRITE_DESTRUCTIVE' } } },
      listener: 'http',
    });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/approvals');
    await page.getByText('No calls are waiting.').waitFor();
    const client = await gateway.connect({ name: 'some-agent' });
    await client.tools();
    const call = client.request('tools/call', {
      name: 'kid:add',
      arguments: { a: 2, b: 40, note: 'password=hunter2', markup: '<b>\u202Ebold</b>' },
    });
    const asked = page.getByRole('article');
    await asked.waitFor({ timeout: 2_000 });
    const text = await asked.innerText();
    expect(text).toContain('"b": 40');
    expect(text).toContain('<b>');
    expect(text).toContain('some-agent');
    expect(text).toContain('policy.destructive is "confirm"');
    expect(text).not.toContain('hunter2');
    expect(text).toContain('NOT SHOWN: 7 characters at `note` (looks like a secret).');
    expect(text).not.toContain('\u202E');
    await asked.getByRole('button', { name: 'Allow once' }).click();
    expect((await call).result).toMatchObject({ structuredContent: { sum: 42 } });
    await page.getByText('No calls are waiting.').waitFor();
    await page.getByRole('status').getByText('Allowed: kid:add').waitFor();
  });

  it('V5: shows the arguments as they are sent, in their order and with large numbers', async () => {
    const gateway = await startGateway({
      servers: { kid: plain() },
      settings: { policy: POLICY, annotations: { 'kid:echo': { preset: 'WRITE_DESTRUCTIVE' } } },
      listener: 'http',
    });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/approvals');
    const given = '{"path":"/etc","id":9007199254740993,"1":2}';
    const params = `{"name":"kid:echo","arguments":${given}}`;
    const body = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`;
    const sent = post(gateway.url, body, await openSession(gateway.url));
    const shown = page.getByLabel('Arguments');
    await shown.waitFor();
    expect(await shown.innerText()).toBe(
      '{\n  "path": "/etc",\n  "id": 9007199254740993,\n  "1": 2\n}',
    );
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await sent;
  });

  it('shows a server that crashes and restarts, without a reload', async () => {
    const gateway = await startGateway({ servers: { kid: plain() }, listener: 'http' });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/servers/kid');
    const row = page.getByRole('row', { name: /^kid/ });
    await row.getByText('ready').waitFor();
    const client = await gateway.connect();
    await client.tools();
    await client.request('tools/call', { name: 'kid:crash', arguments: { code: 3 } });
    await expect.poll(async () => (await row.innerText()).split('\t').at(-1)?.trim()).toBe('1');
    await row.getByText('ready').waitFor();
    const pid = async (): Promise<unknown> =>
      (await client.request('tools/call', { name: 'kid:pid', arguments: {} })).result;
    const before = await pid();
    await page.getByRole('button', { name: 'Restart' }).click();
    await expect.poll(async () => JSON.stringify(await pid())).not.toBe(JSON.stringify(before));
  });

  it('reconnects when the gateway ends and starts again', async () => {
    const gateway = await startGateway({ servers: { kid: plain() }, listener: 'http' });
    const { page, faults } = await open(() => undefined);
    await page.goto(await consoleLink(gateway));
    await page.getByText('live', { exact: true }).waitFor();
    gateway.kill('SIGTERM');
    await page.getByText('disconnected, trying again').waitFor();
    const { port } = new URL(gateway.url);
    const again = await startGateway({
      servers: {},
      config: gateway.config,
      listener: 'http',
      flags: ['--http', port],
    });
    // Keys end with the gateway that gave them.
    await page.getByRole('heading', { name: 'Callsign console' }).waitFor();
    await page.goto(await consoleLink(again));
    await page.getByText('live', { exact: true }).waitFor();
    await page.context().close();
    expect(faults.filter((fault) => !/ERR_|401/.test(fault))).toEqual([]);
  });

  it('shows the evidence of a label and changes it, with the difference first and comments kept', async () => {
    const folder = temporaryFolder();
    const config = join(folder, 'callsign.json');
    const server = JSON.stringify(plain());
    writeFileSync(config, `{\n  // my servers\n  "mcpServers": {\n    "kid": ${server}\n  }\n}\n`);
    const gateway = await startGateway({ servers: {}, config, listener: 'http' });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/tools/kid%3Aecho');
    const detail = page.getByRole('region', { name: 'kid:echo' });
    await detail.getByRole('heading', { name: 'Label' }).waitFor();
    const before = readFileSync(config, 'utf8');
    await detail.getByLabel('Change the label to').selectOption('read');
    await detail.getByRole('button', { name: 'Show what changes' }).click();
    await detail.getByLabel('Changed lines').getByText('"readOnlyHint": true').waitFor();
    expect(readFileSync(config, 'utf8')).toBe(before);
    await detail.getByRole('button', { name: 'Save' }).click();
    await detail.getByText('because you accepted it').waitFor();
    const after = readFileSync(config, 'utf8');
    expect(after).toContain('// my servers');
    expect(after).toContain('"kid:echo"');
    await detail.getByRole('row', { name: /only reads yes you/ }).waitFor();
  });

  it('calls a tool from a form, and governs the call like any other', async () => {
    const gateway = await startGateway({
      servers: { kid: plain() },
      settings: {
        policy: { ...POLICY, rules: [{ match: 'kid:fail', decision: 'deny', reason: 'never' }] },
        annotations: { 'kid:add': { preset: 'WRITE_DESTRUCTIVE' } },
      },
      listener: 'http',
    });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/tools/kid%3Aadd');
    const detail = page.getByRole('region', { name: 'kid:add' });
    await detail.getByLabel('a', { exact: true }).fill('1');
    await detail.getByLabel('b', { exact: true }).fill('2');
    await detail.getByRole('button', { name: 'Call (destructive)' }).click();
    await detail.getByRole('link', { name: 'It waits for your approval' }).waitFor();
    const other = await signIn(open, gateway);
    await goTo(other.page, '#/approvals');
    await other.page.getByRole('article').getByText('callsign-console').waitFor();
    await other.page.getByRole('button', { name: 'Allow once' }).click();
    await detail.getByLabel('Answer').getByText('3').waitFor();
  });

  it('shows names, policy and lock, and what a change would do', async () => {
    const file = join(temporaryFolder(), 'tools.json');
    writeFileSync(
      file,
      JSON.stringify({ 'get.it': 'Reads a thing.', drop_all: 'Deletes everything.' }),
    );
    const gateway = await startGateway({
      servers: { 'my-told': retold(file) },
      settings: { lock: 'enforce' },
      listener: 'http',
    });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/names/cursor');
    await page.getByText('my-told:get.it').first().waitFor();
    expect(await page.getByRole('region', { name: 'Names' }).innerText()).toMatch(
      /my_told__get_it/,
    );

    await goTo(page, '#/policy');
    await page.getByText('There is no policy').waitFor();
    const editor = page.getByRole('textbox');
    await editor.fill('{ "destructive": "refuse" }');
    await page.getByRole('alert').getByText('destructive').waitFor();
    await editor.fill('{ "destructive": "deny" }');
    await page.getByText('would be decided differently').waitFor();
    await page.getByRole('listitem').getByText('my-told:drop_all').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('If the tool may delete or overwrite:').waitFor();

    await goTo(page, '#/lock');
    await page.locator('.unchanged').getByText('2 tools').waitFor();
    writeFileSync(
      file,
      JSON.stringify({ 'get.it': 'Reads a thing, twice.', drop_all: 'Deletes everything.' }),
    );
    await goTo(page, '#/servers/my-told');
    await page.getByRole('button', { name: 'Restart' }).click();
    await goTo(page, '#/lock');
    await page.getByText('description was "Reads a thing."').waitFor();
    await page.getByRole('button', { name: 'Accept get.it' }).click();
    await page.locator('.unchanged').getByText('2 tools').waitFor();
  });

  it('shows what is in a tool set, and what is not', async () => {
    const gateway = await startGateway({
      servers: { kid: plain(), other: plain() },
      settings: {
        annotations: {
          'kid:add': { preset: 'READ_ONLY_DEFAULT' },
          'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
        },
        sets: { adding: { tools: ['kid:add', 'kid:echo'], labels: ['read'] } },
      },
      listener: 'http',
    });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/tools');
    const sets = page.getByLabel('Any set');
    await sets.selectOption('In adding');
    await expect.poll(() => page.locator('.tool-row').count()).toBe(1);
    await page.getByRole('link', { name: /kid:add / }).click();
    await page.getByText('"tools" has kid:add, and its label is read').waitFor();
    await sets.selectOption('Not in adding');
    await expect.poll(() => page.locator('.tool-row').count()).toBeGreaterThan(1);
    await page.getByRole('link', { name: /kid:echo/ }).waitFor();
    expect(await page.getByRole('link', { name: /kid:add / }).count()).toBe(0);
  });

  it('filters 10,000 tools', async () => {
    const gateway = await startGateway({
      servers: { big: plain('--tools=10000') },
      settings: { limits: { maxTools: 20_000 } },
      listener: 'http',
    });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/tools');
    await page.getByText(/of 100\d\d tools/).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search tools' });
    // How long it takes: `npm run bench:console`.
    await search.fill('nothing like it');
    await page.getByText('0 of 100').waitFor();
    await search.fill('t_9999');
    await page.getByText('1 of 100').waitFor();
    await page.getByRole('link', { name: /t_9999/ }).click();
    await page.getByRole('heading', { name: 'big:t_9999' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/tools/big%3At_9999?q=t_9999');
  });

  it('shows hostile names and texts as plain text', async () => {
    const file = join(temporaryFolder(), 'tools.json');
    const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const tools = [
      { name: `a${markup}`, description: markup, inputSchema: { type: 'object' } },
      {
        name: 'bidi',
        title: 'safe\u202Eevil',
        description: 'x\u200By\u0000z\u2028',
        inputSchema: {},
      },
      { name: 'huge', description: 'x'.repeat(10 * 1024 * 1024), inputSchema: { type: 'object' } },
      {
        name: '__proto__',
        description: '{{constructor}}',
        inputSchema: {
          type: 'object',
          properties: JSON.parse(
            `{"__proto__":{"type":"string"},"<b>":{"type":"${'y'.repeat(5000)}","enum":["${'javascript:alert(1)'}"]}}`,
          ),
        },
        annotations: { readOnlyHint: '<i>', title: markup },
      },
    ];
    writeFileSync(file, JSON.stringify({ tools }));
    const gateway = await startGateway({
      servers: { evil: recorded(file) },
      settings: {
        quarantine: 'off',
        limits: { maxMessageBytes: 64 * 1024 * 1024, maxDefinitionBytes: 16 * 1024 * 1024 },
      },
      listener: 'http',
    });
    const { page } = await signIn(open, gateway);
    for (const screen of SCREENS) {
      await goTo(page, `#/${screen.toLowerCase()}`);
      await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
      await expect.poll(() => page.locator('.waiting').count()).toBe(0);
      expect(await page.locator('main img, main script, main b:has(b), main i').count()).toBe(0);
    }
    for (const { name } of tools) {
      await goTo(page, `#/tools/${encodeURIComponent(`evil:${name}`)}`);
      await page.getByRole('heading', { name: 'Name in every client' }).waitFor();
      const text = await page.locator('.detail').innerText();
      expect(text).not.toMatch(/\p{Cf}|\p{Zl}/u);
      expect(text.length).toBeLessThan(200_000);
      expect(await page.locator('main img, main script').count()).toBe(0);
    }
    expect(await page.title()).toBe('Tools · Callsign');
  });

  it('fits a width of 375 pixels', async () => {
    const gateway = await startGateway({
      servers: { kid: plain('--nasty') },
      settings: { policy: POLICY },
      listener: 'http',
    });
    const { page } = await open(onTestFinished, { viewport: { width: 375, height: 740 } });
    await page.goto(await consoleLink(gateway));
    for (const hash of [
      ...SCREENS.map((screen) => screen.toLowerCase()),
      'tools/kid%3Aecho',
      'servers/kid',
    ]) {
      await goTo(page, `#/${hash}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.locator('.waiting').count()).toBe(0);
      expect([hash, ...(await widths(page))]).toEqual([hash, 375, 375]);
      if (!hash.includes('/')) expect([hash, await cutLabels(page)]).toEqual([hash, []]);
    }
  });
});
