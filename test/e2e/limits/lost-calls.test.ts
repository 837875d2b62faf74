/** Calls whose connection is lost after the server has read them: their effect is unknown. */

import { expect, it } from 'vitest';

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
