import { describe, expect, it } from 'vitest';

import { madeArguments } from './made-arguments.js';

const made = (schema: unknown): unknown => JSON.parse(madeArguments(schema));

describe('arguments made from a schema', () => {
  it('fill in what is required', () => {
    const properties = {
      url: { type: 'string' },
      path: { type: 'string' },
      when: { type: 'string', format: 'date-time' },
      kind: { enum: ['a', 'b'] },
      count: { type: 'integer', minimum: 5 },
      size: { type: ['null', 'number'], exclusiveMinimum: 2 },
      all: { type: 'boolean' },
      ids: { type: 'array', items: { type: 'string' }, minItems: 1 },
      given: { type: 'string', default: 'x' },
      nested: { type: 'object', properties: { a: { const: 3 } }, required: ['a'] },
    };
    const required = Object.keys(properties);
    expect(made({ type: 'object', properties: { ...properties, not: {} }, required })).toEqual({
      url: 'https://example.com/',
      path: '.',
      when: '2026-01-15T10:00:00Z',
      kind: 'a',
      count: 5,
      size: 3,
      all: false,
      ids: ['example'],
      given: 'x',
      nested: { a: 3 },
    });
  });

  it('follow links and choices, but not forever', () => {
    const loop = { $ref: '#/definitions/a' };
    const schema = {
      definitions: { a: { type: 'object', properties: { a: loop }, required: ['a'] } },
      properties: { a: loop, b: { anyOf: [{ type: 'null' }, { type: 'number' }] } },
      required: ['a', 'b'],
    };
    expect(made(schema)).toMatchObject({ b: 1 });
  });

  it.each([undefined, null, 7, 'x', [], {}, { required: 7 }, { required: ['a'] }])(
    'are an object for %j',
    (schema) => {
      expect(made(schema)).toBeTypeOf('object');
    },
  );
});
