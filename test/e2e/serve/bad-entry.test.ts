/** One bad entry makes one server unavailable; the others are served (N1). */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { loadConfig } from '../../../packages/gateway/src/config/load-config.js';
import { Served, plain } from '../../../packages/gateway/src/testing/served.js';
import { scratch } from '../../testing/scratch.js';

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

  it('is invalid with --strict, and if no server is left', async () => {
    const strict = await loadConfig(write({ sentry: UNSET, good: plain() }));
    expect(strict).toMatchObject({ ok: false, problems: [{ code: 'missing-variable' }] });
    const empty = await loadConfig(write({ sentry: UNSET }), { isLenient: true });
    expect(empty).toMatchObject({ ok: false, problems: [{ code: 'missing-variable' }] });
  });
});
