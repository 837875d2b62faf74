import { describe, expect, it } from 'vitest';

import { shapeOf } from './json-shape.js';

describe('the shape of a JSON value', () => {
  it('has keys, types, and lengths of arrays', () => {
    const items = [{ id: 1, name: 'a', tags: ['x'] }, { id: 2, name: null, tags: [] }, { id: 3 }];
    expect(shapeOf({ items, total: 3, none: [] })).toBe(
      '{ "items": array of 3: { "id": number, "name"?: string or null, "tags"?: array of 0 to 1: string }, ' +
        '"total": number, "none": empty array }',
    );
    expect(shapeOf('x'.repeat(300))).toBe('string of up to 300 characters');
  });

  it('leaves out depth where it would be too long, and never exceeds its limit', () => {
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, { a: [i] }]));
    const shape = shapeOf({ wide, more: { wide } }, 300);
    expect(shape).toContain('object with 1000 keys');
    expect(shape.length).toBeLessThanOrEqual(300);
    expect(shapeOf(wide)).toContain('960 more keys');
    let deep: unknown = 1;
    for (let i = 0; i < 2_000; i++) deep = [deep];
    expect(shapeOf(deep)).toMatch(/^(array of 1: )+array of 1$/);
  });
});
