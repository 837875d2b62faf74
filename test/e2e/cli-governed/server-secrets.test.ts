/** Callers, logs and commands show no secret that the operator gives to a server. */

import { join } from 'node:path';

import { expect, it } from 'vitest';

import { findGateways } from '../../../packages/gateway/src/admin/index.js';
import { Home } from '../cli/callsign.js';
import { eventually, faulty, plain, startGateway } from '../gateway-process.js';

const TELL = 'console.error("connecting with", process.env.KEY, ...process.argv); process.exit(3)';

it('secrets of servers are not in errors, logs, commands and the admin API', async () => {
  const home = new Home();
  const servers = {
    remote: { url: 'http://127.0.0.1:1/${SHORT}/mcp' },
    other: { url: 'http://127.0.0.1:1/s/SECRET-of-more-than-24-characters/mcp' },
    local: {
      command: process.execPath,
      args: ['-e', TELL, '--', '${WORD}', '-pSECRET-3', '--api-key', 'SECRET-4'],
      env: { KEY: 'SECRET-5' },
    },
    // Its error is this text.
    moody: { ...faulty('lists-fail'), env: { KEY: 'No list today' } },
    kid: plain(),
  };
  const config = home.configure(servers as never);
  const state = join(home.folder, 'state');
  const own = { SHORT: 'SECRET-1', WORD: 'SECRET-2' };
  const env = { XDG_STATE_HOME: state, HOME: home.folder, ...own };
  const flags = ['--verbose'];
  const gateway = await startGateway({ servers: {}, config, listener: 'http', env, flags });
  await eventually(async () => (await home.run(['status'])).code === 0);
  await eventually(async () => (await home.run(['logs', 'local'])).stdout !== '');
  const client = await gateway.connect();
  const texts: string[] = [];
  for (const tool of ['remote:x', 'other:x', 'local:x']) {
    let text = '';
    // A server that is just being started again has no reason yet.
    await eventually(async () => {
      text = JSON.stringify(await client.call(tool, {}));
      return !text.includes('still starting');
    });
    texts.push(text);
  }
  for (const words of [['status'], ['status', '--json'], ['logs', 'local']])
    texts.push((await home.run(words)).stdout);
  const [admin] = await findGateways({ state: join(state, 'callsign') });
  const listed = JSON.stringify(await admin!.get('/servers'));
  for (const text of [...texts, listed, gateway.stderr]) {
    expect(text).not.toContain('SECRET');
    expect(text).not.toContain('No list today');
  }

  expect(texts[0]).toContain('connection refused (http://127.0.0.1:1/${SHORT}/mcp)');
  expect(texts[3]).toContain('connection refused (http://127.0.0.1:1/${SHORT}/mcp)');
  expect(texts[3]).toMatch(/tools\/list failed: .*\[redacted\]/);
  expect(texts[5]).toContain('connecting with [redacted]');
  expect(gateway.stderr).toContain('connecting with [redacted]');
  expect(listed).toContain('"http://127.0.0.1:1/${SHORT}/mcp"');
  expect(listed).toContain('${WORD} -p*** --api-key ***');
});
