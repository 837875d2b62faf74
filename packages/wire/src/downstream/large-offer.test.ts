import { type Slices, type Source } from '@callsign/core';
import { fakeSource } from '@callsign/core/testing';
import { toolNotFound, type NameError } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { readMessage } from '../rpc/message/message.js';
import { Session } from './session.js';
import { createServedSource } from './served-source.js';

const INITIALIZE = { method: 'initialize', params: { protocolVersion: '2025-11-25' } };

function sessionOf(source: Source) {
  const sent: string[] = [];
  const served = createServedSource(source, { self: { name: 'test', version: '0' } });
  const session = new Session(served, (text) => sent.push(String(text)) > 0);
  let id = 0;
  const ask = (message: object): void =>
    session.receive(readMessage(JSON.stringify({ jsonrpc: '2.0', id: ++id, ...message }))!);
  return { ask, sent };
}

describe('a source with very many items', () => {
  it('renders no list for the handshake', async () => {
    const { source } = fakeSource();
    const { ask, sent } = sessionOf({
      ...source,
      get offer(): never {
        throw new Error('rendered');
      },
      outline: { kinds: new Set(['tool', 'prompt']), abilities: new Set(['logging']) },
    });
    ask(INITIALIZE);
    await expect.poll(() => sent).toHaveLength(1);
    const { result } = JSON.parse(sent[0]!) as { result: { capabilities: object } };
    expect(Object.keys(result.capabilities)).toEqual(['tools', 'prompts', 'logging']);
  });

  it('explains an unknown name while other requests are answered', async () => {
    const work = { mayEnd: false };
    const { ask, sent } = sessionOf({
      ...fakeSource().source,
      *explainUnknown(_, name): Slices<NameError> {
        while (!work.mayEnd) yield;
        return toolNotFound(name);
      },
    });
    ask({ method: 'tools/call', params: { name: 'x' } });
    // A turn of the event loop passes before the next message is read.
    await new Promise((resolve) => setImmediate(resolve));
    ask({ method: 'ping' });
    work.mayEnd = true;
    await expect.poll(() => sent).toHaveLength(2);
    expect(sent.map((text) => (JSON.parse(text) as { id: number }).id)).toEqual([2, 1]);
  });
});
