import { expect, test } from 'vitest';

import { fakeSource } from '../testing/fake-source.js';
import { changedSource } from './changed-source.js';

test('passes everything on that is not changed, as it is at the time', () => {
  const { source, offers } = fakeSource({ tools: ['first'] });
  const changed = changedSource(source, {});
  expect(changed.offer.tool.map(({ name }) => name)).toEqual(['first']);
  offers({ tools: ['first', 'second'] });
  expect(changed.offer).toBe(source.offer);
  expect(changed.route('tool', 'second')?.item?.name).toBe('second');
});

test('reads a changed member at every access', () => {
  const { source } = fakeSource({ tools: ['first'] });
  let reason = 'it is starting';
  const changed = changedSource(source, {
    get unavailable() {
      return reason;
    },
    route: () => undefined,
  });
  expect(changed.unavailable).toBe('it is starting');
  reason = 'it was stopped';
  expect(changed.unavailable).toBe('it was stopped');
  expect(changed.route('tool', 'first')).toBeUndefined();
});
