import { describe, expect, it } from 'vitest';

import { Call } from '@callsign/core';

import type { ChannelEvents } from '@callsign/rpc';
import { Connection } from './connection.js';

/** A connection over a channel that the test reads and writes. */
function connected() {
  const sent: { id?: number; method: string; params?: Record<string, unknown> }[] = [];
  let heard: ChannelEvents | undefined;
  const connection = new Connection({
    server: 's',
    open: (events) => {
      heard = events;
      return {
        backlog: 0,
        send: (text: string) => void sent.push(JSON.parse(text)),
        abandon: () => false,
        close: () => Promise.resolve(),
      };
    },
    events: {
      onNotification: () => undefined,
      onQuestion: () => Promise.reject(new Error('no question')),
      onClose: () => undefined,
    },
    maxPending: 10,
    maxBacklog: 1_000,
  });
  return { connection, sent, hear: (text: string) => heard!.onText(text, undefined, undefined) };
}

const answer = (id: string, n: number): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"n":${n}}}`;
/** 1 in other spellings, which the official clients accept. */
const OTHER_SPELLINGS = ['1', '1.0', '1e0', '10e-1', '"1"'];
const OTHER_IDS = ['2', '"2"', '1.5', 'null', '[1]', '"one"'];

describe('an id', () => {
  it.each(OTHER_SPELLINGS)('is ours in any spelling: %s answers 1', async (id) => {
    const { connection, sent, hear } = connected();
    const reply = connection.request('ping', undefined, 60_000);
    expect(sent[0]!.id).toBe(1);
    expect(hear(answer(id, 1))).toBe(true);
    expect(await reply).toEqual({ ok: true, json: '{"n":1}' });
    expect(hear(answer('1', 2))).toBe(false);
  });

  it.each(OTHER_IDS)('is not ours: %s does not answer 1', async (id) => {
    const { connection, hear } = connected();
    const reply = connection.request('ping', undefined, 60_000);
    expect(hear(answer(id, 1))).toBe(false);
    expect(hear(answer('1', 2))).toBe(true);
    expect(await reply).toEqual({ ok: true, json: '{"n":2}' });
  });

  it.each([
    ...OTHER_SPELLINGS.map((token) => [token, true] as const),
    ...OTHER_IDS.map((token) => [token, false] as const),
  ])('as a progress token %s is ours: %s', async (token, isOurs) => {
    const { connection, sent, hear } = connected();
    const caller = { id: 'c', era: 'session', client: { name: 'c', version: '1' } } as never;
    const params = '{"name":"t","_meta":{"progressToken":"p"}}';
    const at = params.indexOf('"p"');
    const place = { nameStart: 8, nameEnd: 11, tokenStart: at, tokenEnd: at + 3 };
    const call = new Call({ method: 'tools/call', params, name: 't', caller, ...place });
    const reported: string[] = [];
    call.context.progress = (text) => void reported.push(text);
    const reply = connection.forward(call, '"t"');
    expect(sent[0]!.params).toMatchObject({ _meta: { progressToken: 1 } });
    const progress = (written: string): string =>
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${written}}}`;
    expect(hear(progress(token))).toBe(isOurs);
    expect(reported).toEqual(isOurs ? [`{"progressToken":${token}}`] : []);
    hear(answer('1', 1));
    await reply;
  });
});
