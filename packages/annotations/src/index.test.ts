import { describe, expect, it } from 'vitest';

import * as door from './index.js';

describe('the door of the package', () => {
  it('opens on what others need, and on nothing else', () => {
    expect(Object.keys(door).toSorted()).toEqual([
      'ANNOTATION_RULES',
      'DEFAULT_ANNOTATIONS',
      'ENDPOINTS',
      'ENDPOINT_TITLES',
      'HINTS',
      'PRESETS',
      'PRESET_ENDPOINTS',
      'READ_ONLY_DEFAULT',
      'READ_ONLY_OPEN_WORLD',
      'RISKS',
      'SPEC_DEFAULTS',
      'WRITE_ADDITIVE',
      'WRITE_DESTRUCTIVE',
      'WRITE_DESTRUCTIVE_OPEN_WORLD',
      'WRITE_IDEMPOTENT',
      'classify',
      'endpointHints',
      'explain',
      'lintAnnotations',
      'mayRetry',
      'mergeAnnotations',
      'resolveHints',
      'riskOf',
      'toolTitle',
      'withTitle',
    ]);
  });

  it('hands out no Map or Set, which whoever holds it could change', () => {
    const open = Object.values(door).filter((each) => each instanceof Map || each instanceof Set);
    expect(open).toEqual([]);
  });
});
