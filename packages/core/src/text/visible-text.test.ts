import { describe, expect, it } from 'vitest';

import { visibleLetters, visibleLine, visibleText } from './visible-text.js';

describe('text from a server', () => {
  it.each([
    ['plain text, é and 😀', 'plain text, é and 😀'],
    ['a\nb\tc', 'a\nb\tc'],
    ['a\rb', 'a⟨U+000D⟩b'],
    ['\u001B[31mred', '⟨U+001B⟩[31mred'],
    ['safe\u202Eevil', 'safe⟨U+202E⟩evil'],
    ['zero\u200Bwidth', 'zero⟨U+200B⟩width'],
    ['tag\u{E0041}', 'tag⟨U+E0041⟩'],
    ['filler\u3164blank\u2800', 'filler⟨U+3164⟩blank⟨U+2800⟩'],
    ['half \uD83D pair', 'half ⟨U+D83D⟩ pair'],
    ['line\u2028para\u2029', 'line⟨U+2028⟩para⟨U+2029⟩'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visibleText(text, 100)).toBe(shown);
  });

  it('is cut at the limit and not before, and never inside a character', () => {
    expect(visibleText('12345', 5)).toBe('12345');
    expect(visibleText('123456', 5)).toBe('12345…');
    expect(visibleText('1234😀', 5)).toBe('1234…');
    expect(visibleText('123😀5', 5)).toBe('123😀…');
    expect(visibleText('\uD83Dx2345', 5)).toBe('⟨U+D83D⟩x234…');
  });

  it('is one line where people read it', () => {
    expect(visibleLine('  a \n\n b\t\u0007c ', 100)).toBe('a b ⟨U+0007⟩c');
    expect(visibleLine('one two three', 7)).toBe('one two…');
    // Spaces do not use up the limit.
    expect(visibleLine(`a${' '.repeat(8)}b`, 5)).toBe('a b');
  });

  it('shows every letter where people compare it', () => {
    expect(visibleLetters('a\n\tb')).toBe('a⟨U+000A⟩⟨U+0009⟩b');
    expect(visibleLetters('x'.repeat(200))).toBe('x'.repeat(200));
    expect(visibleLetters('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
    expect(visibleLetters('abc', 2)).toBe('ab…');
  });
});
