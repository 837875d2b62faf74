/** A result that breaks its tool's own output schema is passed on. The client checks it. */

import { expect, it, onTestFinished } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { TestGateway } from './gateway.js';
import { fixture } from './servers.js';

it(
  'is passed on unchanged',
  shows('FR-008', async () => {
    const gateway = new TestGateway('stdio', { servers: { plain: fixture('plain-child') } });
    onTestFinished(() => gateway.stop());
    const peer = await gateway.connect('session', { capabilities: '{}' });
    await peer.request('tools/list');
    // Declared a number; two texts give a text.
    const { result } = await peer.request(
      'tools/call',
      '"name":"plain:add","arguments":{"a":"x","b":"y"}',
    );
    expect(JSON.parse(result!)).toMatchObject({ structuredContent: { sum: 'xy' } });
  }),
);
