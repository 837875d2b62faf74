import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { describe, expect, it, onTestFinished } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { eventually, faulty, plain, startGateway } from '../gateway-process.js';
import { listeningSockets } from './processes.js';
import { LineClient } from './raw-client.js';
import { pidOf, textOf } from './tool-results.js';

/** A server without a gateway. */
async function startChild(...flags: string[]): Promise<LineClient> {
  const { command, args = [] } = plain(...flags);
  const child = spawn(command, [...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const client = new LineClient(child.stdout, child.stdin);
  await client.handshake();
  return client;
}

describe('a server behind the gateway', () => {
  it(
    'runs as a process of the gateway, connected over its pipes',
    shows('FR-003', async () => {
      const gateway = await startGateway({ servers: { kid: plain() } });
      const client = await gateway.connect();
      await client.tools();
      const pid = await pidOf(client, 'kid');
      expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(
        new RegExp(`\\) \\w ${gateway.pid} `),
      );
      expect(listeningSockets(pid)).toEqual([]);
    }),
  );

  it(
    'runs twice under two keys, each with its own arguments, and a call reaches the one it names',
    shows('AGG-17', async () => {
      const gateway = await startGateway({
        servers: {
          home: plain('--name=home', '--tools=1'),
          work: plain('--name=work', '--tools=2'),
        },
      });
      const client = await gateway.connect();
      const numbered = (await client.tools()).filter((name) => name.includes(':t_'));
      expect(numbered).toEqual(['home:t_0', 'work:t_0', 'work:t_1']);
      expect(await pidOf(client, 'home')).not.toBe(await pidOf(client, 'work'));
      await client.result('work:echo');
      const calls = await Promise.all(
        ['home:calls', 'work:calls'].map((name) => client.result(name)),
      );
      expect(calls.map(({ structuredContent }) => structuredContent)).toEqual([
        { calls: 2 },
        { calls: 3 },
      ]);
    }),
  );

  it(
    'gets the arguments as written, or none',
    shows('FR-007', async () => {
      const gateway = await startGateway({ servers: { kid: plain() } });
      const client = (await gateway.connect()) as LineClient;
      await client.tools();
      const written =
        '{"z":1.10,"a":12345678901234567890,"10":null,"9":[ 1 ],"\\u00e9":"\\ud83d\\ude80 é"}';
      const params = `{"x-more":{"b":1,"a":2},"arguments":${written},"name":"kid:request"}`;
      const { result } = await client.sendText(
        `{"jsonrpc":"2.0","id":"one","method":"tools/call","params":${params}}`,
        'one',
      );
      expect(textOf(result)).toContain(`"params":${params.replace('kid:request', 'request')}`);
      const bare = await client.request('tools/call', { name: 'kid:request' });
      expect(textOf(bare.result)).toMatch(/"params":\{"name":"request"\}\}$/);
    }),
  );

  it(
    'gives exactly the results and errors that it gives without a gateway',
    shows('FR-008', async () => {
      const gateway = await startGateway({ servers: { kid: plain() } });
      const [through, direct] = [(await gateway.connect()) as LineClient, await startChild()];
      await through.tools();
      for (const tool of ['weird', 'rpc_error', 'fail', 'add']) {
        const params = { name: `kid:${tool}`, arguments: { a: 1, b: 2 } };
        await through.request('tools/call', params, tool);
        await direct.request('tools/call', { ...params, name: tool }, tool);
        const [relayed, own] = [through, direct].map(({ lines }) =>
          lines.find((line) => line.includes(`"id":"${tool}"`)),
        );
        expect(relayed).toBe(own);
        expect(relayed).toBeDefined();
      }
    }),
  );

  it('is listed with every field of its tools, unknown and false ones too', async () => {
    const gateway = await startGateway({ servers: { kid: plain() }, settings: { titles: false } });
    const [through, direct] = [await gateway.connect(), await startChild()];
    const [relayed, own] = await Promise.all(
      [through, direct].map(async (client) => (await client.request('tools/list')).result),
    );
    const named = (own!['tools'] as { name: string }[]).map((tool) => ({
      ...tool,
      name: `kid:${tool.name}`,
    }));
    expect(relayed!['tools']).toEqual(named);
  });

  it('is not called for an unknown tool; the answer has the words of the convention', async () => {
    const gateway = await startGateway({ servers: { kid: plain() } });
    const client = await gateway.connect();
    await client.tools();
    const errorFor = async (name: string): Promise<unknown> => {
      const { error } = await client.call(name);
      return [error?.code, ...(error?.message.split('\n') ?? [])];
    };
    const advice = 'Did you mean: kid:add?';
    const unprefixed = 'Tool name must be prefixed with server key: nothing';
    expect(await errorFor('nothing')).toEqual([-32602, unprefixed]);
    expect(await errorFor(':add')).toContain('Invalid tool name format: :add');
    expect(await errorFor('kid:')).toContain('Invalid tool name format: kid:');
    expect(await errorFor('kid:addd')).toEqual([-32602, 'Tool not found: kid:addd', advice]);
  });

  it('removes only its own tools when it dies, not those of a server with a similar key', async () => {
    const gateway = await startGateway({
      servers: { a: plain(), a__b: plain() },
      settings: { restart: { giveUpAfter: 1 }, dropUnavailable: true },
      flags: ['--profile', 'portable'],
    });
    const client = await gateway.connect();
    const before = await client.tools();
    await client.call('a:crash');
    const after = await client.tools();
    expect(after.length).toBe(before.length / 2);
    expect(textOf(await client.result('a__b:echo', { n: 1 }))).toBe('{"n":1}');
  });
});

describe('a gateway on stdio', () => {
  it(
    'writes only JSON-RPC on standard output, logs nothing if all is well, and opens no port',
    shows('FR-012', 'FR-014', 'FR-015', async () => {
      const gateway = await startGateway({
        servers: { kid: plain(), noisy: faulty('junk-then-works') },
      });
      const client = (await gateway.connect()) as LineClient;
      await client.tools();
      await client.call('kid:log', { level: 'error', text: 'for the client' });
      await client.call('kid:nothing');
      expect(client.noise).toEqual([]);
      expect(client.lines.length).toBeGreaterThan(3);
      expect(listeningSockets(gateway.pid)).toEqual([]);
      expect(gateway.stderr).toBe('');
    }),
  );

  it(
    'logs problems as warnings and errors, and more on request',
    shows('FR-015', async () => {
      const script = 'echo chatter >&2; head -c 9000 /dev/zero >&2; echo >&2; exec "$@"';
      const { command, args = [] } = plain();
      const chatty = { command: 'sh', args: ['-c', script, 'sh', command, ...args] };
      const servers = { broken: faulty('exits-at-once'), chatty };
      const settings = { restart: { initialMs: 20, maxMs: 20, giveUpAfter: 2 } };
      const quiet = await startGateway({ servers, settings });
      await (await quiet.connect()).tools();
      await eventually(() => quiet.stderr.includes('gave up'));
      expect(quiet.stderr).not.toContain('chatter');
      const levels = quiet.stderr
        .trim()
        .split('\n')
        .map((line) => line.split(':')[0]);
      expect(new Set(levels)).toEqual(new Set(['warning', 'error']));

      const verbose = await startGateway({ servers, settings, flags: ['--verbose'] });
      await (await verbose.connect()).tools();
      await eventually(() => verbose.stderr.includes('gave up'));
      expect(verbose.stderr).toContain('[chatty] chatter\n');
      expect(verbose.stderr).toContain('[chatty] (a line too long to show)\n');
      expect(Math.max(...verbose.stderr.split('\n').map((line) => line.length))).toBeLessThan(500);
    }),
  );
});
