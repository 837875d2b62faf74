import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import { argumentsIn, fingerprintOf } from './fingerprint.js';

it('the fingerprint is the SHA-256 of the text, so that anyone can compute it', () => {
  const hash = createHash('sha256').update('{"a": 1}').digest('hex');
  expect(fingerprintOf('{"a": 1}')).toBe(`sha256:${hash}`);
});

it.each([
  ['{"name":"x","arguments":{"a": 1}}', '{"a": 1}'],
  [' { "arguments" : [1, 2] , "name":"x" } ', '[1, 2]'],
  ['{"arguments":{"a":1},"arguments":{"a":2}}', '{"a":2}'],
  ['{"name":"x","_meta":{"arguments":{}}}', undefined],
  ['{"name":"x"}', undefined],
  ['{}', undefined],
  ['[]', undefined],
  ['{"arguments":{"a":1},', undefined],
  ['{"arguments":{"a":1} "b"', undefined],
])('the arguments in %s are %s', (params, text) => {
  expect(argumentsIn(params)).toBe(text);
});
