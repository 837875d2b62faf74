import { describe, expect, it } from 'vitest';

import { hasInvisible, mixesScripts, skeleton } from './confusables.js';

describe('a skeleton', () => {
  it('is the same for Latin letters and for those of other scripts that look like them', () => {
    expect(skeleton('аЬсԁеɡһіјкмпорԛгѕтυνԝхуᴢ')).toBe('abcdeghijkmnopqrstuvwxyz');
    expect(skeleton('ɑƅϲҽικησρτսѵωχγ')).toBe('abceiknoptuvwxy');
  });

  it('is the same for small capitals, in one table with the text of descriptions (K6)', () => {
    expect(skeleton('ʀᴇᴀᴅ_ꜰɪʟᴇ')).toBe(skeleton('read_file'));
    expect(skeleton('вεн')).toBe(skeleton('beh'));
  });

  it.each([
    ['paypal', 'рауpаl'],
    ['read_file', 'READ-FILE'],
    ['read_file', 'read__file'],
    ['read_file', 'read/file'],
    ['list_all', '1ist_a11'],
    ['foo', 'f00'],
    ['modem', 'modern'],
    ['read', 'ｒｅａｄ'],
    ['read', 're\u200Bad'],
    ['ﬁle', 'file'],
  ])('of %s is that of %s', (one, other) => {
    expect(skeleton(one)).toBe(skeleton(other));
  });

  it.each([
    ['read', 'reads'],
    ['read', 'lead'],
    ['größe', 'grosse'],
    ['a', 'b'],
  ])('of %s is not that of %s', (one, other) => {
    expect(skeleton(one)).not.toBe(skeleton(other));
  });
});

describe('letters of several scripts', () => {
  it.each(['rеad', 'αbc', 'жλ'])('are mixed in %s', (text) => {
    expect(mixesScripts(text)).toBe(true);
  });

  it.each(['read', 'größe', 'прочитать', 'αβγ', '読む_file', ''])('are not mixed in %s', (text) => {
    expect(mixesScripts(text)).toBe(false);
  });
});

it.each(['a\u200Bb', '\u202E', 'a\u0007', '\u{E0041}', '\u00AD'])(
  'finds that %j has invisible characters',
  (text) => {
    // Twice: a search must not go on where the last one ended.
    expect([hasInvisible(text), hasInvisible(text)]).toEqual([true, true]);
  },
);

it.each(['', 'plain', 'größe', '😀'])('finds nothing invisible in %j', (text) => {
  expect(hasInvisible(text)).toBe(false);
});
