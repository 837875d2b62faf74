import { LONG_JSON } from '@callsign/core';
import { expect, it } from 'vitest';

import { MessageOrder } from './message-order.js';
import { readMessage } from './message.js';

const message = (id: number, filling: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"m","params":{"a":[${filling}]}}`;

it('reads a short message at once', () => {
  const order = new MessageOrder(readMessage);
  const read: unknown[] = [];
  expect(order.read(message(1, '1'), false, (found) => read.push(found?.id) < 0)).toBe(false);
  expect(read).toEqual(['1']);
  order.whenRead(() => read.push('end'));
  expect(read).toEqual(['1', 'end']);
});

it('reads a long message in slices, and later ones after it', async () => {
  const order = new MessageOrder(readMessage);
  const read: unknown[] = [];
  const long = message(1, `${'1,'.repeat(LONG_JSON * 4)}1`);
  const take = (found: ReturnType<typeof readMessage>): boolean => read.push(found?.id) > 0;
  expect(order.read(long, false, take)).toBe(true);
  expect(order.read(message(2, '1'), false, take)).toBe(true);
  order.read('not a message', false, take);
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
