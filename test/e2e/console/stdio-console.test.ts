/** `callsign console` for gateways on stdio: the command serves the page and connects to their sockets. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, it, onTestFinished } from 'vitest';

import { BIN } from '../command.js';
import { Person } from '../connect/person.js';
import { eventually, plain, startGateway } from '../gateway-process.js';
import { describeInBrowser, goTo } from './browser.js';

/** Starts the command. Returns its link. */
function startConsole(...flags: string[]): Promise<string> {
  return startConsoleIn(process.env, ...flags);
}

async function startConsoleIn(env: NodeJS.ProcessEnv, ...flags: string[]): Promise<string> {
  const child = spawn(process.execPath, [BIN, 'console', '--no-open', '--json', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await eventually(() => /"url"/.test(text) && text.trim().endsWith('}'));
  return (JSON.parse(text) as { url: string }).url;
}

describeInBrowser('the console of gateways on stdio', (open) => {
  it('lists the gateways of the user, and shows the chosen one with live news', async () => {
    const first = await startGateway({ servers: { alpha: plain() } });
    const second = await startGateway({ servers: { beta: plain() } });
    const clients = [await first.connect(), await second.connect()];
    for (const client of clients) await client.tools();
    const link = await startConsole();
    const { page } = await open(onTestFinished);
    await page.goto(link);
    await page.getByText('live', { exact: true }).waitFor();
    const choice = page.getByRole('combobox', { name: 'Gateway' });
    await choice.selectOption(String(first.pid));
    await page.getByRole('link', { name: 'alpha' }).waitFor();
    await choice.selectOption(String(second.pid));
    await page.getByRole('link', { name: 'beta' }).waitFor();
    await goTo(page, '#/tools?q=fresh');
    await page.getByText('No tool matches.').waitFor();
    await clients[1]!.request('tools/call', {
      name: 'beta:add_tool',
      arguments: { name: 'fresh' },
    });
    await page.getByRole('link', { name: /beta:fresh/ }).waitFor();
  });

  it('shows each process of a shared gateway, with its clients and why they use it', async () => {
    const person = new Person({ kid: { ...plain(), env: { TOKEN: '${MY_TOKEN}' } } });
    const values = { first: 'one', second: 'two', third: 'two' };
    for (const [name, MY_TOKEN] of Object.entries(values)) {
      const { client } = await person.connect({ name, env: { MY_TOKEN } });
      await client.result('kid:env');
    }
    const link = await startConsoleIn(person.env(), '--config', person.config);
    const { page } = await open(onTestFinished);
    await page.goto(link);
    await page.getByRole('link', { name: 'kid' }).waitFor();
    await goTo(page, '#/servers/kid');
    const detail = page.locator('.detail');
    await detail.getByText('ready, shared by all other clients, clients: first').waitFor();
    await detail.getByText('ready, own: MY_TOKEN differs, clients: second, third').waitFor();
  });

  it('shows that the gateway has ended', async () => {
    const gateway = await startGateway({ servers: { kid: plain() } });
    await (await gateway.connect()).tools();
    const link = await startConsole('--config', gateway.config);
    const { page, faults } = await open(() => undefined);
    await page.goto(link);
    await page.getByText('live', { exact: true }).waitFor();
    gateway.endInput();
    await page.getByText('disconnected, trying again').waitFor();
    await page.context().close();
    expect(faults.filter((fault) => !/ERR_|503/.test(fault))).toEqual([]);
  });
});
