import { describe, expect, it } from 'vitest';

import { readMessage } from '../rpc/message/message.js';
import { OpenRequests } from './stdio-listener.js';

const NEVER = 60_000;

function noted(...messages: object[]): OpenRequests {
  const open = new OpenRequests();
  for (const message of messages)
    open.note(readMessage(JSON.stringify({ jsonrpc: '2.0', ...message }))!);
  return open;
}

describe('open requests', () => {
  it('are over when each is answered or cancelled', async () => {
    const open = noted({ id: 1, method: 'ping' }, { id: '1', method: 'ping' });
    let isOver = false;
    const over = open.settled(NEVER).then(() => (isOver = true));
    open.answered('1');
    await Promise.resolve();
    expect(isOver).toBe(false);
    const params = { requestId: '1' };
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    open.note(readMessage(JSON.stringify(cancelled))!);
    await over;
    expect(isOver).toBe(true);
  });

  it('are no notifications, answers or subscriptions', async () => {
    await noted(
      { method: 'notifications/initialized' },
      { id: 1, result: {} },
      { id: 2, method: 'subscriptions/listen', params: {} },
    ).settled(NEVER);
  });

  it('are waited for only so long', async () => {
    await noted({ id: 1, method: 'tools/call' }).settled(1);
  });
});
