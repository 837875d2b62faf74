import { describe, expect, it } from 'vitest';

import { displayWidth, fitted, padded, shortened } from './display-width.js';

describe('the width of text', () => {
  it.each([
    ['abc', 3],
    ['', 0],
    ['読む', 4],
    ['ｶﾅ', 2],
    ['한국', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['🚀', 2],
    ['👩‍💻', 2],
    ['❤️', 2],
    ['a\u200db', 2],
    ['Ünï', 3],
  ])('of %s is %d', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it('is kept when text is cut, and no character is split', () => {
    expect(fitted('読む本', 5)).toBe('読む…');
    expect(fitted('読む本', 4)).toBe('読…');
    expect(fitted('abc', 3)).toBe('abc');
    expect(fitted('abcd', 3)).toBe('ab…');
    expect(fitted('abcd', 0)).toBe('');
    expect(padded('読む', 6)).toBe('読む  ');
  });

  it('is kept when text is cut in the middle', () => {
    expect(shortened('abcdefgh', 8)).toBe('abcdefgh');
    expect(shortened('abcdefgh', 7)).toBe('abc…fgh');
    expect(shortened('abcdefgh', 6)).toBe('ab…fgh');
    expect(shortened('読む本読む本', 7)).toBe('読…む本');
  });
});
