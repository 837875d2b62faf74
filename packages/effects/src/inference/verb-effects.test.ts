import { describe, expect, it } from 'vitest';

import { ENDPOINTS } from '../hints/endpoints.js';
import { VERBS } from '../words/verb-table.js';
import { effectOf, isChange, isSurelyVerb } from './verb-effects.js';

describe('the effect of a verb', () => {
  it.each([
    ['list', 'reads'],
    ['grep', 'reads'],
    ['extract', 'mostly-reads'],
    ['verify', 'may-read'],
    ['create', 'adds'],
    ['fork', 'adds'],
    ['update', 'harms'],
    ['upsert', 'harms'],
    ['deploy', 'harms'],
    ['upload', 'unclear'],
    ['download', 'unclear'],
    ['issue', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('%s is %s', (word, effect) => {
    expect(effectOf(word)).toBe(effect);
  });

  it('is a sure read only for verbs that almost always read', () => {
    const sure = [...VERBS].filter(([word]) => effectOf(word) === 'reads');
    expect(sure.length).toBeGreaterThan(10);
    expect(sure.filter(([, meaning]) => meaning.endpoint !== 'read')).toEqual([]);
    expect(sure.filter(([, meaning]) => meaning.confidence !== 'high')).toEqual([]);
  });

  it('is a change for every verb that updates, deletes or creates', () => {
    for (const endpoint of ENDPOINTS.filter((each) => each !== 'read' && each !== 'execute')) {
      const verbs = [...VERBS].filter(([, meaning]) => meaning.endpoint === endpoint);
      expect(verbs.filter(([word]) => !isChange(effectOf(word)))).toEqual([]);
    }
  });
});

it.each([
  ['adds', true],
  ['harms', true],
  ['unclear', true],
  ['reads', false],
  ['mostly-reads', false],
  ['may-read', false],
  [undefined, false],
] as const)('%s is a change: %s', (effect, expected) => {
  expect(isChange(effect)).toBe(expected);
});

it.each([
  ['delete', true],
  ['provision', true],
  ['summarize', true],
  ['record', false],
  ['comment', false],
  ['query', false],
  ['trigger', false],
  ['list', false],
  ['file', false],
  ['', false],
])('%s is surely a verb: %s', (word, expected) => {
  expect(isSurelyVerb(word)).toBe(expected);
});
