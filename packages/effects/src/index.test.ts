import { describe, expect, it } from 'vitest';

import * as exported from './index.js';

describe('the exports of the package', () => {
  it('are exactly these', () => {
    expect(Object.keys(exported).toSorted()).toEqual([
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
      'TRUSTS',
      'WRITE_ADDITIVE',
      'WRITE_DESTRUCTIVE',
      'WRITE_DESTRUCTIVE_OPEN_WORLD',
      'WRITE_IDEMPOTENT',
      'classify',
      'countLabels',
      'endpointHints',
      'explain',
      'groundOf',
      'inferRisk',
      'isProvenRead',
      'isSurelyVerb',
      'labelTool',
      'lintAnnotations',
      'mayRetry',
      'mergeAnnotations',
      'overridesMethod',
      'provablyReads',
      'readRequest',
      'reasonFor',
      'riskOf',
      'toolTitle',
      'voicesOf',
      'withTitle',
    ]);
  });

  it('contain no Map or Set, which an importer could change', () => {
    const open = Object.values(exported).filter(
      (each) => each instanceof Map || each instanceof Set,
    );
    expect(open).toEqual([]);
  });
});
