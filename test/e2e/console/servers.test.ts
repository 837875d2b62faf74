/** Servers in a real browser: their output, switching them on and off, adding one, and every gateway of the user. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import axe from 'axe-core';
import { expect, it } from 'vitest';

import { AuthorizationServer } from '../../../packages/auth/src/sign-in/testing/authorization-server.js';
import { ProtectedServer } from '../../../packages/auth/src/sign-in/testing/protected-server.js';
import { plain, startGateway, temporaryFolder, type ServerEntry } from '../gateway-process.js';
import { describeInSandbox, ordinaryFolder, SCRIPT } from '../sandbox/sandboxes.js';
import { describeInBrowser, goTo } from './browser.js';
import { signIn, violations } from './signed-in-page.js';

/** A server that prints on standard error what is appended to a file. */
function talking(file: string): ServerEntry {
  const script = join(temporaryFolder(), 'talking.mjs');
  writeFileSync(
    script,
    `import { readFileSync, watchFile } from 'node:fs';
    const say = () => process.stderr.write(readFileSync(${JSON.stringify(file)}, 'utf8'));
    say();
    watchFile(${JSON.stringify(file)}, { interval: 20 }, say);
    await import(${JSON.stringify(plain().args![0])});`,
  );
  return { command: process.execPath, args: [script] };
}

