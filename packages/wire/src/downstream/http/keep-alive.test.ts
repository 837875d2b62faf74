import { hub } from '@callsign/core';
import { expect, it, onTestFinished } from 'vitest';

import { serve } from '../serve.js';

it('D11: keeps a connection for a client that comes late, and says for how long', async () => {
  const listener = serve(hub({}), { self: { name: 'gateway', version: '1' } }).http({ port: 0 });
  onTestFinished(() => listener.close());
  const { headers } = await fetch(`http://127.0.0.1:${await listener.listen()}/healthz`);
  // Five seconds, the default of Node, are too short on a busy machine: "fetch failed".
  expect(headers.get('keep-alive')).toBe('timeout=60');
});
