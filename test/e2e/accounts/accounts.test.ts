/** Two people with two accounts at one server, through a real provider and the official SDK. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { v1 } from '../clients/sdk.js';
import { ANN, AccountGateway, BOB, Browser, continueTo } from './account-gateway.js';
import { startAccountServer } from './account-server.js';

type Client = Awaited<ReturnType<AccountGateway['connect']>>;

const CALL = { name: 'notes:whoami', arguments: {} };

async function names(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name).toSorted();
}

function textOf(result: Awaited<ReturnType<Client['callTool']>>): string {
  return (result.content as { text: string }[]).map(({ text }) => text).join('\n');
}

/** The link in the answer to a call without an account. */
async function linkFor(client: Client, name = 'notes:sign_in'): Promise<string> {
  const result = await client.callTool({ name, arguments: {} });
  expect(result.isError).toBe(true);
  return /http:\S+/.exec(textOf(result))![0];
}

describe('two people', () => {
  it('use their own accounts, each with lists and a session of its own', async () => {
    const server = await startAccountServer((person) => (person === 'annie' ? ['only_ann'] : []));
    const gateway = await AccountGateway.start(server);
    const [ann, bob] = [await gateway.connect(ANN.key), await gateway.connect(BOB.key)];
    expect(await names(ann)).toEqual(['notes:sign_in']);
    const done = await gateway.link(new Browser(), await linkFor(ann), ANN.key, 'annie');
    expect(done.text).toContain('is linked');
    await expect.poll(() => names(ann)).toEqual(['notes:only_ann', 'notes:whoami']);
    expect(await names(bob)).toEqual(['notes:sign_in']);
    const refused = await bob.callTool(CALL).catch((error: Error) => error.message);
    expect(refused).toContain('notes:whoami');

    await gateway.link(new Browser(), await linkFor(bob), BOB.key, 'robert');
    await expect.poll(() => names(bob)).toEqual(['notes:whoami']);
    const said = [textOf(await ann.callTool(CALL)), textOf(await bob.callTool(CALL))];
    expect(said[0]).toMatch(/^whoami of annie in session-/);
    expect(said[1]).toMatch(/^whoami of robert in session-/);
    expect(said[0]!.split(' in ')[1]).not.toBe(said[1]!.split(' in ')[1]);

    // Nothing of the credentials that callers show reaches the server.
    for (const text of server.received)
      for (const { key } of [ANN, BOB]) expect(text).not.toContain(key);
    const tokens = server.requests.map(({ authorization }) => authorization);
    for (const token of tokens) expect(gateway.logged.join('\n')).not.toContain(token);
  });
});

async function linked(): Promise<{ gateway: AccountGateway; ann: Client; browser: Browser }> {
  const gateway = await AccountGateway.start(await startAccountServer());
  const browser = new Browser();
  const ann = await gateway.connect(ANN.key);
  await gateway.link(browser, gateway.linkAddress, ANN.key, 'annie');
  await expect.poll(() => names(ann)).toEqual(['notes:whoami']);
  return { gateway, ann, browser };
}

