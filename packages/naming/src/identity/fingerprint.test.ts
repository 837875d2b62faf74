import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { endsInFingerprint, fingerprintMark, MARK_LENGTH } from './fingerprint.js';
import { sha256 } from './sha256.js';

const hex = (words: Uint32Array) => [...words].map((w) => w.toString(16).padStart(8, '0')).join('');

describe('sha256', () => {
  it('agrees with node:crypto on any text, at every padding length', () => {
    const check = (text: string): void => {
      expect(hex(sha256(text))).toBe(createHash('sha256').update(text).digest('hex'));
    };
    for (let length = 0; length <= 130; length++) check('a'.repeat(length));
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), check));
  });

  it('tells lone surrogates apart, which UTF-8 does not', () => {
    expect(hex(sha256('\ud800'))).not.toBe(hex(sha256('\ud801')));
  });
});

describe('the mark', () => {
  it('is an underscore, a digit and nine letters or digits out of the SHA-256 of the identity', () => {
    const mark = fingerprintMark('filesystem:read_file');
    const bits =
      BigInt(`0x${createHash('sha256').update('filesystem:read_file').digest('hex')}`) >> 208n;
    const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
    let expected = '';
    for (let i = 0n; i < 9n; i++) expected = alphabet[Number((bits >> (i * 5n)) & 31n)] + expected;
    expect(mark).toBe(`_${bits >> 45n}${expected}`);
    expect(mark).toHaveLength(MARK_LENGTH);
    expect(endsInFingerprint(mark)).toBe(true);
  });

  it('never looks like an ordinary ending', () => {
    const names = ['read_everything', 'get_statistics', 'run_2024report', 'a__b', 'list_v2', 'x_0'];
    expect(names.filter(endsInFingerprint)).toEqual([]);
  });
});
