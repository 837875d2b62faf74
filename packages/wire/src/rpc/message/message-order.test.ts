import { LONG_JSON } from '@callsign/core';
import { expect, it } from 'vitest';

import { MessageOrder } from './message-order.js';
import { readMessage } from './message.js';
import { resultText } from './rpc-text.js';

const message = (id: number, filling: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"m","params":{"a":[${filling}]}}`;

it('reads a short message at once', () => {
  const order = new MessageOrder(readMessage);
  const read: unknown[] = [];
  expect(order.read(message(1, '1'), (found) => read.push(found?.id) < 0)).toBe(false);
  expect(read).toEqual(['1']);
  order.whenRead(() => read.push('end'));
  expect(read).toEqual(['1', 'end']);
});

it('reads a long message in slices, and later ones after it', async () => {
  const order = new MessageOrder(readMessage);
  const read: unknown[] = [];
  const long = message(1, `${'1,'.repeat(LONG_JSON * 4)}1`);
  const take = (found: ReturnType<typeof readMessage>): boolean => read.push(found?.id) > 0;
  expect(order.read(long, take)).toBe(true);
  expect(order.read(message(2, '1'), take)).toBe(true);
  order.read('not a message', take);
  let turns = 0;
  const count = (): void => {
    turns++;
    if (read.length === 0) setImmediate(count);
  };
  setImmediate(count);
  await new Promise<void>((done) => order.whenRead(done));
  expect(read).toEqual(['1', '2', undefined]);
  expect(turns).toBeGreaterThan(1);
});

it('keeps every character of a result, short or long', async () => {
  const odd = String.raw`"n":9007199254740993, "e":1e400,"k":1 ,"k":-0.0,"z":"\u0041\/é🚀","a":[ ]`;
  const short = `{${odd}}`;
  const long = `{"filling":[${'1,'.repeat(LONG_JSON)}1],${odd}}`;
  for (const result of [short, long]) {
    const order = new MessageOrder(readMessage);
    const read: (string | undefined)[] = [];
    const text = `{"jsonrpc":"2.0","id":7,"result":${result}}`;
    order.read(text, (found) => read.push(found?.result && resultText('7', found.result)) > 0);
    await new Promise<void>((done) => order.whenRead(done));
    expect(read[0] === text).toBe(true);
  }
});
