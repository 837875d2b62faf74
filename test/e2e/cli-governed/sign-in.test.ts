/** `callsign login`, `logout` and `key …`: signing in to a server, and keys for callers of the gateway. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { beforeEach, describe, expect, it } from 'vitest';

import { AuthorizationServer } from '../../../packages/auth/src/sign-in/testing/authorization-server.js';
import { ProtectedServer } from '../../../packages/auth/src/sign-in/testing/protected-server.js';
import { BIN } from '../command.js';
import { Home, type Ended } from '../cli/callsign.js';
import { eventually, plain, startGateway } from '../gateway-process.js';

describe('login and logout', () => {
  let home: Home;
  let authorization: AuthorizationServer;
  let server: ProtectedServer;

  beforeEach(async () => {
    home = new Home();
    authorization = await AuthorizationServer.start();
    server = await ProtectedServer.start({
      authorizationServer: authorization.url,
      isGood: (token) => authorization.isGood(token),
    });
    home.configure(
      { far: { url: server.url, type: 'http' }, near: plain() },
      { network: { allowPrivate: [authorization.url] } },
    );
  });

  /** Signs in like a person who opens the named page. */
  const login = (): Promise<Ended> =>
    new Promise((resolve) => {
      const args = [BIN, 'login', 'far', '--no-browser', '--json'];
      const child = spawn(process.execPath, args, { cwd: home.work, env: home.env() });
      const said = { stdout: '', stderr: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said.stderr += text;
        const { visit } = JSON.parse(text.split('\n')[0]!) as { visit?: string };
        if (visit !== undefined) void fetch(visit).then((page) => page.text());
      });
      child.once('close', (code) => resolve({ code, ...said }));
    });

  it('is what a call that exits with 3 advises', async () => {
    expect(await home.run(['call', 'far:echo'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('callsign login far') as string,
    });
  });

  it('signs in, so that the server can be called, and out again', async () => {
    const { code, stdout, stderr } = await login();
    expect({ code, stdout: JSON.parse(stdout) as unknown }).toMatchObject({
      code: 0,
      stdout: { server: 'far', signedIn: true },
    });
    const called = await home.run(['call', 'far:echo']);
    expect(called).toMatchObject({ code: 0, stdout: 'done\n' });
    const token = server.tokens.findLast((each) => each !== undefined)!;
    expect(stdout + stderr + called.stderr).not.toContain(token);

    expect(await home.run(['logout', 'far'])).toMatchObject({
      code: 0,
      stderr: 'Signed out. The tokens are revoked.\n',
    });
    expect(authorization.isGood(token)).toBe(false);
    expect(await home.run(['logout', 'far'])).toMatchObject({ stderr: 'There was no sign-in.\n' });
  });

  it("link the operator's account where callers have accounts", async () => {
    home.configure(
      { far: { url: server.url, type: 'http' }, near: plain() },
      {
        network: { allowPrivate: [authorization.url] },
        servers: {
          far: { accounts: { by: 'caller' } },
          near: { accounts: { by: 'caller', slots: { TOKEN: { label: 'Your token' } } } },
        },
      },
    );
    const list = async (): Promise<unknown> =>
      JSON.parse((await home.run(['accounts', 'list', '--json'])).stdout);
    expect(await list()).toMatchObject({ accounts: [] });
    expect((await home.run(['call', 'far:sign_in'])).stderr + '').toContain('callsign login far');
    expect(await login()).toMatchObject({ code: 0 });
    expect(await home.run(['call', 'far:echo'])).toMatchObject({ code: 0, stdout: 'done\n' });
    const token = server.tokens.findLast((each) => each !== undefined)!;

    expect(await home.run(['login', 'near'], { input: '\n' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"Your token" (TOKEN) is empty') as string,
    });
    const filled = await home.run(['login', 'near'], { input: 'CANARY-filled-in\n' });
    expect(filled).toMatchObject({ code: 0, stderr: 'Linked your account at "near".\n' });
    expect(await list()).toMatchObject({
      accounts: [
        { person: 'local', server: 'far' },
        { person: 'local', server: 'near' },
      ],
    });
    const table = await home.run(['accounts', 'list']);
    expect(table.stdout).toMatch(/local +far/);
    expect(table.stdout + table.stderr).not.toContain('CANARY');

    expect(await home.run(['logout', 'near'])).toMatchObject({ code: 0 });
    for (const [words, message] of [
      [['accounts', 'remove'], 'Name --person NAME'],
      [['accounts', 'remove', '--all', '--person', 'local'], 'Name --person NAME'],
      [['accounts', 'remove', '--person', 'key:bob'], 'There is no such account'],
    ] as const)
      expect(await home.run(words)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(message) as string,
      });
    const removed = await home.run(['accounts', 'remove', '--person', 'local']);
    expect(removed).toMatchObject({ code: 0, stderr: '1 account removed.\n' });
    expect(authorization.isGood(token)).toBe(false);
    expect(await list()).toMatchObject({ accounts: [] });
    expect(await home.run(['logout', 'far'])).toMatchObject({ stderr: 'There was no sign-in.\n' });
  });

  it('end all together, even while an authorization server does not answer', async () => {
    const slots = { TOKEN: { label: 'Your token' } };
    home.configure(
      { far: { url: server.url, type: 'http' }, near: plain() },
      {
        network: { allowPrivate: [authorization.url] },
        servers: {
          far: { accounts: { by: 'caller' } },
          near: { accounts: { by: 'caller', slots } },
        },
      },
    );
    expect(await login()).toMatchObject({ code: 0 });
    expect(await home.run(['login', 'near'], { input: 'filled-in\n' })).toMatchObject({ code: 0 });
    let release!: () => void;
    authorization.holdsRevoking = new Promise((resolve) => (release = resolve));
    const removed = home.run(['accounts', 'remove', '--person', 'local']);
    await eventually(() => authorization.posts('/revoke').length === 2);
    // The other account is removed at the same time, not before.
    await eventually(async () => {
      const { stdout } = await home.run(['accounts', 'list', '--json']);
      return (JSON.parse(stdout) as { accounts: unknown[] }).accounts.length === 0;
    });
    release();
    expect(await removed).toMatchObject({ code: 0, stderr: '2 accounts removed.\n' });
  });

  it('exits with 3 if the browser does not return', async () => {
    const { code, stderr } = await home.run(['login', 'far', '--no-browser', '--timeout', '1']);
    expect(code).toBe(3);
    expect(stderr).toContain(`Visit: ${authorization.url}/authorize?`);
    expect(stderr).toContain('the browser did not return within 1 s');
  });

  it('reports servers without a sign-in', async () => {
    expect(await home.run(['login', 'near'])).toMatchObject({ code: 1 });
    expect(await home.run(['logout', 'nowhere'])).toMatchObject({ code: 1 });
    home.configure({ far: { url: server.url, headers: { Authorization: 'Bearer x' } } });
    expect(await home.run(['login', 'far'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has an Authorization header') as string,
    });
  });
});

