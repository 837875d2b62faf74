import { describe, expect, it } from 'vitest';

import { hanging, wrapped } from './wrapped.js';

describe('wrapped text', () => {
  it.each([
    ['one two three', 7, ['one two', 'three']],
    ['one two', 80, ['one two']],
    ['a longwordthatdoesnotfit b', 6, ['a', 'longwo', 'rdthat', 'doesno', 'tfit b']],
    ['/home/ann/.config/callsign.json', 16, ['/home/ann/', '.config/', 'callsign.json']],
    ['/a/verylongname.json', 12, ['/a/verylongn', 'ame.json']],
    ['  an indented line', 10, ['  an', '  indented', '  line']],
    ['first\nsecond line', 8, ['first', 'second', 'line']],
    ['日本 日本', 5, ['日本', '日本']],
    ['one  two', Infinity, ['one  two']],
    ['', 5, ['']],
  ])('breaks %j at %d columns', (text, columns, lines) => {
    expect(wrapped(text, columns)).toEqual(lines);
  });

  it('keeps words whole on request', () => {
    const options = { keepsWords: true };
    expect(wrapped('  in /home/ann/callsign.json now', 12, options)).toEqual([
      '  in',
      '  /home/ann/callsign.json',
      '  now',
    ]);
  });

  it('does not count colours', () => {
    expect(wrapped('\x1b[31mone\x1b[39m two', 7)).toEqual(['\x1b[31mone\x1b[39m two']);
  });

  it('can be indented after the first line', () => {
    expect(hanging('one two three', 9, '  ')).toBe('one two\n  three');
  });
});
