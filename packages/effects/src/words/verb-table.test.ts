import { describe, expect, it } from 'vitest';

import { ENDPOINTS } from '../hints/endpoints.js';
import { isPlainVerb, VERB_ROWS, VERBS } from './verb-table.js';

describe('the verb table', () => {
  it('has every verb once', () => {
    const words = VERB_ROWS.flatMap((row) => row.words.split(/\s+/));
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
    expect(VERBS.size).toBe(words.length);
  });

  it('holds lower-case words only', () => {
    expect([...VERBS.keys()].filter((word) => !/^[a-z]+$/.test(word))).toEqual([]);
  });

  it('is sure of the verb that each endpoint is named after', () => {
    for (const endpoint of ENDPOINTS) {
      expect(VERBS.get(endpoint)).toEqual({ endpoint, confidence: 'high' });
    }
  });

  it('does not count verbs that are also nouns as plain verbs, with any confidence', () => {
    expect(['reset', 'publish', 'validate'].every(isPlainVerb)).toBe(true);
    expect(['email', 'record', 'archive'].some(isPlainVerb)).toBe(false);
    expect(VERBS.get('email')).toEqual({ endpoint: 'execute', confidence: 'medium' });
  });

  it('tells plain verbs from those that are nouns as well', () => {
    expect(['delete', 'create', 'get'].every(isPlainVerb)).toBe(true);
    expect(['list', 'search', 'post', 'issue', 'constructor'].some(isPlainVerb)).toBe(false);
  });
});
