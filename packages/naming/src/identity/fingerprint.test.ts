import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { endsInFingerprint, fingerprintMark, MARK_LENGTH } from './fingerprint.js';

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

  it('tells lone surrogates apart, which UTF-8 does not', () => {
    // Frozen: the digest of "a", the bytes ed a0 80, and "b".
    expect(fingerprintMark('a\ud800b')).toBe('_25wctbdhtc');
    expect(fingerprintMark('\ud800')).not.toBe(fingerprintMark('\ud801'));
  });

  it('never looks like an ordinary ending', () => {
    const names = ['read_everything', 'get_statistics', 'run_2024report', 'a__b', 'list_v2', 'x_0'];
    expect(names.filter(endsInFingerprint)).toEqual([]);
  });
});
