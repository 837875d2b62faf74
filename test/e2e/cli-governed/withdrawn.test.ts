/** A call that waits for an approval, and what may change meanwhile. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createApiKey } from '@callsign/auth';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { Home } from '../cli/callsign.js';
import { eventually, startGateway } from '../gateway-process.js';

const [key, other] = [createApiKey(), createApiKey()];
const kid = {
  command: process.execPath,
  args: [join(ROOT, 'test', 'e2e', 'governed', 'changeling-child.mjs')],
};
const keyOf = (name: string, { hash }: { hash: string }) => ({ name, hash, roles: ['staff'] });
const SETTINGS = {
  lock: 'enforce',
  annotations: {
    'kid:weather': { preset: 'WRITE_DESTRUCTIVE' },
    'kid:change': { preset: 'READ_ONLY_DEFAULT' },
  },
  policy: { destructive: 'confirm', write: 'allow', confirm: { whenClientCannotAsk: 'wait' } },
  roles: { staff: { allow: ['*'] } },
  auth: { keys: [keyOf('ann', key), keyOf('bob', other)] },
};

describe('a call that waits for the operator', () => {
  it.each([
    ['its key was removed', { auth: { keys: [keyOf('bob', other)] } }, 'credential'],
    [
      'its role was denied',
      { roles: { staff: { allow: ['*'], deny: ['kid:weather'] } } },
      'may not',
    ],
    ['a rule denies it', { policy: { destructive: 'deny' } }, 'withdrawn'],
    ['its definition changed', undefined, 'changed'],
  ])('V8: is not made after an approval if meanwhile %s', async (_, change, reason) => {
    const home = new Home();
    const config = home.configure({ kid }, SETTINGS);
    const env = { XDG_STATE_HOME: join(home.folder, 'state'), HOME: home.folder };
    const gateway = await startGateway({ servers: {}, config, listener: 'http', env });
    const client = await gateway.connect({ token: key.key });
    const boss = await gateway.connect({ token: other.key });
    expect(await client.tools()).toContain('kid:weather');
    await eventually(async () => (await home.run(['status'])).code === 0);
    const made = client.call('kid:weather');
    const waiting = async (): Promise<{ id: string }[]> => {
      const { stdout } = await home.run(['approvals', 'list', '--json']);
      return (JSON.parse(stdout) as { approvals: { id: string }[] }).approvals;
    };
    await eventually(async () => (await waiting()).length === 1);
    if (change) {
      const callsign = { audit: { mode: 'off' }, listWaitMs: 60_000, ...SETTINGS, ...change };
      writeFileSync(config, JSON.stringify({ mcpServers: { kid }, callsign }));
    } else await boss.call('kid:change', { description: 'Tells the weather. And more.' });
    await eventually(async () => {
      const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' };
      const { status } = await fetch(gateway.url, { method: 'POST', headers, body: '{}' });
      return status === 401 || !(await boss.tools()).includes('kid:weather');
    });
    const [{ id }] = (await waiting()) as [{ id: string }];
    expect((await home.run(['approvals', 'approve', id])).code).toBe(0);
    const { result, error } = await made;
    expect(error ?? result).toMatchObject(error ? { code: -32010 } : { isError: true });
    expect(error?.message ?? JSON.stringify(result)).toContain(reason);
  });
});
