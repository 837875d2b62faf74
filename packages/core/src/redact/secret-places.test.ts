import { describe, expect, it } from 'vitest';

import { secretPlaces } from './secret-places.js';

const placesIn = (schema: unknown) => secretPlaces(JSON.stringify(schema));
const SECRET = { format: 'password' };

describe('what a schema marks as secret', () => {
  it('can be all arguments', () => {
    expect(placesIn(SECRET).isSecret).toBe(true);
    expect(placesIn({ properties: { a: SECRET } }).isSecret).toBe(false);
  });

  it('is followed through objects and lists', () => {
    const places = placesIn({
      properties: { a: { items: { properties: { b: { items: SECRET } } } } },
    });
    expect(places.at('a').items.at('b').items.isSecret).toBe(true);
    expect(places.at('a').items.at('b').isSecret).toBe(false);
    expect(places.at('b').at('c').items.isSecret).toBe(false);
  });

  it('is followed through schemas that refer to themselves', () => {
    const places = placesIn({
      properties: {
        child: { $ref: '#' },
        pw: SECRET,
        list: { items: { $ref: '#/properties/pw' } },
      },
    });
    expect(places.at('child').at('child').at('pw').isSecret).toBe(true);
    expect(places.at('child').at('list').items.isSecret).toBe(true);
    const loop = { $ref: '#/$defs/a' };
    expect(placesIn({ ...loop, $defs: { a: loop }, title: 'password' }).isSecret).toBe(false);
  });

  it('is followed through alternatives of alternatives, but not through too many', () => {
    const nested = (depth: number): object =>
      depth === 0 ? SECRET : { anyOf: [nested(depth - 1)] };
    expect(placesIn(nested(49)).isSecret).toBe(true);
    expect(placesIn(nested(50)).isSecret).toBe(false);
  });

  it('is found at every place that one member may have', () => {
    const places = placesIn({
      anyOf: [{ properties: { p: {} } }, { properties: { p: { writeOnly: true } } }],
    });
    expect(places.at('p').isSecret).toBe(true);
  });

  it('is not found through names that every object has', () => {
    const places = placesIn({ properties: { password: {} }, additionalProperties: SECRET });
    expect(places.at('constructor').isSecret).toBe(true);
    expect(
      placesIn({ properties: { a: { $ref: '#/constructor' }, password: {} } }).at('a').isSecret,
    ).toBe(false);
    expect(placesIn({ properties: { p: SECRET } }).at('toString').isSecret).toBe(false);
  });

  it.each([
    undefined,
    '',
    '"password"',
    '["password"]',
    '{"properties":["password"]}',
    '{"patternProperties":"password"}',
    '{"properties":{"p":"password"}}',
    '{"writeOnly":',
  ])('is nothing in %s', (json) => {
    const places = secretPlaces(json);
    expect([places.isSecret, places.at('p').isSecret, places.items.isSecret]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
