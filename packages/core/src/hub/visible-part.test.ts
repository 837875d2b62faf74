import { expect, it } from 'vitest';

import { fakeSource } from '../testing/fake-source.js';
import { hub } from './hub.js';
import { VisiblePart } from './visible-part.js';

const all = hub({ a: fakeSource({ tools: ['x', 'y'], abilities: ['logging'] }).source });

it('the visible part of a list is the same array each time', () => {
  const part = new VisiblePart(all, ({ ref }) => ref.tool === 'x');
  const lists = all.byServer('tool');
  const [seen] = part.of(lists);
  expect(seen!.map(({ canonical }) => canonical)).toEqual(['a:x']);
  expect(part.of(lists)[0]).toBe(seen);
  expect(part.abilities()).toBe(part.abilities());
});

it('everything is visible without rules, as the same lists', () => {
  const part = new VisiblePart(all, undefined);
  expect(part.of(all.byServer('tool'))).toBe(all.byServer('tool'));
  expect(part.abilities()).toBe(all.abilities);
});
