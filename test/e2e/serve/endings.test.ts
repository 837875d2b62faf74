import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { BIN } from '../command.js';
import { shows } from '../../requirements/shows.js';
import { CallsignProcess, child, FAULTY, PLAIN, temporaryFolder } from './callsign-process.js';
import { configFile, ONE, tracedConfig } from './config-file.js';
import { until } from './until.js';

describe('it ends', () => {
  it('with 0 when its client disconnects, together with every server', async () => {
    const running = new CallsignProcess(['serve', '--config', configFile(ONE)]);
    const { client } = running;
    await client.greet();
    const pid = await client.pid('one');
    running.process.stdin.end();
    expect(await running.exited).toBe(0);
    expect(() => process.kill(pid, 0)).toThrow();
  });

  it('with 0 and without a word if its input has ended already', () => {
    const args = [BIN, 'serve', '--config', configFile(ONE)];
    // The second start knows the configuration, and looks for a first message at once.
    for (const start of ['first', 'second']) {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      expect({ start, status, stdout, stderr }).toEqual({
        start,
        status: 0,
        stdout: '',
        stderr: '',
      });
    }
  });

  it('after the answers to all requests that came before the end of its input', async () => {
    const hello = { protocolVersion: '2025-11-25', capabilities: {} };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const call = { name: 'one:sleep', arguments: { ms: 300 } };
    const requests = [
      { id: 1, method: 'initialize', params: hello },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: call },
      { id: 4, method: 'tools/list', params: { _meta: meta } },
      { id: 5, method: 'tools/call', params: { ...call, _meta: meta } },
    ];
    const lines = requests.map((request) => JSON.stringify({ jsonrpc: '2.0', ...request }));
    const running = new CallsignProcess(['serve', '--config', configFile(ONE)]);
    // The last line has no line break.
    running.process.stdin.end(lines.join('\n'));
    expect(await running.exited).toBe(0);
    const answers = running.stdout.trim().split('\n');
    const read = answers.map((line) => JSON.parse(line) as { id: number; result?: object });
    expect(new Set(read.filter(({ result }) => result).map(({ id }) => id))).toEqual(
      new Set([1, 2, 3, 4, 5]),
    );
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 0],
  ] as const)('on %s with %d', async (signal, code) => {
    const callsign = new CallsignProcess(['serve', '--config', configFile(ONE), '--http', '0']);
    await callsign.url();
    callsign.process.kill(signal);
    expect(await callsign.exited).toBe(code);
  });

  it('on a second signal without waiting for its servers', async () => {
    const stubborn = { mcpServers: { s: child(FAULTY, '--mode=ignores-sigterm') } };
    const args = ['serve', '--config', configFile(stubborn), '--http', '0'];
    const running = new CallsignProcess(args);
    const url = await running.url();
    await until(async () => (await running.health()).servers[0]?.state.is === 'ready');
    running.process.kill('SIGTERM');
    await until(
      () =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      { what: 'it stops to listen' },
    );
    running.process.kill('SIGTERM');
    // After the first signal alone it would end with 0.
    expect(await running.exited).toBe(130);
  });

  it(
    'with 4 if it is strict and a server fails, which it names; otherwise the others serve',
    shows('FR-009', async () => {
      const servers = { good: child(PLAIN), bad: child(FAULTY, '--mode=exits-at-once') };
      const file = configFile({ mcpServers: servers });
      const strict = new CallsignProcess(['serve', '--strict', '--config', file]);
      expect(await strict.exited).toBe(4);
      expect(strict.stderr).toMatch(
        /Server "bad" did not start: it exited with code 1; it said: .+\./,
      );
      expect(strict.stderr).not.toContain('Server "good"');

      const whole = new CallsignProcess(['serve', '--strict', '--config', configFile(ONE)]);
      await whole.client.greet();
      expect(await whole.client.pid('one')).toBeGreaterThan(0);
    }),
  );

  it(
    'with 6 on a strict configuration with problems, all named, before a server is started',
    shows('FR-010', async () => {
      const { file, wasStarted } = tracedConfig({
        a: { comand: 'x' },
        b: { command: '${NOT_SET}' },
      });
      const callsign = new CallsignProcess(['serve', '--strict', '--config', file]);
      expect(await callsign.exited).toBe(6);
      expect(callsign.stderr).toMatch(/mcp\.json:\d+:\d+ {2}mcpServers\.a\.comand {2}is not known/);
      expect(callsign.stderr).toMatch(/mcp\.json:\d+:\d+ {2}mcpServers\.b\.command .*NOT_SET/);
      expect(wasStarted()).toBe(false);
    }),
  );

  it('with 6 without a configuration, and says what to do', async () => {
    const folder = temporaryFolder();
    const callsign = new CallsignProcess(['serve'], { cwd: folder });
    expect(await callsign.exited).toBe(6);
    expect(callsign.stderr).toContain('callsign.json');
    expect(callsign.stderr).toContain('callsign serve --config ~/.cursor/mcp.json');
  });

  it('with 0 after help and version', async () => {
    const help = new CallsignProcess(['serve', '--help']);
    const version = new CallsignProcess(['--version']);
    expect([await help.exited, await version.exited]).toEqual([0, 0]);
    expect(help.stdout).toContain('--config <file>');
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('with --json an error is one line of JSON on stderr', () => {
  it.each([
    ['an unknown flag', ['serve', '--nonsense', '--json'], 1, 'usage'],
    ['an unknown command', ['nonsense', '--json'], 1, 'usage'],
    ['no configuration', ['serve', '--json', '--config', '/nowhere/mcp.json'], 6, 'no-config'],
  ])('%s', async (_, args, code, word) => {
    const callsign = new CallsignProcess(args);
    expect(await callsign.exited).toBe(code);
    expect(errorIn(callsign)).toMatchObject({ code: word, message: expect.any(String) });
  });

  it('problems of a configuration, each with its place', async () => {
    const file = configFile('{"mcpServers": {"a": {"comand": "x"}}}');
    const callsign = new CallsignProcess(['serve', '--json', '--config', file]);
    expect(await callsign.exited).toBe(6);
    expect(errorIn(callsign)).toMatchObject({
      code: 'invalid-config',
      problems: [{ code: 'unknown-key', file, line: 1, column: 23, path: 'mcpServers.a.comand' }],
    });
  });

  it('servers that fail, after the warnings, which are JSON too', async () => {
    const file = configFile({ mcpServers: { bad: child(FAULTY, '--mode=exits-at-once') } });
    const callsign = new CallsignProcess(['serve', '--json', '--strict', '--config', file]);
    expect(await callsign.exited).toBe(4);
    const lines = callsign.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const last = lines.pop();
    expect(last).toMatchObject({ error: { code: 'unreachable' } });
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatchObject({ level: 'warning' });
  });
});

function errorIn({ stderr }: CallsignProcess): unknown {
  const lines = stderr.trim().split('\n');
  expect(lines).toHaveLength(1);
  return (JSON.parse(lines[0]!) as { error: unknown }).error;
}
