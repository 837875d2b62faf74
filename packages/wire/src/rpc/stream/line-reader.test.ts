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

it('tells the edges of an endless line when it ends, and reads on', () => {
  const lines: string[] = [];
  const reader = new LineReader({
    maxBytes: 20,
    onLine: (line) => lines.push(line),
    onTooLong: (line) => lines.push(line === 'endless' ? line : line.head.slice(0, 8)),
  });
  for (let i = 0; i < 100; i++) reader.push(Buffer.from(i === 0 ? '{"id":7,"' : 'x'.repeat(9)));
  reader.push(Buffer.from('"}\n{"a":1}\n'));
  expect(lines).toEqual(['endless', '{"id":7,', '{"a":1}']);
});

it.each([1, 2, 3, 9, 1_000])(
  'F11: reads, skips and measures lines that arrive in pieces of %i bytes',
  (size) => {
    const lines: string[] = [];
    const skipped: string[] = [];
    const reader = new LineReader({
      maxBytes: 20,
      opening: 123,
      onLine: (line, hasControl) => lines.push(hasControl ? `${line}!` : line),
      onSkipped: (line) => skipped.push(line.toString()),
      onTooLong: (line) =>
        lines.push(line === 'endless' ? line : `${line.head.slice(0, 8)} ${line.tail}`),
    });
    const long = `{"id":7,"é":"${'ü'.repeat(10)}"}`;
    const text = `\uFEFF{"a":"é🚀"}\nstarted\n ✓ ready\n{"b":\t1}\n${long}\n{"c":"ñ"}`;
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    reader.end();
    expect(lines).toEqual(['{"a":"é🚀"}', '{"b":\t1}!', `{"id":7, ${long}`, '{"c":"ñ"}']);
    expect(skipped).toEqual(['started', ' ✓ ready']);
  },
);

describe('a long line', () => {
  const line = (letter: string, bytes: number = 600_000): string =>
    `{"a":"${letter.repeat(bytes - 8)}"}`;
  /** Short enough to be shown. */
  const short = (text: string): string =>
    text.replaceAll(/([xyz\u00E9])\1+/g, (run, letter: string) => `${letter} * ${run.length}`);

  function readAsBytes(text: string, size: number): string[] {
    const heard: Buffer[] = [];
    const onLongLine = (bytes: Buffer): void => void heard.push(bytes);
    const texts = read(text, size, { maxBytes: 4_000_000, opening: 123, onLongLine });
    // Not before the end: the bytes must not be used again.
    return [...heard.map((bytes) => `bytes ${short(bytes.toString())}`), ...texts.map(short)];
  }

  it.each([1_000, 65_536, 5_000_000])('is given as bytes, in chunks of %i bytes', (size) => {
    const text = [line('x'), '{"b":1}', line('y'), line('z')].join('\n');
    expect(readAsBytes(text, size)).toEqual([
      'bytes {"a":"x * 599992"}',
      'bytes {"a":"y * 599992"}',
      'bytes {"a":"z * 599992"}',
      '{"b":1}',
    ]);
  });

  it('is given as text if it has other characters than ASCII', () => {
    expect(readAsBytes(`${line('\u00E9')}\n`, 65_536)).toEqual(['{"a":"\u00E9 * 599992"}']);
  });

  it.each([
    [262_143, ''],
    [262_144, 'bytes '],
    [262_145, 'bytes '],
  ])('of %i bytes is not overwritten by the next one', (bytes, kind) => {
    const text = `${line('x', bytes)}\n${line('y', bytes)}\n`;
    expect(readAsBytes(text, 65_536)).toEqual([
      `${kind}{"a":"x * ${bytes - 8}"}`,
      `${kind}{"a":"y * ${bytes - 8}"}`,
    ]);
  });
});
