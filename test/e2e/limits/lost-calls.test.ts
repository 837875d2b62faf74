/** Calls whose connection is lost after the server has read them: their effect is unknown. */

import { expect, it } from 'vitest';

import { textOf } from '../lifecycle/tool-results.js';

import { startPlain } from './greedy.js';
import { startRemote } from './remote-server.js';

it.each(['dropped', 'broken'])(
  'F6: a call over HTTP that the server had taken ends with upstream-closed: %s',
  async (tool) => {
    const gateway = await startPlain({ remote: { url: await startRemote() } });
    const client = await gateway.connect();
    await client.tools();
    const { error } = await client.call(`remote:${tool}`, {});
    expect(error?.data).toMatchObject({ code: 'upstream-closed', server: 'remote' });
  },
);

it('G7: a read on a connection that the server has closed is sent again, and a change is not', async () => {
  const gateway = await startPlain({ remote: { url: await startRemote() } });
  const client = await gateway.connect();
  await client.tools();
  expect(textOf(await client.result('remote:fresh_only', {}))).toBe('read');
  await client.result('remote:echo', {});
  const { error } = await client.call('remote:fresh_only_change', {});
  expect(error?.data).toMatchObject({ code: 'upstream-closed', server: 'remote' });
});
