import { expect, it } from 'vitest';

import * as toolkit from './index.js';

it('exports exactly these names', () => {
  expect(Object.keys(toolkit).toSorted()).toEqual([
    'DEFAULT_ANNOTATIONS',
    'LabelError',
    'READ_ONLY_DEFAULT',
    'READ_ONLY_OPEN_WORLD',
    'SAFETY_MODES',
    'TOOL_PREFIX',
    'WRITE_ADDITIVE',
    'WRITE_DESTRUCTIVE',
    'WRITE_DESTRUCTIVE_OPEN_WORLD',
    'WRITE_IDEMPOTENT',
    'createRegistrar',
    'expectWellLabelled',
    'redact',
    'refused',
    'registerToolSafe',
    'requireRole',
  ]);
});
