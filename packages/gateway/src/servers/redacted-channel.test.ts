import type { Channel, ChannelEvents } from '@callsign/wire/rpc';
import { expect, it } from 'vitest';

import { redactedChannel } from './redacted-channel.js';

/** The events of a channel, and what arrives of them. */
function opened(): { readonly inner: ChannelEvents; readonly told: unknown[] } {
  const told: unknown[] = [];
  let inner!: ChannelEvents;
  const open = redactedChannel(
    (events) => {
      inner = events;
      return {} as Channel;
    },
    (text) => text.replaceAll('hunter2', '"***"'),
  );
  open({
    onText: (...args) => told.push(args) > 0,
    onFault: (...args) => told.push(args) > 0,
    onEnding: (reason) => told.push(reason),
    onClose: (reason) => told.push(reason),
  });
  return { inner, told };
}

it('hides secrets in the reasons of a channel', () => {
  const { inner, told } = opened();
  expect(inner.onFault?.(1, 'upstream-closed', { reason: 'at hunter2', status: 500 })).toBe(true);
  inner.onFault?.(2, 'result-too-large', { bytes: 2 });
  inner.onEnding?.('ends at hunter2');
  inner.onClose('closed at hunter2');
  expect(told).toEqual([
    [1, 'upstream-closed', { reason: 'at "***"', status: 500 }],
    [2, 'result-too-large', { bytes: 2 }],
    'ends at "***"',
    'closed at "***"',
  ]);
});

it('hides secrets in the errors of a channel, and changes no message of the server', () => {
  const { inner, told } = opened();
  const error = (id: number, message: string) =>
    `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":${JSON.stringify(message)}}}`;
  const others = [
    error(3, 'plain'),
    '{"jsonrpc":"2.0","id":3,"result":{"text":"hunter2"}}',
    '{"jsonrpc":"2.0","method":"hunter2"}',
  ];
  expect(inner.onText(error(3, 'at hunter2'), 3)).toBe(true);
  for (const text of others) inner.onText(text, 3);
  expect(told).toEqual([[error(3, 'at "***"'), 3], ...others.map((text) => [text, 3])]);
});
