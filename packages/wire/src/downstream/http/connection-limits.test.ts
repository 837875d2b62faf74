import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ConnectionLimits } from './connection-limits.js';

describe('the bytes that wait for all clients', () => {
  it('do not count what is queued after a connection was dropped (K7)', () => {
    const limits = new ConnectionLimits({ maxUnsentBytes: 100 });
    onTestFinished(() => limits.close());
    const socket = new Socket();
    limits.add(socket);
    const request = new IncomingMessage(socket);
    const account = limits.begin(request, new ServerResponse(request))!;
    expect(account.queue(80)).toBe(true);
    expect(account.queue(80)).toBe(false);
    expect(socket.destroyed).toBe(true);
    expect(account.queue(80)).toBe(false);
    account.release(80);
    expect(limits.status.unsentBytes).toBe(0);
  });
});
