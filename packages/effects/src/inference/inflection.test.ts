import { describe, expect, it } from 'vitest';

import { verbIn } from './inflection.js';

describe('the base form of a verb', () => {
  it.each([
    ['delete', 'delete', 'base'],
    ['deletes', 'delete', 'third'],
    ['uses', 'use', 'third'],
    ['fetches', 'fetch', 'third'],
    ['processes', 'process', 'third'],
    ['copies', 'copy', 'third'],
    ['fetching', 'fetch', 'ing'],
    ['deleting', 'delete', 'ing'],
    ['getting', 'get', 'ing'],
    ['committing', 'commit', 'ing'],
    ['pressing', 'press', 'ing'],
    ['ping', 'ping', 'base'],
  ])('of %s is %s (%s)', (word, base, form) => {
    expect(verbIn(word)).toEqual({ base, form });
  });

  it.each([
    '',
    'string',
    'things',
    'files',
    'statuses',
    'queues',
    's',
    'ing',
    'deleted',
    'esdelete',
  ])('of %j is unknown', (word) => {
    expect(verbIn(word)).toBeUndefined();
  });
});
