import { describe, expect, it } from 'vitest';

import { writeAdvice } from './folder-fault.js';

describe('the advice for a file that cannot be written', () => {
  it.each([
    ['ENOSPC', /free some space/],
    ['EDQUOT', /free some space/],
    ['EACCES', /allow this user/],
    [undefined, /allow this user/],
  ])('fits %s', (code, advice) => {
    expect(writeAdvice(code)).toMatch(advice);
  });
});
