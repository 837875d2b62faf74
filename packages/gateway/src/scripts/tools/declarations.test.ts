import { describe, expect, it } from 'vitest';

import { typeOf } from './declarations.js';

describe('the type of a schema', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 2] }, '"a" | 2'],
    [{ const: 'x' }, '"x"'],
    [{ type: 'array', items: { type: 'boolean' } }, 'Array<boolean>'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [
      { properties: { a: { type: 'string' }, 'b-c': {} }, required: ['a'] },
      '{ a: string; "b-c"?: unknown }',
    ],
    [{ $ref: '#/x' }, 'unknown'],
    [true, 'unknown'],
  ])('%j is %s', (schema, type) => {
    expect(typeOf(schema, 0)).toBe(type);
  });

  it('ends where a schema is nested without end', () => {
    const schema: Record<string, unknown> = { type: 'array' };
    schema['items'] = schema;
    expect(typeOf(schema, 0)).toContain('unknown');
  });
});
