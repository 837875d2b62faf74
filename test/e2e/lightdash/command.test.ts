/** The command `callsign-lightdash`, from the outside. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { startLightdash, startSandbox } from './lightdash-process.js';

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
});
const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'lightdash_tools__list_projects', arguments: { searchQuery: 'hush' } },
});
const NOWHERE = { LIGHTDASH_URL: 'http://127.0.0.1:1', LIGHTDASH_API_KEY: 'ldpat_hush' };

describe('callsign-lightdash', () => {
  it('says what it can do, and which version it is', async () => {
    const help = startLightdash(['--help'], {});
    expect(await help.exited).toBe(0);
    for (const word of [
      '--http',
      '--safety-mode',
      '--projects',
      '--dry-run',
      '--prefix',
      'LIGHTDASH_URL',
    ]) {
      expect(help.stdout()).toContain(word);
    }
    const version = startLightdash(['--version'], {});
    expect(await version.exited).toBe(0);
    const file = join(ROOT, 'packages/lightdash/package.json');
    expect(version.stdout()).toBe(`${JSON.parse(readFileSync(file, 'utf8')).version}\n`);
  });

  it.each<[string, string[], Record<string, string>, number, string]>([
    ['no address', [], { LIGHTDASH_API_KEY: 'x' }, 6, 'LIGHTDASH_URL is not set. Set it to'],
    [
      'an address that is none',
      [],
      { ...NOWHERE, LIGHTDASH_URL: 'x' },
      6,
      'LIGHTDASH_URL is not a web address',
    ],
    [
      'no token',
      [],
      { LIGHTDASH_URL: 'http://127.0.0.1:1' },
      3,
      'LIGHTDASH_API_KEY is not set. Create',
    ],
    ['an unknown mode', ['--safety-mode', 'all'], NOWHERE, 1, 'There is no safety mode "all"'],
    ['an unknown flag', ['--verbose'], NOWHERE, 1, 'See: callsign-lightdash --help'],
    [
      'a prefix that no client takes',
      ['--prefix', 'a b'],
      NOWHERE,
      1,
      'The prefix "a b" cannot be used',
    ],
    ['a port for all', ['--http', '192.0.2.1:80'], NOWHERE, 1, 'Set MCP_API_KEY'],
  ])('ends because of %s, and says what to do', async (_, args, env, code, words) => {
    const plain = startLightdash(args, env);
    const json = startLightdash([...args, '--json'], env);
    expect([await plain.exited, await json.exited]).toEqual([code, code]);
    expect(plain.stderr()).toContain(words);
    expect(JSON.parse(json.stderr()).error.message).toContain(words);
    expect(plain.stderr() + json.stderr()).not.toContain('ldpat_hush');
    expect(plain.stdout() + json.stdout()).toBe('');
  });

  it.each([
    ['on stdio', []],
    ['over HTTP', ['--http', '0']],
  ])('ends because of a refused token, %s', async (_, args) => {
    const sandbox = await startSandbox();
    const env = { ...sandbox.environment, LIGHTDASH_API_KEY: 'ldpat_hush' };
    const server = startLightdash(args, env);
    expect(await server.exited).toBe(3);
    expect(server.stderr()).toContain('token is not recognised. Create a personal access token');
    expect(server.stderr()).not.toContain('ldpat_hush');
  });

  it.each([401, 422])(
    'prints no token, even if Lightdash repeats it with status %i (B15)',
    async (statusCode) => {
      const repeater = createServer((request, response) => {
        const message = `Header ${request.headers.authorization} is not recognised`;
        const error = { statusCode, name: 'AuthorizationError', message, data: {} };
        response.writeHead(statusCode).end(JSON.stringify({ status: 'error', error }));
      }).listen(0, '127.0.0.1');
      onTestFinished(() => void repeater.close());
      await once(repeater, 'listening');
      const { port } = repeater.address() as AddressInfo;
      const env = { LIGHTDASH_URL: `http://127.0.0.1:${port}`, LIGHTDASH_API_KEY: 'ldpat_hush' };
      const server = startLightdash([], env);
      await server.said(/Header ApiKey \[redacted\] is not recognised/);
      server.endInput();
      await server.exited;
      expect(server.stderr() + server.stdout()).not.toContain('ldpat_hush');
    },
  );

  it('keeps running if Lightdash is unreachable, and says so', async () => {
    const server = startLightdash([], NOWHERE);
    await server.said(/warning: Network error: no answer from http:\/\/127\.0\.0\.1:1/);
    server.write(INITIALIZE);
    await expect.poll(server.stdout).toContain('callsign-lightdash');
    server.endInput();
    expect(await server.exited).toBe(0);
  });

  it('writes nothing but JSON-RPC on standard output, and one line of audit for each call', async () => {
    const sandbox = await startSandbox();
    const server = startLightdash([], sandbox.environment);
    server.write(INITIALIZE);
    await expect.poll(server.stdout).toContain('"id":1');
    server.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    server.write(CALL);
    await expect.poll(server.stdout).toContain('"id":2');
    server.endInput();
    expect(await server.exited).toBe(0);
    const lines = server.stdout().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(['2.0', '2.0']);
    const records = server
      .stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).audit);
    expect(records).toMatchObject([
      { tool: 'lightdash_tools__list_projects', risk: 'read', status: 'done' },
    ]);
    expect(server.stderr()).not.toMatch(/hush|ldpat_/);
  });

  it.each<[NodeJS.Signals, number]>([
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ])('ends at %s with %i', async (signal, code) => {
    const sandbox = await startSandbox();
    const server = startLightdash(['--http', '0'], sandbox.environment);
    await server.said(/served on (http:\S+)/);
    server.kill(signal);
    expect(await server.exited).toBe(code);
  });

  it('serves made-up data without any variable', async () => {
    const server = startLightdash(['--sandbox'], {});
    server.write(INITIALIZE);
    await expect.poll(server.stdout).toContain('"id":1');
    server.write(CALL.replace('hush', 'jaffle'));
    await expect.poll(server.stdout).toContain('Jaffle shop');
    server.endInput();
    expect(await server.exited).toBe(0);
  });

  it('ends by itself with its input, while Lightdash still owes an answer', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close().closeAllConnections());
    const asked = once(silent, 'request');
    const { port } = silent.address() as AddressInfo;
    const preload = `data:text/javascript,process.exit=()=>process.stderr.write('forced')`;
    const server = startLightdash([], {
      LIGHTDASH_URL: `http://127.0.0.1:${port}`,
      LIGHTDASH_API_KEY: 'ldpat_hush',
      NODE_OPTIONS: `--import=${preload}`,
    });
    await asked;
    server.endInput();
    expect(await server.exited).toBe(0);
    expect(server.stderr()).toBe('');
  });

  it('announces its address to scripts as JSON', async () => {
    const sandbox = await startSandbox();
    const server = startLightdash(['--http', '0', '--json'], sandbox.environment);
    const url = await server.said(/^\{"url":"(.*)"\}$/m);
    expect((await fetch(url, { headers: { Origin: 'https://evil.example.com' } })).status).toBe(
      403,
    );
  });
});
