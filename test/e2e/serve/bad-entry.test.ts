/** One bad entry makes one server unavailable; the others are served (N1). */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { loadConfig } from '../../../packages/gateway/src/config/load-config.js';
import { Served, plain } from '../../../packages/gateway/src/testing/served.js';
import { scratch } from '../../testing/scratch.js';
import { Home } from '../cli/callsign.js';
import { eventually, startGateway } from '../gateway-process.js';

function write(servers: object): string {
  const file = join(scratch(), 'callsign.json');
  writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  return file;
}

const UNSET = { command: 'node', env: { TOKEN: '${CALLSIGN_TEST_UNSET}' } };

describe('a file with one bad entry', () => {
  it('serves the other servers, and says why one is unavailable (N1)', async () => {
    const file = write({ sentry: UNSET, good: plain() });
    const loaded = await loadConfig(file, { isLenient: true });
    if (!loaded.ok) throw new Error('not loaded');
    expect(loaded.warnings).toMatchObject([{ code: 'missing-variable', line: 1 }]);
    const served = new Served(loaded.config);
    const { gateway } = served;
    await gateway.settled();
    expect(gateway.status()).toMatchObject([
      { key: 'good', state: { is: 'ready' } },
      { key: 'sentry', state: { is: 'failed' } },
    ]);
    const [, sentry] = gateway.status();
    expect(sentry!.state).toHaveProperty(
      'reason',
      expect.stringContaining('needs the environment variable CALLSIGN_TEST_UNSET'),
    );
    const client = await served.connect();
    expect(await client.call('good:echo', { text: 'hi' })).toHaveProperty('result');
  });

  it.each([
    ['has no command', {}, 'missing-key'],
    ['is no object', 'npx', 'wrong-type'],
    ['has arguments that are no list', { command: 'node', args: 'x' }, 'wrong-type'],
  ])('serves the others if one %s', async (_, entry, code) => {
    const loaded = await loadConfig(write({ bad: entry, good: plain() }), { isLenient: true });
    expect(loaded).toMatchObject({
      ok: true,
      config: { servers: [{ key: 'good' }], unavailable: [{ key: 'bad' }] },
      warnings: [{ code }],
    });
  });

  it.each([
    ['is empty', '', 'give the server a short name'],
    ['has a colon', 'my:files', 'write "my-files"'],
    ['has a control character', 'a\u001b[2Jb', 'remove it'],
    ['is reserved', 'callsign', 'another name'],
  ])('serves the others if a key %s, and says how to name it (S3)', async (_, key, advice) => {
    const file = write({ [key]: plain(), good: plain() });
    const loaded = await loadConfig(file, { isLenient: true });
    if (!loaded.ok) throw new Error('not loaded');
    const served = new Served(loaded.config);
    await served.gateway.settled();
    expect(served.gateway.status()).toMatchObject([
      { key: 'good', state: { is: 'ready' } },
      {
        key: JSON.stringify(key),
        state: { is: 'failed', reason: expect.stringContaining(advice) as string },
      },
    ]);
    const client = await served.connect();
    expect(await client.call('good:echo', { text: 'hi' })).toHaveProperty('result');
    expect(await loadConfig(file)).toMatchObject({ ok: false, problems: [{ code: 'server-key' }] });
  });

  it.each(['__proto__', 'constructor', '*', ' ', '\ud800', 'k'.repeat(400)])(
    'has one bad entry under the key %j, and serves the others (S3)',
    async (key) => {
      const text = `{"mcpServers": {${JSON.stringify(key)}: {"command": 1}, "good": ${JSON.stringify(plain())}}}`;
      const file = join(scratch(), 'callsign.json');
      writeFileSync(file, text);
      const loaded = await loadConfig(file, { isLenient: true });
      if (!loaded.ok) throw new Error('not loaded');
      const { gateway } = new Served(loaded.config);
      await gateway.settled();
      expect(gateway.status()).toMatchObject([
        { key: 'good', state: { is: 'ready' } },
        { key, state: { is: 'failed' } },
      ]);
    },
  );

  it('serves the others if two entries have the same key, and does not guess (S3)', async () => {
    const one = JSON.stringify(plain());
    const file = join(scratch(), 'callsign.json');
    writeFileSync(file, `{"mcpServers": {"a": ${one}, "good": ${one},\n"a": ${one}}}`);
    expect(await loadConfig(file, { isLenient: true })).toMatchObject({
      ok: true,
      config: {
        servers: [{ key: 'good' }],
        unavailable: [
          { key: 'a', reason: expect.stringContaining('on line 1 and on line 2') as string },
        ],
      },
      warnings: [{ code: 'duplicate-key' }],
    });
  });

  it('takes a bad key on a reload, and commands show it (S3)', async () => {
    const home = new Home();
    const config = home.configure({ good: plain() });
    const env = { XDG_STATE_HOME: join(home.folder, 'state') };
    const gateway = await startGateway({ servers: {}, config, listener: 'http', env });
    home.configure({ good: plain(), 'my:files': plain(), '': plain(), late: plain() });
    // Its socket opens after its listener.
    await eventually(async () => (await home.run(['reload'])).code === 0);
    await eventually(async () => (await gateway.stateOf('late'))?.['tools'] !== 0);
    expect(gateway.hasExited).toBe(false);
    const status = await home.run(['status', '--json']);
    const bad = { state: { is: 'failed' } };
    const { gateways } = JSON.parse(status.stdout) as { gateways: { status: object }[] };
    expect(gateways[0]!.status).toMatchObject({
      servers: [
        { key: 'good' },
        { key: 'late' },
        { key: '"my:files"', ...bad },
        { key: '""', ...bad },
      ],
    });
    const said = 'write "my-files"';
    for (const [command, code] of [
      ['tools', 0],
      ['doctor', 1],
      ['validate', 6],
    ] as const) {
      const ran = await home.run([command]);
      expect(ran.code, command).toBe(code);
      expect(ran.stdout + ran.stderr, command).toContain(said);
    }
  });

  it('is invalid with --strict, and if no server is left', async () => {
    const strict = await loadConfig(write({ sentry: UNSET, good: plain() }));
    expect(strict).toMatchObject({ ok: false, problems: [{ code: 'missing-variable' }] });
    const empty = await loadConfig(write({ sentry: UNSET }), { isLenient: true });
    expect(empty).toMatchObject({ ok: false, problems: [{ code: 'missing-variable' }] });
  });
});
