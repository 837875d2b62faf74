import { describe, expect, it } from 'vitest';

import { EventStreamReader, type StreamEvent } from './event-stream.js';

function read(chunks: readonly (string | Buffer)[], maxBytes = 1_000): (StreamEvent | string)[] {
  const events: (StreamEvent | string)[] = [];
  const reader = new EventStreamReader({
    maxBytes,
    onEvent: (event) => events.push(event),
    onTooLong: () => events.push('too long'),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk as string));
  return events;
}

function data(...chunks: readonly (string | Buffer)[]): unknown[] {
  return read(chunks).map((event) => (typeof event === 'string' ? event : event.data));
}

describe('reading server-sent events', () => {
  it('gives all fields of an event', () => {
    expect(read(['event: ping\nid: 7\nretry: 250\ndata: {"a":1}\n\n'])).toEqual([
      { event: 'ping', id: '7', retry: 250, data: '{"a":1}' },
    ]);
  });

  it('calls an event without a name a message', () => {
    expect(read(['data: x\n\nevent:\ndata: y\n\n'])).toMatchObject([
      { event: 'message', data: 'x' },
      { event: 'message', data: 'y' },
    ]);
  });

  it('reports an event that only sets an id and a delay', () => {
    expect(read(['id: 1\nretry: 100\ndata: \n\n'])).toEqual([
      { event: 'message', id: '1', retry: 100, data: '' },
    ]);
  });

  it('does not carry fields over to the next event', () => {
    expect(read(['event: a\nid: 1\ndata: x\n\ndata: y\n\n'])[1]).toEqual({
      event: 'message',
      id: undefined,
      retry: undefined,
      data: 'y',
    });
  });

  it('puts the lines of one event together', () => {
    expect(data('data: {\ndata:   "a": 1\ndata\ndata:}\n\n')).toEqual(['{\n  "a": 1\n\n}']);
  });

  it('skips one space after the colon, and no more', () => {
    expect(data('data:  x\n\n', 'data:y\n\n')).toEqual([' x', 'y']);
  });

  it('skips comments, blank lines and fields that it does not know', () => {
    expect(data(': keepalive\n\n\n\nfoo: bar\n\n:\ndata: x\n: y\n\n')).toEqual(['x']);
  });

  it('ignores an id with a NUL, and a delay that is not a number', () => {
    expect(read(['id: a\0b\nretry: 1.5\ndata: x\n\n'])).toMatchObject([
      { id: undefined, retry: undefined },
    ]);
  });

  it('drops the byte order mark, and only the first', () => {
    expect(data('\ufeffdata: x\n\n\ufeffdata: y\n\ndata: z\n\n')).toEqual(['x', 'z']);
  });

  it('drops an event that the stream did not finish', () => {
    expect(data('data: x\n\ndata: y\n')).toEqual(['x']);
  });

  it('accepts an event up to the limit and gives up past it, whole or in parts', () => {
    const long = 'x'.repeat(100);
    expect(read([`data: ${long}\n\n`], 106)).toHaveLength(1);
    expect(read([`data: ${long}\n\ndata: y\n\n`], 105)).toEqual(['too long']);
    expect(
      read(
        Array.from({ length: 100 }, () => 'data: abcde\n'),
        105,
      ),
    ).toEqual(['too long']);
    expect(
      read(
        Array.from({ length: 1_000 }, () => 'x'),
        105,
      ),
    ).toEqual(['too long']);
  });

  it('counts each event separately', () => {
    expect(
      read(
        Array.from({ length: 50 }, () => 'data: abcde\n\n'),
        20,
      ),
    ).toHaveLength(50);
  });

  const STREAM =
    '\ufeff: hi\n\nevent: a\ndata: süß 🎉 漢字\ndata: two\n\nid: 3\ndata: {"x":"é"}\n\ndata\n\n';

  it.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['both', '\r\n'],
  ])('reads lines that end in %s, however the bytes are cut', (_, end) => {
    const bytes = Buffer.from(STREAM.replaceAll('\n', end));
    const whole = read([bytes]);
    expect(whole).toHaveLength(3);
    for (let size = 1; size < bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (__, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(read(chunks)).toEqual(whole);
    }
  });

  it('reads line ends of several kinds in one stream', () => {
    expect(data('data: a\r\ndata: b\rdata: c\n\r\ndata: d\r\r')).toEqual(['a\nb\nc', 'd']);
  });

  it('reads a long event in many chunks in reasonable time', () => {
    const chunk = 'x'.repeat(65_536);
    const chunks = ['data: ', ...Array.from({ length: 160 }, () => chunk), '\n\n'];
    const [event] = read(chunks, 20_000_000);
    expect((event as StreamEvent).data).toHaveLength(160 * 65_536);
  });
});
