import { describe, expect, it } from 'vitest';

import { secretLabels, shortText } from './secret-labels.js';

const found = (json: string) => [...secretLabels(json, 12).keys()].toSorted((a, b) => a - b);

describe('objects in which one member names a secret and another holds it', () => {
  it.each([
    ['{"name":"Authorization","value":"x"}', [0]],
    [' [{"name":"a","value":"x"},{"key":"API_KEY","value":"x"}]', [27]],
    ['{"env":{"name":"PASSWORD","default":"x"}}', [7]],
    ['{"name":"PASSWORD","Data":"x"}', [0]],
    // No member holds a value.
    ['{"name":"PASSWORD","text":"x"}', []],
    // Text that is typed into a field.
    ['{"selector":"#password","text":"x"}', [0]],
    ['{"element":"Search field","text":"x"}', []],
    ['{"selector":"#password","data":"x"}', []],
    // The name is not that of a secret, or not a text.
    ['{"name":"color","value":"x"}', []],
    ['{"name":["PASSWORD"],"value":"x"}', []],
    ['{"other":"PASSWORD","value":"x"}', []],
    ['"value"', []],
    ['{"value":', []],
  ])('in %s start at %j', (json, starts) => {
    expect(found(json)).toEqual(starts);
  });

  it('are searched to a depth', () => {
    const nested = (depth: number): string =>
      `${'['.repeat(depth)}{"name":"PASSWORD","value":1}${']'.repeat(depth)}`;
    expect(found(nested(11))).toEqual([11]);
    expect(found(nested(12))).toEqual([]);
  });
});

describe('a short text', () => {
  it('is a string of at most 200 characters with its quotes', () => {
    const json = (length: number): string => `"${'x'.repeat(length - 2)}"`;
    expect(shortText(json(200), 0, 200)).toBe('x'.repeat(198));
    expect(shortText(json(201), 0, 201)).toBeUndefined();
    expect(shortText('["a\\n"]', 1, 6)).toBe('a\n');
    expect(shortText('[12]', 1, 3)).toBeUndefined();
    expect(shortText('"a', 0, -1)).toBeUndefined();
  });
});