describeInBrowser('the servers screen', (open) => {
  it('shows the live output of a server, without secrets and without markup', async () => {
    const file = join(temporaryFolder(), 'words.txt');
    writeFileSync(file, 'first words\n');
    const gateway = await startGateway({ servers: { kid: talking(file) }, listener: 'http' });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/servers/kid');
    const log = page.getByLabel('Standard error');
    await log.getByText('first words').waitFor();
    writeFileSync(file, 'password=hunter2 <b>bold</b>\n');
    await log.getByText('<b>bold</b>').waitFor();
    expect(await log.innerText()).not.toContain('hunter2');
    await page.evaluate(axe.source);
    expect(await violations(page)).toEqual([]);
  });

  it('opens the output of a server at its newest line, with its indentation (M32)', async () => {
    const file = join(temporaryFolder(), 'words.txt');
    const lines = Array.from({ length: 150 }, (_, i) => `    at line ${i}`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    const gateway = await startGateway({ servers: { kid: talking(file) }, listener: 'http' });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/servers/kid');
    const log = page.getByLabel('Standard error');
    const newest = log.getByText('at line 149');
    await newest.waitFor();
    expect(await newest.innerText()).toMatch(/^\S+ {5}at line 149$/);
    // What is below the edge of a box that scrolls is not in its rectangle.
    const isInView = async (): Promise<boolean> => {
      const [box, line] = [(await log.boundingBox())!, (await newest.boundingBox())!];
      return line.y + line.height <= box.y + box.height;
    };
    await expect.poll(isInView).toBe(true);
  });

  it('switches a server off and on, with the difference first and comments kept', async () => {
    const gateway = await startGateway({
      servers: { kid: plain(), other: plain() },
      listener: 'http',
    });
    const text = readFileSync(gateway.config, 'utf8');
    writeFileSync(gateway.config, `// my servers\n${text}`);
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/servers/other');
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.locator('.diff').getByText('"disabled": true').waitFor();
    expect(readFileSync(gateway.config, 'utf8')).not.toContain('"disabled"');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.detail .badge').getByText('disabled').waitFor();
    expect(readFileSync(gateway.config, 'utf8')).toMatch(/^\/\/ my servers\n/);
    const client = await gateway.connect();
    expect((await client.tools()).some((name) => name.startsWith('other'))).toBe(false);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.detail .badge').getByText('ready').waitFor();
  });

  it('adds a server after the same checks as the command', async () => {
    const gateway = await startGateway({ servers: { kid: plain() }, listener: 'http' });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/servers');
    await page.getByRole('button', { name: 'Add a server' }).click();
    await page.getByLabel('Name').fill('bad key:');
    await page.getByLabel('Command or address').fill('node x.mjs');
    await page.getByRole('button', { name: 'Show the change' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Name').fill('second');
    const [script = ''] = plain().args!;
    await page.getByLabel('Command or address').fill(`"${process.execPath}" "${script}"`);
    await page.getByLabel('Variables').fill('GREETING=hello world');
    await page.evaluate(axe.source);
    await page.getByRole('button', { name: 'Show the change' }).click();
    await page.locator('.diff').getByText('"second"').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.detail').getByRole('heading', { name: 'second' }).waitFor();
    await page.locator('.detail .badge').getByText('ready').waitFor();
    const { mcpServers } = JSON.parse(readFileSync(gateway.config, 'utf8')) as {
      mcpServers: Record<string, ServerEntry>;
    };
    expect(mcpServers['second']).toEqual({
      command: process.execPath,
      args: [script],
      env: { GREETING: 'hello world' },
    });
  });

  it('signs in to a server that requires it, and then shows its tools', async () => {
    const authorization = await AuthorizationServer.start();
    const server = await ProtectedServer.start({
      authorizationServer: authorization.url,
      isGood: (token) => authorization.isGood(token),
    });
    const config = join(temporaryFolder(), 'callsign.json');
    const mcpServers = { far: { type: 'http', url: server.url }, kid: plain() };
    const callsign = { audit: { mode: 'off' }, network: { allowPrivate: [authorization.url] } };
    writeFileSync(config, JSON.stringify({ mcpServers, callsign }));
    const gateway = await startGateway({
      servers: {},
      config,
      listener: 'http',
      env: { XDG_CONFIG_HOME: temporaryFolder(), XDG_DATA_HOME: temporaryFolder() },
    });
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/servers/far');
    const detail = page.getByRole('region', { name: 'far', exact: true });
    await detail.getByText('callsign login far').first().waitFor();
    await detail.getByRole('button', { name: 'Sign in' }).click();
    const visit = page.waitForEvent('popup');
    await detail.getByRole('link', { name: 'Open the sign-in page' }).click();
    await (await visit).waitForLoadState();
    await detail.locator('.badge').getByText('ready').waitFor();
    const client = await gateway.connect();
    expect((await client.tools()).some((name) => name.startsWith('far'))).toBe(true);
    const token = server.tokens.findLast((each) => each !== undefined)!;
    expect(await page.content()).not.toContain(token);
  });

  it('lists every gateway of the user, even on the page of one of them', async () => {
    const silent = await startGateway({ servers: { alpha: plain() } });
    await (await silent.connect()).tools();
    const gateway = await startGateway({ servers: { beta: plain() }, listener: 'http' });
    const { page } = await signIn(open, gateway);
    await page.getByRole('link', { name: /^beta / }).waitFor();
    const choice = page.getByRole('combobox', { name: 'Gateway' });
    await expect.poll(() => choice.inputValue()).toBe(String(gateway.pid));
    await choice.selectOption(String(silent.pid));
    await page.getByRole('link', { name: /^alpha / }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: /^alpha / }).waitFor();
    await expect.poll(() => choice.inputValue()).toBe(String(silent.pid));
  });
});

describeInSandbox('a server in a sandbox', () => {
  describeInBrowser('on the servers screen', (open) => {
    it('has its limits, and what was refused', async () => {
      const cwd = ordinaryFolder();
      const gateway = await startGateway({
        servers: { kid: { command: process.execPath, args: [SCRIPT], cwd } },
        settings: { servers: { kid: { sandbox: { network: ['example.com:443'] } } } },
        listener: 'http',
      });
      const client = await gateway.connect();
      const outside = join(ordinaryFolder(), 'other');
      const code = `fs.writeFileSync(${JSON.stringify(outside)}, 'x')`;
      const { result } = await client.call('kid:run', { code });
      expect(result).toMatchObject({ isError: true });
      const { page } = await signIn(open, gateway);
      await goTo(page, '#/servers/kid');
      const detail = page.locator('.detail');
      await detail.getByText(outside).waitFor();
      const text = await detail.innerText();
      expect(text).toMatch(/May change\s+its working folder/);
      expect(text).toMatch(/May reach\s+example\.com:443/);
    });
  });
});
