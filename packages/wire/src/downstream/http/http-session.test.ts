import { fakeSource } from '@callsign/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { readMessage } from '../../rpc/message/message.js';
import { createServedSource } from '../served-source.js';
import { EventMemory } from './event-log.js';
import { HttpSession } from './http-session.js';
import { FakeResponse } from './testing/fake-response.js';

const message = (id: number, method: string, params: object) =>
  readMessage(JSON.stringify({ jsonrpc: '2.0', id, method, params }))!;

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
};

/** A call under way that has reported progress, over a connection of its client. */
async function calling() {
  const server = fakeSource({ tools: ['build'] });
  const served = createServedSource(server.source, { self: { name: 's', version: '1' } });
  const session = new HttpSession(served, new EventMemory());
  session.post([message(1, 'initialize', INITIALIZE)], new FakeResponse().asResponse);
  await vi.advanceTimersByTimeAsync(0);
  const connection = new FakeResponse();
  const params = { name: 'build', _meta: { progressToken: 'p' } };
  session.post([message(2, 'tools/call', params)], connection.asResponse);
  const { call, answer } = await server.next();
  const cancelled = vi.fn<(reason: string | undefined) => void>();
  call.context.onCancel(cancelled);
  let step = 0;
  const report = (): void => {
    const text = `{"progressToken":7,"progress":${step++}}`;
    call.context.progress!(text, text.indexOf('7'), text.indexOf('7') + 1);
  };
  report();
  await vi.advanceTimersByTimeAsync(0);
  /** The server reports progress all the time. */
  const pass = async (seconds: number): Promise<void> => {
    for (let n = 0; n < seconds; n++) {
      report();
      await vi.advanceTimersByTimeAsync(1_000);
    }
  };
  const resume = (): FakeResponse => {
    const next = new FakeResponse();
    expect(session.resume(/id: (\S+)/.exec(connection.text)![1]!, next.asResponse)).toBe('resumed');
    return next;
  };
  return { session, connection, cancelled, pass, resume, answer };
}

describe('a call with endless progress whose client is gone', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is cancelled at the server when the client does not resume its stream in time (G9)', async () => {
    const { session, connection, cancelled, pass } = await calling();
    await pass(100);
    expect(cancelled).not.toHaveBeenCalled();
    connection.close();
    await pass(29);
    expect(cancelled).not.toHaveBeenCalled();
    await pass(2);
    expect(cancelled).toHaveBeenCalledExactlyOnceWith('The client disconnected.');
    expect(session.callsUnderWay).toBe(0);
  });

  it('goes on if the client resumes the stream, and ends if that is lost too (G9)', async () => {
    const { connection, cancelled, pass, resume } = await calling();
    connection.close();
    await pass(20);
    const resumed = resume();
    await pass(100);
    expect(cancelled).not.toHaveBeenCalled();
    resumed.close();
    await pass(31);
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it('keeps its answer for a client that comes back after its end (G9)', async () => {
    const { connection, cancelled, pass, resume, answer } = await calling();
    connection.close();
    await pass(5);
    answer({ content: [] });
    await pass(60);
    expect(cancelled).not.toHaveBeenCalled();
    const resumed = resume();
    await vi.advanceTimersByTimeAsync(0);
    expect(resumed.text).toContain('"result"');
  });
});
