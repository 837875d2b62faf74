import { describe, expect, it } from 'vitest';

import { plainText } from './plain-text.js';

describe('plain text', () => {
  it.each([
    ['capitals and blanks', 'IGNORE\n\t All', 'ignore all'],
    ['full width', 'ｉｇｎｏｒｅ', 'ignore'],
    ['mathematical letters', '𝐈𝐠𝐧𝐨𝐫𝐞 𝒶𝓁𝓁', 'ignore all'],
    ['Cyrillic and Greek look-alikes', 'ignоrе αll', 'ignore all'],
    [
      'every Latin letter that has a double',
      'аьсԁеꜰɡһіјкʟмпорԛгѕтυνԝхуᴢ',
      'abcdefghijklmnopqrstuvwxyz',
    ],
    ['the lunate sigma', 'ϲat', 'cat'],
    ['small capitals', 'ɪɢɴᴏʀᴇ', 'ignore'],
    ['accents', 'ígñörê', 'ignore'],
    ['characters of no width', 'ig\u200Bno\u00ADre\uFE0F', 'ignore'],
    ['control characters', 'ig\u0008nore', 'ignore'],
    ['emphasis', 'do **not**', 'do not'],
    ['quotes', 'don’t', "don't"],
    ['ligatures', 'ﬁle', 'file'],
  ])('sees through %s', (_, text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  it('keeps letters that do not look like Latin ones', () => {
    expect(plainText('Жλ 読む')).toBe('жλ 読む');
  });

  it('keeps the characters of names', () => {
    expect(plainText('mail:send_email.v2/x-y `<a>`')).toBe('mail:send_email.v2/x-y `<a>`');
  });

  it('does not expand a ligature to many times its length', () => {
    expect(plainText('\uFDFA'.repeat(10))).toBe(' ');
  });
});
