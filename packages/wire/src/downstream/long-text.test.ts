import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { NOTHING, type Item } from '@callsign/core';
import { describe, expect, it, onTestFinished } from 'vitest';

import { listText } from '../rpc/message/rpc-text.js';
import { LineWriter } from '../rpc/stream/line-writer.js';
import { around, LongText } from '../rpc/stream/long-text.js';
import { HttpResponse } from './http/http-response.js';
import { sessionList, statelessList } from './listing.js';

/** Letters of more than one byte, and line breaks between tokens, as some servers write them. */
const ITEMS: readonly Item[] = Array.from({ length: 400 }, (_, i) => ({
  name: `tool_${i}`,
  json: `{"name":"tool_${i}",\r\n "description":"Für ${'🙂'.repeat(10)}\\n"}`,
}));
const OFFER = { ...NOTHING, tool: ITEMS };
const TOOLS = ITEMS.map(({ json }) => JSON.parse(json) as unknown);

describe('a long list', () => {
  it('is kept as the bytes that are sent, once for all clients', () => {
    const [first, again] = [sessionList('tool', OFFER), sessionList('tool', OFFER)];
    expect(first).toBeInstanceOf(LongText);
    expect((again as LongText).body).toBe((first as LongText).body);
    expect(JSON.parse(String(first))).toEqual({ tools: TOOLS });
    const stateless = statelessList('tool', OFFER, '{"a":1}') as LongText;
    expect(stateless.body).toBe((first as LongText).body);
    expect(JSON.parse(String(stateless))).toMatchObject({ tools: TOOLS, _meta: { a: 1 } });
  });

  it('is one line on a pipe, in its place among others', async () => {
    const pipe = new PassThrough();
    const writer = new LineWriter(pipe);
    writer.write('{"id":1}');
    writer.writeLong(listText('"ü"', sessionList('tool', OFFER)) as LongText);
    writer.write('{"id":3}');
    setImmediate(() => setImmediate(() => pipe.end()));
    const lines = (await text(pipe)).split('\n');
    expect(lines.map((line) => line.slice(0, 8))).toEqual(['{"id":1}', '{"jsonrp', '{"id":3}', '']);
    expect(JSON.parse(lines[1]!)).toMatchObject({ id: 'ü', result: { tools: TOOLS } });
  });

  it('is an HTTP response with the right Content-Length', async () => {
    const list = listText('7', sessionList('tool', OFFER));
    const server = createServer((_, response) =>
      new HttpResponse(response).with({ 'x-a': 'b' }).json(200, list),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}`);
    const body = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).toBe(String(body.length));
    expect(response.headers.get('x-a')).toBe('b');
    expect(JSON.parse(body.toString())).toMatchObject({ id: 7, result: { tools: TOOLS } });
  });
});

describe('a short list', () => {
  it('is plain text', () => {
    const list = sessionList('tool', { ...NOTHING, tool: ITEMS.slice(0, 2) });
    expect(typeof list).toBe('string');
    expect(around('<', list, '>')).toBe(`<${String(list)}>`);
  });
});
