import { describe, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { plain, startGateway, type ServerEntry } from '../gateway-process.js';
import { environmentOf } from './tool-results.js';

const CANARY = 'canary-4711';
const OF_THE_GATEWAY = {
  SECRET_CANARY: CANARY,
  HTTPS_PROXY: 'http://proxy.example',
  NODE_OPTIONS: '--no-deprecation',
  LD_LIBRARY_PATH: '/nowhere',
  LD_PRELOAD: '',
  BASH_ENV: '/nowhere',
  LC_ALL: 'C.UTF-8',
};
/** The default environment of a server, with the variable that shows its gateways. */
const SAFE =
  /^(HOME|LANG|LOGNAME|PATH|SHELL|TERM|TMPDIR|TZ|USER|LC_\w+|CALLSIGN_CHAIN|CALLSIGN_TEST_RUN)$/;

const withSecret = (secret: string): ServerEntry => ({ ...plain(), env: { OWN_SECRET: secret } });

describe('the environment of a child', () => {
  it(
    'is a short safe list and its own entry: no secret of the gateway, and none of another child',
    shows('FR-011', async () => {
      const gateway = await startGateway({
        servers: { one: withSecret('first-secret'), two: withSecret('second-secret') },
        env: OF_THE_GATEWAY,
        flags: ['--verbose'],
      });
      const client = await gateway.connect();
      await client.tools();
      const one = await environmentOf(client, 'one');
      expect(one['OWN_SECRET']).toBe('first-secret');
      expect(one['LC_ALL']).toBe('C.UTF-8');
      expect(Object.keys(one).filter((name) => !SAFE.test(name))).toEqual(['OWN_SECRET']);
      expect(JSON.stringify(one)).not.toContain(CANARY);
      expect(JSON.stringify(one)).not.toContain('second-secret');
      expect((await environmentOf(client, 'two'))['OWN_SECRET']).toBe('second-secret');
      for (const secret of [CANARY, 'first-secret', 'second-secret']) {
        expect(gateway.stderr).not.toContain(secret);
      }
    }),
  );

  it('contains more if the configuration says so, but never variables that load code', async () => {
    const gateway = await startGateway({
      servers: { all: plain(), some: plain() },
      settings: { servers: { all: { inheritEnv: true }, some: { inheritEnv: ['HTTPS_PROXY'] } } },
      env: OF_THE_GATEWAY,
    });
    const client = await gateway.connect();
    await client.tools();
    const all = await environmentOf(client, 'all');
    expect(all).toMatchObject({ SECRET_CANARY: CANARY, HTTPS_PROXY: 'http://proxy.example' });
    for (const name of ['NODE_OPTIONS', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'BASH_ENV']) {
      expect(all).not.toHaveProperty(name);
    }
    const some = await environmentOf(client, 'some');
    expect(Object.keys(some).filter((name) => !SAFE.test(name))).toEqual(['HTTPS_PROXY']);
  });
});
