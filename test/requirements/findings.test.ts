/** Every finding has a test that cites it. That the test passes is checked by the reporter, in a full run. */

import { describe, expect, it } from 'vitest';

import { FINDINGS, findingsIn } from './findings.js';
import { citedAnywhere } from './test-files.js';

describe('the findings', () => {
  it('have unique ids and sentences', () => {
    expect(new Set(FINDINGS.map(({ id }) => id)).size).toBe(FINDINGS.length);
    expect(new Set(FINDINGS.map(({ says }) => says)).size).toBe(FINDINGS.length);
  });

  it('are each cited by the title of a test', () => {
    const cited = citedAnywhere();
    expect(FINDINGS.filter(({ id }) => !cited.has(id)).map(({ id }) => id)).toEqual([]);
  });

  it.each([
    ['V4: waits', ['V4']],
    ['D3, D14: lists at once', ['D3', 'D14']],
    ['serves the others (N1)', ['N1']],
    ['a page in the format A4 is read by V8', []],
  ])('are read from a title: %s', (title, ids) => {
    expect(findingsIn(title)).toEqual(ids);
  });
});
