import { PassThrough } from 'node:stream';

import { fakeSource } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { serve } from './serve.js';

const MEGABYTE = 1024 * 1024;

/** A client that has called a tool with a progress token, in its era, and reads nothing yet. */
async function waitingClient(era: 'session' | 'stateless') {
  const { source, next, emit } = fakeSource({ tools: ['t'], abilities: ['logging'] });
  const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })];
  serve(source, { self: { name: 'gateway', version: '1' } }).stdio({ input, output });
  const send = (message: object): void =>
    void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'c', version: '1' };
  const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': clientInfo,
  };
  if (era === 'session') {
    send({ id: 1, method: 'initialize', params: handshake });
    send({ method: 'notifications/initialized' });
  }
  const own = era === 'session' ? {} : meta;
  const params = { name: 't', arguments: {}, _meta: { progressToken: 'p', ...own } };
  send({ id: 2, method: 'tools/call', params });
  return { arrival: await next(), output, emit };
}

describe('a client on stdio that reads nothing', () => {
  it.each(['session', 'stateless'] as const)(
    'gets no more progress when much is unread, and then its answer: %s',
    async (era) => {
      const { arrival, output, emit } = await waitingClient(era);
      const { context } = arrival.call;
      const text = 'x'.repeat(MEGABYTE);
      const params = `{"progressToken":7,"message":"${text}"}`;
      const sent = Array.from({ length: 50 }, () => context.progress!(params, 17, 18) !== false);
      expect(sent.filter(Boolean)).toHaveLength(16);
      expect(sent.lastIndexOf(true)).toBe(15);
      emit({ type: 'log', params: `{"level":"error","data":"${text}"}` });
      emit({ type: 'changed', kinds: ['tool'] });
      arrival.answer({ content: [] });
      let heard = '';
      output.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk));
      await expect.poll(() => heard).toMatch(/"id":2,"result":.*\n/);
      expect(heard.match(/notifications\/progress/g)).toHaveLength(16);
      expect(heard).not.toContain('notifications/message');
      // It has caught up.
      expect(context.progress!(params, 17, 18)).not.toBe(false);
    },
  );
});

describe('a batch on stdio', () => {
  const greeting = {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  };

  /** What a client hears that sends these lines after its greeting. */
  async function heardAfter(lines: readonly string[], count: number): Promise<unknown[]> {
    const { source } = fakeSource({ tools: ['t'] });
    const [input, output] = [new PassThrough(), new PassThrough()];
    let heard = '';
    output.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk));
    serve(source, { self: { name: 'gateway', version: '1' } }).stdio({ input, output });
    const hello = { jsonrpc: '2.0', id: 'hello', method: 'initialize', params: greeting };
    for (const line of [JSON.stringify(hello), ...lines]) input.write(`${line}\n`);
    await expect.poll(() => heard.match(/\n/g)?.length).toBe(count + 1);
    const [, ...answers] = heard.trimEnd().split('\n');
    return answers.map((line) => JSON.parse(line));
  }

  it('is read message by message, and the line after it too', async () => {
    const ping = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
    const notice = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    const heard = await heardAfter([` [${notice}, ${ping(1)},{"id":2},${ping(3)}]\r`, ping(4)], 4);
    expect(heard).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: { code: -32600 } },
      { id: 3, result: {} },
      { id: 4, result: {} },
    ]);
  });

  it.each([
    ['[]', -32600],
    [`[${Array(101).fill('{}').join(',')}]`, -32600],
    ['[{"jsonrpc":"2.0"', -32700],
  ])('is refused as a whole if it is empty, too long or broken: %.20s', async (line, code) => {
    expect(await heardAfter([line], 1)).toMatchObject([{ id: null, error: { code } }]);
  });
});
