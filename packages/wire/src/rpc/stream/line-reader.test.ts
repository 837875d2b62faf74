import { describe, expect, it } from 'vitest';

import { LineReader, type LineReaderOptions } from './line-reader.js';

/** The lines of a text that arrives in pieces. */
function read(text: string, size: number, more: Partial<LineReaderOptions> = {}): string[] {
  const heard: string[] = [];
  const reader = new LineReader({
    maxBytes: 1_000,
    onLine: (line) => heard.push(line),
    onTooLong: () => heard.push('(too long)'),
    ...more,
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  reader.end();
  return heard;
}

describe('reading lines', () => {
  it.each([1, 2, 3, 7, 1_000])('gives the same lines in pieces of %i bytes', (size) => {
    expect(read('one\n\n\r\ntwo 🚀 é\r\nthree', size)).toEqual(['one', 'two 🚀 é\r', 'three']);
  });

  it.each([1, 5, 1_000])('skips a line that is too long, in pieces of %i bytes', (size) => {
    const text = `ok\n${'x'.repeat(50)}\nok\n${'y'.repeat(10)}\n${'z'.repeat(11)}`;
    expect(read(text, size, { maxBytes: 10 })).toEqual([
      'ok',
      '(too long)',
      'ok',
      'y'.repeat(10),
      '(too long)',
    ]);
  });

  it.each([1, 4, 1_000])(
    'reads only lines with the given first byte, in pieces of %i bytes',
    (size) => {
      const text = 'Server started\n{"a":1}\n \t{"b":2}\r\n[1]\n{\n"{"';
      expect(read(text, size, { opening: 123 })).toEqual(['{"a":1}', ' \t{"b":2}\r', '{']);
    },
  );
});

it('F11: reads a line after a byte order mark, and reports lines that it skips', () => {
  const lines: string[] = [];
  const skipped: string[] = [];
  const reader = new LineReader({
    maxBytes: 100,
    opening: 123,
    onLine: (line) => lines.push(line),
    onSkipped: (line) => skipped.push(line.toString()),
    onTooLong: () => undefined,
  });
  reader.push(Buffer.from('\uFEFF{"a":1}\nServer ready\n\n{"b":2}\n'));
  expect(lines).toEqual(['{"a":1}', '{"b":2}']);
  expect(skipped).toEqual(['Server ready']);
});

it('tells the edges of a very long line now and then, and when it ends, and reads on', () => {
  const lines: string[] = [];
  const reader = new LineReader({
    maxBytes: 20,
    onLine: (line) => lines.push(line),
    onTooLong: ({ hasEnded, head }) => lines.push(hasEnded ? head.slice(0, 8) : 'goes on'),
  });
  for (let i = 0; i < 100; i++) reader.push(Buffer.from(i === 0 ? '{"id":7,"' : 'x'.repeat(9)));
  reader.push(Buffer.from('"}\n{"a":1}\n'));
  expect(lines).toEqual([...Array.from({ length: 5 }, () => 'goes on'), '{"id":7,', '{"a":1}']);
});

it.each([1, 2, 3, 9, 1_000])(
  'F11: reads, skips and measures lines that arrive in pieces of %i bytes',
  (size) => {
    const lines: string[] = [];
    const skipped: string[] = [];
    const reader = new LineReader({
      maxBytes: 20,
      opening: 123,
      onLine: (line) => lines.push(line),
      onSkipped: (line) => skipped.push(line.toString()),
      onTooLong: ({ hasEnded, head, tail }) =>
        lines.push(hasEnded ? `${head.slice(0, 8)} ${tail}` : 'goes on'),
    });
    const long = `{"id":7,"é":"${'ü'.repeat(10)}"}`;
    const text = `\uFEFF{"a":"é🚀"}\nstarted\n ✓ ready\n{"b":\t1}\n${long}\n{"c":"ñ"}`;
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    reader.end();
    expect(lines).toEqual(['{"a":"é🚀"}', '{"b":\t1}', `{"id":7, ${long}`, '{"c":"ñ"}']);
    expect(skipped).toEqual(['started', ' ✓ ready']);
  },
);

it.each([1_000, 65_536, 5_000_000])('reads long lines in chunks of %i bytes', (size) => {
  const line = (letter: string): string => `{"a":"${letter.repeat(600_000)}"}`;
  const lines = [line('x'), '{"b":1}', line('\u00E9'), line('z')];
  expect(read(lines.join('\n'), size, { maxBytes: 4_000_000 }).map((each) => each.length)).toEqual(
    lines.map(({ length }) => length),
  );
});
