import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import { fingerprintOf } from './record-line.js';

it('the fingerprint is the SHA-256 of the text, so that anyone can compute it', () => {
  const hash = createHash('sha256').update('{"a": 1}').digest('hex');
  expect(fingerprintOf('{"a": 1}')).toBe(`sha256:${hash}`);
});