interface NewKey {
  readonly key: string;
  readonly entry: { readonly name: string; readonly hash: string; readonly roles?: string[] };
}

describe('key new', () => {
  it('makes a key that a gateway accepts, and stores only its hash', async () => {
    const home = new Home();
    const roles = { reader: { allow: ['kid:add'] } };
    home.configure({ kid: plain() }, { roles });
    const made = await home.run(['key', 'new', 'ci', '--roles', 'reader', '--json']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const { key, entry } = JSON.parse(made.stdout) as NewKey;
    expect(entry).toEqual({
      name: 'ci',
      hash: `sha256:${createHash('sha256').update(key).digest('hex')}`,
      roles: ['reader'],
    });
    const config = home.configure({ kid: plain() }, { roles, auth: { keys: [entry] } });
    const gateway = await startGateway({ servers: {}, config, listener: 'http' });
    const ask = (headers: Record<string, string>): Promise<Response> =>
      fetch(gateway.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: `Bearer ${key}` })).status).not.toBe(401);

    expect(await home.run(['key', 'new', 'ci'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already has a key "ci"') as string,
    });
  });

  it('prints the key alone on one line, and warns of an undefined role', async () => {
    const home = new Home();
    const { code, stdout, stderr } = await home.run(['key', 'new', 'x', '--roles', 'ghost']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^callsign_[\w-]{43}\n\{\n {2}"name": "x",/);
    expect(stderr).toContain('has no "roles", and without them every key may use every tool.');
    expect(stderr).not.toContain('sees nothing');
    home.configure({ kid: plain() }, { roles: {} });
    expect((await home.run(['key', 'new', 'x', '--roles', 'ghost'])).stderr).toContain(
      'describes no role "ghost"; a caller with only this role sees nothing.',
    );
  });
});