/** Everything that the gateway keeps on disk. */
function kept({ folder }: AccountGateway): string {
  const state = join(folder, 'state', 'callsign');
  const files = readdirSync(state, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
    .join('\n');
}

describe('an account', () => {
  it('is encrypted on disk, and records name whose it is', async () => {
    const { gateway, ann } = await linked();
    await ann.callTool(CALL);
    const { authorization } = gateway.server.requests[0]!;
    const accounts = readFileSync(join(gateway.folder, 'state/callsign/accounts.json'), 'utf8');
    for (const text of ['key:ann', authorization, gateway.server.url])
      expect(accounts).not.toContain(text);
    await expect.poll(() => kept(gateway)).toMatch(/"tool":"notes:whoami".*"account":"key:ann"/);
    expect(kept(gateway)).not.toContain(authorization);
  });

  it('has metrics of its own if the operator lists it, and others do not', async () => {
    const server = await startAccountServer();
    const gateway = await AccountGateway.start(server, {
      settings: { metrics: { accounts: ['key:ann'] } },
    });
    for (const [{ key }, name] of [
      [ANN, 'annie'],
      [BOB, 'robert'],
    ] as const) {
      const client = await gateway.connect(key);
      await gateway.link(new Browser(), gateway.linkAddress, key, name);
      await expect.poll(() => names(client)).toEqual(['notes:whoami']);
      await client.callTool(CALL);
    }
    const text = await gateway.gateway.pageAt('/metrics')!.text();
    const lines = text.split('\n').filter((line) => line.startsWith('callsign_calls_total'));
    expect(lines).toHaveLength(2);
    expect(lines.filter((line) => line.includes('account="key:ann"'))).toHaveLength(1);
    expect(text).not.toContain('bob');
  });

  it('is removed by its person: a running session ends at once, and the tokens are revoked', async () => {
    const { gateway, ann, browser } = await linked();
    await ann.callTool(CALL);
    const { authorization } = gateway.server.requests.at(-1)!;
    const page = await browser.open(`${gateway.origin}/accounts`);
    expect(page.text).toContain('Linked on');
    const form = { ...page, text: page.text.slice(page.text.indexOf('<form')) };
    const sent = await browser.submit(form, `${gateway.origin}/accounts`, { server: 'notes' });
    expect(sent.location?.href).toBe(`${gateway.origin}/accounts`);
    const before = gateway.server.requests.length;
    const late = await ann.callTool(CALL).catch((error: Error) => error.message);
    expect(JSON.stringify(late)).toMatch(/accounts\/link|notes:whoami/);
    await expect.poll(() => names(ann)).toEqual(['notes:sign_in']);
    expect(gateway.server.requests.length).toBe(before);
    const shown = await fetch(gateway.server.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${authorization}` },
      body: '{}',
    });
    expect(shown.status).toBe(401);
  });

  it('is renewed once for ten calls that come with an expired token', async () => {
    const { gateway, ann } = await linked();
    gateway.server.expire();
    const calls = Array.from({ length: 10 }, () => ann.callTool(CALL));
    for (const result of await Promise.all(calls)) expect(textOf(result)).toContain('annie');
    expect(gateway.server.renewals).toBe(1);
  });

  it('that its provider has ended affects no one else', async () => {
    const { gateway, ann } = await linked();
    const bob = await gateway.connect(BOB.key);
    await gateway.link(new Browser(), gateway.linkAddress, BOB.key, 'robert');
    await expect.poll(() => names(bob)).toEqual(['notes:whoami']);
    await gateway.server.revoke('annie');
    const result = await ann.callTool(CALL).catch((error: Error) => error.message);
    expect(JSON.stringify(result)).toContain('accounts/link');
    await expect.poll(() => names(ann)).toEqual(['notes:sign_in']);
    expect(textOf(await bob.callTool(CALL))).toContain('robert');
    expect(gateway.gateway.status()[0]!.state.is).toBe('ready');
  });

  it('is asked for with a page if the client can show one, and the call goes on', async () => {
    const gateway = await AccountGateway.start(await startAccountServer());
    const ann = await gateway.connect(ANN.key, { elicitation: { url: {} } });
    const asked: string[] = [];
    const pages: string[] = [];
    const used: string[] = [];
    ann.setNotificationHandler(v1.ElicitationCompleteNotificationSchema, ({ params }) => {
      used.push(params.elicitationId);
    });
    ann.setRequestHandler(v1.ElicitRequestSchema, async ({ params }) => {
      const { url, elicitationId } = params as { url: string; elicitationId: string };
      asked.push(url);
      pages.push(elicitationId);
      void gateway.link(new Browser(), url, ANN.key, 'annie');
      return { action: 'accept' };
    });
    const result = await ann.callTool({ name: 'notes:sign_in', arguments: {} });
    expect(textOf(result)).toContain('is linked');
    // The client can close the page, because it is told that it was used.
    expect(used).toEqual(pages);
    expect(used).toHaveLength(1);
    expect(asked[0]).toContain(`${gateway.origin}/accounts/link?server=notes&for=`);
    expect(textOf(await ann.callTool(CALL))).toContain('annie');
    const bob = await gateway.connect(BOB.key, { elicitation: { url: {} } });
    bob.setRequestHandler(v1.ElicitRequestSchema, async () => ({ action: 'decline' }));
    await linkFor(bob);
  });
});

describe('a server whose lists are shared', () => {
  it('shows them to everyone, and no call uses the account that lists them', async () => {
    const server = await startAccountServer();
    const first = await AccountGateway.start(server);
    await first.link(new Browser(), first.linkAddress, ANN.key, 'lister');
    const lister = await first.connect(ANN.key);
    await expect.poll(() => names(lister)).toEqual(['notes:whoami']);
    const { authorization } = server.requests.at(-1)!;
    const gateway = await AccountGateway.start(server, {
      servers: {
        notes: { url: server.url, headers: { Authorization: `Bearer ${authorization}` } },
      },
      notes: { accounts: { by: 'caller', lists: 'shared' } },
    });
    const [ann, bob] = [await gateway.connect(ANN.key), await gateway.connect(BOB.key)];
    await expect.poll(() => names(ann)).toEqual(['notes:whoami']);
    await gateway.link(new Browser(), await linkFor(ann, 'notes:whoami'), ANN.key, 'annie');
    await expect.poll(async () => textOf(await ann.callTool(CALL))).toContain('of annie');
    await linkFor(bob, 'notes:whoami');
    const calls = server.requests.filter(({ method }) => method === 'tools/call');
    expect(new Set(calls.map(({ person }) => person))).toEqual(new Set(['annie']));
  });
});

describe('slots', () => {
  const slots = { NOTES_TOKEN: { label: 'Your token for Notes' } };
  const child = `
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      const text = params?.name + ' with ' + process.env.NOTES_TOKEN + ' in ' + process.pid;
      const tools = [{ name: 'whoami', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }];
      const result = {
        initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'n', version: '1' } },
        'tools/list': { tools },
        'tools/call': { content: [{ type: 'text', text }] },
      }[method];
      console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no' } }) }));
    });`;

  async function fillIn(
    gateway: AccountGateway,
    url: string,
    key: string,
    value: string,
  ): Promise<string> {
    const browser = new Browser();
    const page = await gateway.open(browser, url, key);
    expect(page.text).toContain('Your token for Notes');
    const wrong = await browser.submit(page, url, { 'value NOTES_TOKEN': 'two\nlines' });
    expect(wrong.text).toContain('cannot be sent');
    const sent = await browser.submit(page, url, { 'value NOTES_TOKEN': value });
    return (await browser.follow(sent.location!)).text;
  }

  it('give each person a process with the variables that they filled in', async () => {
    const gateway = await AccountGateway.start(await startAccountServer(), {
      servers: {
        notes: {
          command: process.execPath,
          args: ['-e', child],
          env: { NOTES_TOKEN: 'of-the-operator' },
        },
      },
      notes: { accounts: { by: 'caller', slots } },
    });
    const [ann, bob] = [await gateway.connect(ANN.key), await gateway.connect(BOB.key)];
    expect(await names(ann)).toEqual(['notes:sign_in']);
    expect(await fillIn(gateway, await linkFor(ann), ANN.key, 'token-of-ann')).toContain(
      'is linked',
    );
    await fillIn(gateway, await linkFor(bob), BOB.key, 'token-of-bob');
    await expect.poll(() => names(ann)).toEqual(['notes:whoami']);
    await expect.poll(() => names(bob)).toEqual(['notes:whoami']);
    const said = [textOf(await ann.callTool(CALL)), textOf(await bob.callTool(CALL))];
    expect(said[0]).toContain('with token-of-ann in');
    expect(said[1]).toContain('with token-of-bob in');
    expect(said[0]!.split(' in ')[1]).not.toBe(said[1]!.split(' in ')[1]);
    for (const text of [kept(gateway), gateway.logged.join('\n')])
      expect(text).not.toContain('token-of-ann');
  });

  it('give each person a session with the headers that they filled in', async () => {
    const server = await startAccountServer();
    const first = await AccountGateway.start(server);
    await first.link(new Browser(), first.linkAddress, ANN.key, 'annie');
    await expect.poll(async () => names(await first.connect(ANN.key))).toEqual(['notes:whoami']);
    const { authorization } = server.requests.at(-1)!;
    const gateway = await AccountGateway.start(server, {
      notes: {
        accounts: {
          by: 'caller',
          slots: { Authorization: { label: 'Your token for Notes', before: 'Bearer ' } },
        },
      },
    });
    const ann = await gateway.connect(ANN.key);
    const browser = new Browser();
    const url = await linkFor(ann);
    const page = await gateway.open(browser, url, ANN.key);
    await browser.submit(page, url, { 'value Authorization': authorization });
    await expect.poll(() => names(ann)).toEqual(['notes:whoami']);
    expect(textOf(await ann.callTool(CALL))).toContain('of annie');
    // At another address, a person has no account: what they filled in is not sent there.
    const elsewhere = await startAccountServer();
    const { config } = gateway.gateway;
    const servers = config.servers.map((each) => ({ ...each, url: elsewhere.url }));
    void gateway.gateway.apply({ ...config, servers: servers as typeof config.servers });
    await expect.poll(() => names(ann)).toEqual(['notes:sign_in']);
    expect(elsewhere.received).toEqual([]);
  });
});

describe('attacks', () => {
  it('a link that is sent to another person links nothing', async () => {
    const gateway = await AccountGateway.start(await startAccountServer());
    const ann = await gateway.connect(ANN.key);
    const page = await gateway.open(new Browser(), await linkFor(ann), BOB.key);
    expect(page.status).toBe(403);
    expect(page.text).toContain('This link is not yours');
    expect(page.text).not.toContain('Continue to');
    // The link says nothing about its person.
    expect(await linkFor(ann)).not.toContain('ann');
  });

  it('a sign-in that one person began, and another one ends, links nothing', async () => {
    const gateway = await AccountGateway.start(await startAccountServer());
    const [attacker, victim] = [new Browser(), new Browser()];
    const begun = await gateway.open(attacker, gateway.linkAddress, BOB.key);
    // The victim is signed in to the gateway, and says yes to what looks like their own sign-in.
    await gateway.open(victim, gateway.linkAddress, ANN.key);
    const back = await gateway.server.signIn(victim, continueTo(begun), 'annie');
    const refused = await victim.open(back);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('too old, or was opened in another browser');
    // Without our pages, too.
    expect((await new Browser().open(back)).status).toBe(400);
    for (const key of [ANN.key, BOB.key])
      expect(await names(await gateway.connect(key))).toEqual(['notes:sign_in']);
  });

  it("a code of one person's sign-in does not work in another one's", async () => {
    const gateway = await AccountGateway.start(await startAccountServer());
    const [attacker, victim] = [new Browser(), new Browser()];
    const [one, other] = [
      await gateway.open(attacker, gateway.linkAddress, BOB.key),
      await gateway.open(victim, gateway.linkAddress, ANN.key),
    ];
    const mine = await gateway.server.signIn(attacker, continueTo(one), 'robert');
    const theirs = await gateway.server.signIn(victim, continueTo(other), 'annie');
    // Somehow the attacker has got the code of the victim.
    mine.searchParams.set('code', theirs.searchParams.get('code')!);
    const refused = await attacker.open(mine);
    expect(refused.status).toBe(400);
    expect(await names(await gateway.connect(BOB.key))).toEqual(['notes:sign_in']);
  });

  it('an answer of another authorization server is refused before any code is sent', async () => {
    const gateway = await AccountGateway.start(await startAccountServer());
    const browser = new Browser();
    const page = await gateway.open(browser, gateway.linkAddress, ANN.key);
    const back = await gateway.server.signIn(browser, continueTo(page), 'annie');
    back.searchParams.set('iss', 'https://evil.example');
    const refused = await browser.open(back);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('does not name itself as the issuer');
    expect(await names(await gateway.connect(ANN.key))).toEqual(['notes:sign_in']);
  });

  it("a caller cannot reach another one's account", async () => {
    const { gateway, ann } = await linked();
    const bob = await gateway.connect(BOB.key);
    await expect(bob.callTool(CALL)).rejects.toThrow('notes:whoami');
    // Not with the session of the other caller, either.
    const { sessionId } = ann.transport as unknown as { sessionId: string };
    const taken = await fetch(`${gateway.origin}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${BOB.key}`,
        'mcp-session-id': sessionId,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: CALL }),
    });
    expect([400, 403, 404]).toContain(taken.status);
    expect(await taken.text()).not.toContain('annie');
    expect(gateway.server.requests.filter(({ method }) => method === 'tools/call')).toEqual([]);
  });

  it('our addresses lead no browser to another site', async () => {
    const gateway = await AccountGateway.start(await startAccountServer());
    const evil = encodeURIComponent('https://evil.example/');
    for (const path of [
      `/accounts?linked=${evil}`,
      `/accounts?next=${evil}`,
      `/accounts/link?server=${evil}`,
      `/accounts/link?server=notes&for=${evil}`,
      `/accounts/link?server=notes&redirect_uri=${evil}`,
      `/accounts/callback?state=x&code=y&redirect_uri=${evil}`,
    ]) {
      const browser = new Browser();
      const asked = await browser.open(`${gateway.origin}${path}`);
      let seen = asked.text.includes('name="key"')
        ? await browser.submit(asked, `${gateway.origin}${path}`, { key: ANN.key })
        : asked;
      for (let i = 0; seen.location && i < 5; i++) {
        expect(seen.location.origin, path).toBe(gateway.origin);
        seen = await browser.open(seen.location);
      }
      expect(seen.text, path).not.toContain('href="https://evil');
    }
  });

  it('another site can send none of the forms, and a page of one person works for no one else', async () => {
    const { gateway, ann, browser } = await linked();
    const at = `${gateway.origin}/accounts`;
    const page = await browser.open(at);
    const form = { ...page, text: page.text.slice(page.text.indexOf('<form')) };
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await browser.submit(form, at, { server: 'notes' }, foreign)).status).toBe(403);
    const hidden = { 'sec-fetch-site': 'cross-site' };
    expect((await browser.submit(form, at, { server: 'notes' }, hidden)).status).toBe(400);
    const other = new Browser();
    await gateway.open(other, at, BOB.key);
    expect((await other.submit(form, at, { server: 'notes' })).status).toBe(400);
    expect(textOf(await ann.callTool(CALL))).toContain('annie');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('a client gets no access because its person is signed in to these pages', async () => {
    const { gateway, browser } = await linked();
    const url = new URL(`${gateway.origin}/authorize`);
    const asked = {
      response_type: 'code',
      client_id: 'evil',
      redirect_uri: 'https://evil.example/back',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    expect((await browser.open(url)).location).toBeUndefined();
    url.searchParams.set('client_id', 'known');
    url.searchParams.set('redirect_uri', 'http://127.0.0.1:9/back');
    const page = await browser.open(url);
    expect(page.text).toContain('First say who you are');
    expect(page.location).toBeUndefined();
  });
});

it('can be linked by a person whose role has a set of tools that only read', async () => {
  const server = await startAccountServer((person) => (person === 'annie' ? ['drop_all'] : []));
  const gateway = await AccountGateway.start(server, {
    settings: {
      sets: { reading: { labels: ['read'] } },
      annotations: { 'notes:drop_all': { preset: 'WRITE_DESTRUCTIVE' } },
      roles: { user: { allow: ['*'], set: 'reading' } },
    },
  });
  const ann = await gateway.connect(ANN.key);
  expect(await names(ann)).toEqual(['notes:sign_in']);
  const done = await gateway.link(new Browser(), await linkFor(ann), ANN.key, 'annie');
  expect(done.text).toContain('is linked');
  await expect.poll(() => names(ann)).toEqual(['notes:whoami']);
  const refused = await ann
    .callTool({ name: 'notes:drop_all', arguments: {} })
    .catch((error: Error) => error.message);
  expect(refused).toContain('notes:drop_all');
  expect(server.requests.filter(({ method }) => method === 'tools/call')).toEqual([]);
});
