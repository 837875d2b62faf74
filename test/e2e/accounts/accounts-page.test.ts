/** `docs/accounts.md`, followed word for word by Ann and Bob. Only the addresses of the example are replaced. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { freePort } from '../../../scripts/free-port.mjs';
import { Browser, type Seen } from '../../../packages/auth/src/authorization/testing/browser.js';
import { ROOT } from '../../architecture/tree.js';
import { connectSdk, type SdkClient } from '../clients/connect-sdk.js';
import { Home } from '../cli/callsign.js';
import { startGateway } from '../gateway-process.js';
import { continueTo } from './account-gateway.js';
import { startAccountServer } from './account-server.js';

const PAGE = readFileSync(join(ROOT, 'docs', 'accounts.md'), 'utf8');
const SECTION = PAGE.slice(PAGE.indexOf('## From nothing'), PAGE.indexOf('## What a caller'));
const BLOCKS = [...SECTION.matchAll(/^```\w*\n([^]*?)^```/gm)].map(([, block]) => block!.trim());

async function names(client: SdkClient): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name).toSorted();
}

async function said(client: SdkClient, name: string): Promise<string> {
  const { content } = await client.callTool({ name, arguments: {} });
  return (content as { text: string }[]).map(({ text }) => text).join('\n');
}

it('two people come from nothing to two accounts, as the page says', async () => {
  const notes = await startAccountServer();
  const port = await freePort();
  const [config, commands, look] = BLOCKS.map((block) =>
    block.replaceAll('https://notes.example.com/mcp', notes.url).replaceAll('3917', String(port)),
  ) as [string, string, string];
  const home = new Home();
  // 1
  const file = home.write('work/callsign.json', config);
  // 2
  const words = commands.split('\n').map((line) => line.split(' ').slice(1));
  expect(words.map(([first]) => first)).toEqual(['key', 'key', 'serve']);
  const keys: string[] = [];
  for (const line of words.slice(0, 2)) {
    const made = await home.run(line);
    expect(made, made.stderr).toMatchObject({ code: 0 });
    keys.push(made.stdout.trim());
  }
  const serve = words[2]!;
  const flags = serve.slice(1, serve.indexOf('--config'));
  home.accept(file);
  const setup = { servers: {}, config: file, listener: 'http', flags, env: home.env() } as const;
  const gateway = await startGateway(setup);
  // 3
  const people = await Promise.all(keys.map((key) => connectSdk(gateway.url, key)));
  const [ann, bob] = people as [SdkClient, SdkClient];
  for (const client of people) expect(await names(client)).toEqual(['notes:sign_in']);
  // 4
  const linkOf = async (client: SdkClient): Promise<string> =>
    /http:\S+/.exec(await said(client, 'notes:sign_in'))![0];
  const opened = async (browser: Browser, link: string, key: string): Promise<Seen> => {
    const sent = await browser.submit(await browser.open(link), link, { key });
    return await browser.follow(sent.location!);
  };
  // 5
  for (const [client, key, name] of [
    [ann, keys[0]!, 'annie'],
    [bob, keys[1]!, 'robert'],
  ] as const) {
    const browser = new Browser();
    const page = await opened(browser, await linkOf(client), key);
    const back = await notes.signIn(browser, continueTo(page), name);
    if (client === ann) {
      const foreign = await opened(new Browser(), await linkOf(bob), keys[0]!);
      expect(foreign.text).toContain('It was made for another person');
    }
    expect((await browser.follow(back)).text).toContain('is linked');
    await expect.poll(() => names(client)).toEqual(['notes:whoami']);
    expect(await said(client, 'notes:whoami')).toContain(`whoami of ${name}`);
  }
  // 6
  const shown = look.split('\n').map((line) => line.split(' ').slice(1));
  const accounts = (await home.run(shown[0]!)).stdout;
  expect(accounts).toMatch(/key:ann +notes[^]*key:bob +notes/);
  await expect
    .poll(async () => (await home.run(shown[1]!)).stdout)
    .toMatch(/notes:whoami[^\n]*key:ann[^\n]*key:ann\n[^]*notes:whoami[^\n]*key:bob[^\n]*key:bob/);
  // A name that is used again says what it has.
  const revoked = await home.run(['key', 'revoke', 'ann', '--config', 'callsign.json']);
  expect(revoked.stderr).toContain('key:ann still has accounts at notes.');
});
