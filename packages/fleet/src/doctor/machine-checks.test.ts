import { describe, expect, it } from 'vitest';

import { checkNode, checkStorage } from './machine-checks.js';

describe('the checks of the machine', () => {
  it.each([
    ['20.19.0', 'pass'],
    ['22.1.0', 'pass'],
    ['20.18.9', 'fail'],
    ['18.20.0', 'fail'],
  ])('checks Node %s: %s', (version, status) => {
    expect(checkNode(version)).toMatchObject({ status });
  });

  it('F7: warns of a folder that cannot be written', () => {
    expect(checkStorage({ XDG_STATE_HOME: '/dev/null' })).toMatchObject({
      status: 'warn',
      fix: expect.stringContaining('XDG_STATE_HOME') as string,
    });
  });
});
