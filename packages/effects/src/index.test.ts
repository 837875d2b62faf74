import { describe, expect, it } from 'vitest';

import * as exported from './index.js';

describe('the exports of the package', () => {
  it('contain no Map or Set, which an importer could change', () => {
    const open = Object.values(exported).filter(
      (each) => each instanceof Map || each instanceof Set,
    );
    expect(open).toEqual([]);
  });
});
