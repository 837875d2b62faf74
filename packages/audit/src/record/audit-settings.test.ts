import { describe, expect, it } from 'vitest';

import { AUDIT_SETTINGS } from './audit-settings.js';

describe('the settings of the log', () => {
  it('record every call by default, and refuse none', () => {
    expect(AUDIT_SETTINGS.parse(undefined)).toMatchObject({ mode: 'best-effort' });
  });

  it.each([
    { mode: 'loose' },
    { modus: 'strict' },
    { keepDays: 0 },
    { maxBytes: 1 },
    { file: '' },
    { redact: { key: [] } },
  ])('refuse %o', (settings) => {
    expect(AUDIT_SETTINGS.safeParse(settings).success).toBe(false);
  });
});
