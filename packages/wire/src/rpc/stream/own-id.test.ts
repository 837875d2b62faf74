import { describe, expect, it } from 'vitest';

import { ownId } from './own-id.js';

describe('our number in an id that came back', () => {
  it.each(['7', '"7"', '7.0', '7.000', '7e0', '70e-1', '7E+0'])('is found in %s', (text) => {
    expect(ownId(text)).toBe(7);
  });

  it.each([
    undefined,
    '"seven"',
    '""',
    '" 7"',
    '"7.0"',
    '"0x7"',
    '7.5',
    '-7.0',
    'true',
    'null',
    '{}',
    '[7]',
    '7000000000000000000000000',
    '"9999999999999999"',
    '1e309',
  ])('is not found in %s', (text) => {
    expect(ownId(text)).toBeUndefined();
  });
});