describe('key add, list and revoke', () => {
  it('change the configuration, and a running gateway follows', async () => {
    const home = new Home();
    const config = home.configure({ kid: plain() }, { roles: { reader: { allow: ['kid:add'] } } });
    const add = async (...words: string[]): Promise<string> => {
      const { code, stdout } = await home.run(['key', 'add', ...words, '--json']);
      expect(code).toBe(0);
      return (JSON.parse(stdout) as NewKey).key;
    };
    const first = await add('ann', '--roles', 'reader', '--console', 'viewer');
    const gateway = await startGateway({ servers: {}, config, listener: 'http' });
    const status = async (key: string): Promise<number> => {
      const url = new URL('/admin/v1/session', gateway.url);
      return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status;
    };
    await expect.poll(() => status(first)).toBe(200);
    const second = await add('ben', '--console', 'operator');
    await expect.poll(() => status(second)).toBe(200);
    const listed = await home.run(['key', 'list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      keys: [
        { name: 'ann', roles: ['reader'], console: 'viewer', place: config },
        { name: 'ben', roles: [], console: 'operator', place: config },
      ],
    });
    expect((await home.run(['key', 'list'])).stdout).toMatch(/NAME +ROLES +CONSOLE[^]*ann +reader/);
    expect(await home.run(['key', 'revoke', 'ann'])).toMatchObject({ code: 0 });
    await expect.poll(() => status(first)).toBe(401);
    expect(await status(second)).toBe(200);
    expect(await home.run(['key', 'revoke', 'ben'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('No caller is accepted over HTTP now') as string,
    });
    await expect.poll(() => status(second)).toBe(401);
    expect((await fetch(gateway.url, { method: 'POST', body: '{}' })).status).toBe(401);
  });

  it('warn that a role limits no one without "roles", as validate does', async () => {
    const home = new Home();
    const servers = { kid: plain() };
    const config = home.configure(servers);
    const made = await home.run(['key', 'add', 'eve', '--roles', 'reader']);
    expect(made.code).toBe(0);
    expect(made.stderr).toContain(
      `${config} has no "roles", and without them every key may use every tool.`,
    );
    expect(made.stderr.match(/warning:/g)).toHaveLength(1);
    const limit = 'limits no one: without "roles", every caller may use every tool';
    const open = await home.run(['validate']);
    expect(open.code).toBe(0);
    expect(open.stdout).toContain(`callsign.auth.keys[0].roles  ${limit}`);
    const { callsign } = JSON.parse(readFileSync(config, 'utf8')) as { callsign: object };
    home.configure(servers, { ...callsign, roles: { reader: { allow: ['kid:add'] } } });
    expect((await home.run(['validate'])).stdout).not.toContain(limit);
    const second = await home.run(['key', 'add', 'sam', '--roles', 'ghost']);
    expect(second.stderr).toContain('describes no role "ghost"');
  });

  it('refuse a name that is taken or unknown, and a wrong level', async () => {
    const home = new Home();
    home.configure({ kid: plain() });
    expect(await home.run(['key', 'add', 'ann'])).toMatchObject({ code: 0 });
    for (const [words, message] of [
      [['add', 'ann'], 'or remove it first: callsign key revoke ann'],
      [['add', 'ben', '--console', 'boss'], '--console is operator or viewer, not "boss"'],
      [['revoke', 'cat'], 'There is no key "cat". See: callsign key list'],
    ] as const) {
      expect(await home.run(['key', ...words])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(message) as string,
      });
    }
  });
});
