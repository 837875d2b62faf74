import { describe, expect, it } from 'vitest';

import { mayReadMetrics } from './metrics-readers.js';
import { ACCESS, ROLES } from './roles-settings.js';

const ROLES_SET = {
  operator: { metrics: true },
  reader: { allow: ['*'] },
  none: { metrics: false },
};

function may(held: readonly string[] | undefined, anonymous: readonly string[] = []): boolean {
  const settings = { roles: ROLES.parse(ROLES_SET), access: ACCESS.parse({ anonymous }) };
  return mayReadMetrics(settings, held && { name: 'ann', roles: held });
}

describe('metrics', () => {
  it('are for every caller if no roles are configured', () => {
    const access = ACCESS.parse({});
    expect(mayReadMetrics({ access }, undefined)).toBe(true);
    expect(mayReadMetrics({ access }, { name: 'ann', roles: [] })).toBe(true);
    expect(mayReadMetrics({ roles: {}, access }, undefined)).toBe(false);
  });

  it.each([
    [['operator'], true],
    [['reader', 'operator'], true],
    [['reader'], false],
    [['none'], false],
    [[], false],
    [['unknown', 'constructor', '__proto__'], false],
  ])('for a caller with the roles %j: %s', (held, isAllowed) => {
    expect(may(held)).toBe(isAllowed);
  });

  it('are for callers without a credential only if their roles say so', () => {
    expect(may(undefined)).toBe(false);
    expect(may(undefined, ['reader'])).toBe(false);
    expect(may(undefined, ['operator'])).toBe(true);
    // A credential without roles does not get the roles of anonymous callers.
    expect(may([], ['operator'])).toBe(false);
  });
});
