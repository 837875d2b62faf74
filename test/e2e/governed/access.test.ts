import { spawnSync } from 'node:child_process';

import { createApiKey } from '@callsign/auth';
import { describe, expect, it } from 'vitest';

import { BIN } from '../command.js';
import { eventually, plain, startGateway, writeConfig } from '../gateway-process.js';

const [reader, admin] = [createApiKey(), createApiKey()];
const settings = {
  auth: {
    keys: [
      { name: 'ci', hash: reader.hash, roles: ['reader'] },
      { name: 'ada', hash: admin.hash, roles: ['admin'] },
    ],
  },
  roles: {
    reader: { allow: ['kid:add', 'kid:echo'], deny: ['kid:echo'] },
    admin: { allow: ['*:*'] },
  },
  aliases: { e: 'kid:echo' },
  renamed: { old: 'kid' },
};
const servers = { kid: plain() };

describe('a gateway with authentication', () => {
  it('refuses missing and wrong credentials, and says what to send', async () => {
    const gateway = await startGateway({ servers, settings, listener: 'http' });
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic x' }]) {
      const answer = await fetch(gateway.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThanOrEqual(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    const health = await fetch(new URL('/healthz', gateway.url));
    expect(await health.json()).toEqual({ status: 'ok' });
    expect((await fetch(new URL('/metrics', gateway.url))).status).toBe(401);
  });

  it('shows each caller what it may use, and nothing else is callable under any spelling', async () => {
    const gateway = await startGateway({ servers, settings, listener: 'http' });
    const limited = await gateway.connect({ token: reader.key });
    expect(await limited.tools()).toEqual(['kid:add']);
    expect((await limited.call('kid:add', { a: 1, b: 2 })).result).toBeDefined();
    const spellings = ['kid:echo', 'kid__echo', 'KID:ECHO', 'e', 'old:echo', 'kid:pid', 'old:pid'];
    for (const name of spellings) {
      const { error } = await limited.call(name, {});
      expect(error?.code).toBe(-32602);
      expect(error?.message).not.toContain('Did you mean: kid:echo');
    }
    const free = await gateway.connect({ token: admin.key });
    expect(await free.tools()).toContain('kid:pid');
    expect((await free.call('e', { a: 1 })).result!['structuredContent']).toEqual({ a: 1 });
  });

  it('shows metrics, which name all servers, only to callers with a role for it', async () => {
    const monitor = createApiKey();
    const keys = [
      ...settings.auth.keys,
      { name: 'prometheus', hash: monitor.hash, roles: ['monitor'] },
    ];
    const roles = { ...settings.roles, monitor: { metrics: true } };
    const gateway = await startGateway({
      servers,
      settings: { ...settings, auth: { keys }, roles },
      listener: 'http',
    });
    const metricsFor = (key: string): Promise<Response> =>
      fetch(new URL('/metrics', gateway.url), { headers: { authorization: `Bearer ${key}` } });
    for (const { key } of [reader, admin]) {
      const refused = await metricsFor(key);
      expect(refused.status).toBe(403);
      expect(await refused.text()).not.toContain('kid');
    }
    const shown = await metricsFor(monitor.key);
    expect(shown.status).toBe(200);
    expect(await shown.text()).toContain('callsign_server_state{server="kid"');
    expect(await (await gateway.connect({ token: monitor.key })).tools()).toEqual([]);
  });

  it('takes keys away with a reload', async () => {
    const gateway = await startGateway({ servers, settings, listener: 'http' });
    const client = await gateway.connect({ token: reader.key });
    await client.tools();
    const { keys } = settings.auth;
    writeConfig(
      { servers, settings: { ...settings, auth: { keys: keys.slice(1) } } },
      gateway.mark,
      gateway.config,
    );
    await eventually(async () => {
      const answer = await fetch(gateway.url, {
        method: 'POST',
        headers: { authorization: `Bearer ${reader.key}`, 'content-type': 'application/json' },
        body: '{}',
      });
      return answer.status === 401;
    });
  });

  it('does not listen for other machines without authentication, unless told explicitly', async () => {
    const config = writeConfig({ servers }, 'nobody');
    const serve = [BIN, 'serve', '--config', config, '--http', '0.0.0.0:0'];
    const { status, stderr } = spawnSync(process.execPath, serve, { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('--allow-unauthenticated');
  });
});
