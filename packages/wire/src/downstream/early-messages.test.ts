import type { Slices, Source } from '@callsign/core';
import { fakeSource } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { readMessage } from '../rpc/message/message.js';
import { META } from '../rpc/message/protocol.js';
import { PendingCalls } from './pending-calls.js';
import { Session } from './session.js';
import { StatelessClient } from './stateless-client.js';
import { createServedSource } from './served-source.js';

/** A source with one tool, whose names are not ready until the test says so. */
function slowNames() {
  const fake = fakeSource({ tools: ['t'] });
  fake.answerAll({ content: [] });
  const names = { areReady: false };
  let runs = 0;
  function* render(): Slices<void> {
    runs++;
    while (!names.areReady) yield;
  }
  const source: Source = {
    ...fake.source,
    offer: fake.source.offer,
    prepareNames: () => (names.areReady ? undefined : render()),
  };
  const served = createServedSource(source, { self: { name: 'test', version: '0' } });
  return {
    served,
    calls: fake.calls,
    runs: () => runs,
    finish: () => void (names.areReady = true),
  };
}

const CALL = { method: 'tools/call', params: { name: 't' } };
const messageOf = (message: object) => readMessage(JSON.stringify({ jsonrpc: '2.0', ...message }))!;
const turns = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve));
};

describe('a session whose names are being rendered', () => {
  function sessionOf() {
    const names = slowNames();
    const sent: number[] = [];
    const session = new Session(names.served, (text) => {
      sent.push((JSON.parse(String(text)) as { id: number }).id);
      return true;
    });
    const receive = (message: object): void => session.receive(messageOf(message));
    return { ...names, session, sent, receive };
  }

  it('answers its messages in order afterwards, and renders once', async () => {
    const { receive, sent, calls, session, finish, runs } = sessionOf();
    receive({ id: 1, ...CALL });
    receive({ id: 2, method: 'ping' });
    receive({ id: 3, ...CALL });
    await turns(3);
    expect([sent, calls.length, session.callsUnderWay]).toEqual([[], 0, 3]);
    finish();
    await expect.poll(() => sent).toEqual([2, 1, 3]);
    expect([calls.length, session.callsUnderWay, runs()]).toEqual([2, 0, 1]);
  });

  it('never sends a call that was cancelled meanwhile, in either way', async () => {
    const { receive, session, sent, calls, finish } = sessionOf();
    receive({ id: 1, ...CALL });
    receive({ method: 'notifications/cancelled', params: { requestId: 1 } });
    receive({ id: 2, ...CALL });
    session.cancel('2');
    receive({ id: 3, ...CALL });
    finish();
    await expect.poll(() => sent).toContain(3);
    expect(sent).toEqual([3]);
    expect(calls.filter(({ call }) => !call.context.isCancelled)).toHaveLength(1);
  });

  it('sends nothing after its end', async () => {
    const { receive, session, calls, finish } = sessionOf();
    receive({ id: 1, ...CALL });
    session.end();
    finish();
    await turns(5);
    expect(calls).toHaveLength(0);
  });
});

describe('a stateless client whose names are being rendered', () => {
  const params = {
    name: 't',
    _meta: {
      [META.protocolVersion]: '2026-07-28',
      [META.clientCapabilities]: {},
      [META.clientInfo]: { name: 'test', version: '0' },
    },
  };

  it('is answered afterwards, unless it has cancelled the request', async () => {
    const { served, calls, finish } = slowNames();
    const sent: number[] = [];
    const client = new StatelessClient(
      { served, pending: new PendingCalls() },
      'me',
      (_, __, id) => {
        sent.push(Number(id));
      },
    );
    const receive = (message: object): void => client.receive(messageOf(message));
    receive({ id: 1, method: 'tools/call', params });
    receive({ id: 2, method: 'tools/call', params });
    receive({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await turns(3);
    expect([sent, calls.length]).toEqual([[], 0]);
    finish();
    await expect.poll(() => sent).toEqual([2]);
    expect(calls).toHaveLength(1);
  });
});
