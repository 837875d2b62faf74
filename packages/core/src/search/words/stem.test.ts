import { describe, expect, it } from 'vitest';

import { stemOf, stemsOf } from './stem.js';

describe('a stem', () => {
  it.each([
    ['messages', 'message'],
    ['messaging', 'message'],
    ['issues', 'issue'],
    ['branches', 'branch'],
    ['repositories', 'repository'],
    ['copied', 'copy'],
    ['running', 'run'],
    ['calling', 'call'],
    ['created', 'create'],
    ['ids', 'id'],
  ])('of %s is that of %s', (word, other) => {
    expect(stemOf(word)).toBe(stemOf(other));
  });

  it.each(['status', 'bus', 'string', 'ping', 'sms', 'address', 'k8s'])('of %s stays', (word) => {
    expect(stemOf(word)).toBe(word);
  });

  it('is made of every word of a name', () => {
    expect(stemsOf('listPullRequests')).toEqual(['list', 'pull', 'request']);
  });
});
