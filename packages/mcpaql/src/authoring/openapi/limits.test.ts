import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

import { api, OK, tried } from '../../../../../test/adapters/imported-api.js';
import { operationInfo } from '../../introspect/operation-info.js';
import { signatureOf } from '../../introspect/signature.js';

const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 9 });

/** An API with one operation, whose body has one field. */
function withField(schema: object, version = '3.1.0'): string {
  const body = { type: 'object', required: ['v'], properties: { v: schema } };
  const content = { 'application/json': { schema: body } };
  const post = { operationId: 'makeOne', requestBody: { required: true, content }, responses: OK };
  return api({ '/ones': { post } }, { openapi: version });
}

const NUMBER = { type: 'number' };
const TEXT = { type: 'string' };

/** A schema, values that fit it, values that do not, and the codes of the errors. */
const ROWS: readonly (readonly [
  schema: object,
  good: readonly unknown[],
  bad: readonly (readonly [value: unknown, code: string])[],
])[] = [
  [
    { ...NUMBER, exclusiveMinimum: 0, exclusiveMaximum: 1 },
    [0.5],
    [
      [0, 'OUT_OF_RANGE'],
      [1, 'OUT_OF_RANGE'],
    ],
  ],
  [{ type: 'integer', minimum: 1, exclusiveMinimum: 3 }, [4], [[3, 'OUT_OF_RANGE']]],
  [
    { ...NUMBER, multipleOf: 0.1 },
    [0.3, 12.7, -0.1, 0],
    [
      [0.35, 'OUT_OF_RANGE'],
      [1e-9, 'OUT_OF_RANGE'],
    ],
  ],
  [{ type: 'integer', multipleOf: 15 }, [30], [[31, 'OUT_OF_RANGE']]],
  [{ type: 'boolean', enum: [true] }, [true], [[false, 'INVALID_ENUM']]],
  [
    { ...TEXT, minLength: 2, maxLength: 3 },
    ['⚓⚓', '🚢🚢🚢'],
    [
      ['🚢', 'OUT_OF_RANGE'],
      ['⚓⚓⚓⚓', 'OUT_OF_RANGE'],
    ],
  ],
  [
    { type: 'array', uniqueItems: true },
    [[], [1, '1', [1], { a: 1 }]],
    [
      [[1, 2, 1], 'INVALID_VALUE'],
      [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        'INVALID_VALUE',
      ],
    ],
  ],
  [
    { type: 'array', prefixItems: [NUMBER, TEXT], items: { type: 'boolean' } },
    [[], [1], [1, 'a'], [1, 'a', true, false]],
    [
      [['a'], 'INVALID_TYPE'],
      [[1, 2], 'INVALID_TYPE'],
      [[1, 'a', 'b'], 'INVALID_TYPE'],
    ],
  ],
  [
    { prefixItems: [NUMBER, NUMBER], items: false, minItems: 2 },
    [[1, 2]],
    [
      [[1], 'OUT_OF_RANGE'],
      [[1, 2, 3], 'OUT_OF_RANGE'],
    ],
  ],
  [
    { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
    [{}, { a: 1, b: 2 }],
    [
      [{ a: 'x' }, 'INVALID_TYPE'],
      [{ a: 1, b: 0 }, 'OUT_OF_RANGE'],
    ],
  ],
  [
    { type: 'object', properties: { a: TEXT }, additionalProperties: NUMBER },
    [{ a: 'x', b: 1 }],
    [
      [{ a: 1 }, 'INVALID_TYPE'],
      [{ b: 'x' }, 'INVALID_TYPE'],
    ],
  ],
  [
    { type: 'object', additionalProperties: { type: 'array', items: TEXT, maxItems: 1 } },
    [{ a: ['x'] }],
    [
      [{ a: [1] }, 'INVALID_TYPE'],
      [{ a: ['x', 'y'] }, 'OUT_OF_RANGE'],
    ],
  ],
  [
    { type: 'object', additionalProperties: true, minProperties: 1, maxProperties: 2 },
    [{ a: 1 }],
    [
      [{}, 'OUT_OF_RANGE'],
      [{ a: 1, b: 2, c: 3 }, 'OUT_OF_RANGE'],
    ],
  ],
  [{ type: 'object', additionalProperties: false }, [{}], [[{ a: 1 }, 'UNKNOWN_FIELD']]],
  [
    {
      type: 'object',
      properties: { a: TEXT },
      patternProperties: { '^x-': {} },
      additionalProperties: false,
    },
    [{ a: 'b', 'x-c': 1 }],
    [[{ a: 1 }, 'INVALID_TYPE']],
  ],
  [
    { type: 'array', items: { type: 'string', pattern: '^[A-Z]{2}$' }, maxItems: 2 },
    [['NO', 'SE']],
    [
      [['no'], 'PATTERN_MISMATCH'],
      [['NO', 'SE', 'DK'], 'OUT_OF_RANGE'],
    ],
  ],
];

describe('a limit of the document', () => {
  it.each(ROWS)('B19: %j is checked before a request', async (schema, good, bad) => {
    const { ask, target } = await tried(withField(schema));
    const isValid = ajv.compile(schema);
    for (const v of good) {
      expect(await ask('make_one', { v }), JSON.stringify(v)).toMatchObject({ success: true });
      expect(isValid(v)).toBe(true);
      expect(JSON.parse(target.asked.at(-1)!.body)).toEqual({ v });
    }
    for (const [v, code] of bad) {
      const { error } = await ask('make_one', { v });
      expect(error?.code, JSON.stringify(v)).toBe(`VALIDATION_${code}`);
      expect(isValid(v)).toBe(false);
    }
    expect(target.asked).toHaveLength(good.length);
  });

  it('B19: may be exclusive as in 3.0', async () => {
    const schema = { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1 };
    const { ask } = await tried(withField(schema, '3.0.3'));
    expect(await ask('make_one', { v: 1 })).toMatchObject({ success: true });
    expect((await ask('make_one', { v: 0 })).error).toMatchObject({
      code: 'VALIDATION_OUT_OF_RANGE',
      message: "Parameter 'v': the number must be above 0, and is 0.",
      details: { exclusive_minimum: 0, actual: 0 },
    });
  });

  it('B19: may be a list of first elements, as before 3.1', async () => {
    const schema = { type: 'array', items: [NUMBER, TEXT], additionalItems: false };
    const { ask } = await tried(withField(schema, '3.0.3'));
    expect(await ask('make_one', { v: [1, 'a'] })).toMatchObject({ success: true });
    expect((await ask('make_one', { v: [1, 2] })).error?.code).toBe('VALIDATION_INVALID_TYPE');
    expect((await ask('make_one', { v: [1, 'a', 2] })).error?.code).toBe('VALIDATION_OUT_OF_RANGE');
  });

  it('B19: that no value can meet is dropped', async () => {
    for (const limits of [
      { exclusiveMinimum: 1, maximum: 1 },
      { exclusiveMinimum: 2, exclusiveMaximum: 1 },
      { multipleOf: 0 },
      { multipleOf: -2 },
    ]) {
      const { ask } = await tried(withField({ ...NUMBER, ...limits }));
      expect(await ask('make_one', { v: 1.5 }), JSON.stringify(limits)).toMatchObject({
        success: true,
      });
    }
  });

  it('B19: of a cookie is checked, and the cookie is sent', async () => {
    const cookie = (name: string, schema: object, more: object = {}) => ({
      name,
      in: 'cookie',
      schema,
      ...more,
    });
    const parameters = [
      cookie('level', { type: 'integer', exclusiveMinimum: 0 }),
      cookie('tags', { type: 'array', items: TEXT, uniqueItems: true }, { explode: false }),
    ];
    const { ask, target } = await tried(
      api({ '/ones': { get: { operationId: 'listOnes', parameters, responses: OK } } }),
    );
    await ask('list_ones', { level: 2, tags: ['a', 'b'] });
    expect(target.asked[0]!.headers['cookie']).toBe('level=2; tags=a,b');
    expect((await ask('list_ones', { level: 0 })).error?.code).toBe('VALIDATION_OUT_OF_RANGE');
    expect((await ask('list_ones', { tags: ['a', 'a'] })).error?.code).toBe(
      'VALIDATION_INVALID_VALUE',
    );
    expect(target.asked).toHaveLength(1);
  });

  it('B19: is shown to the model', async () => {
    const properties = {
      at: { prefixItems: [NUMBER, NUMBER], items: false },
      depth: { ...NUMBER, exclusiveMinimum: 0, multipleOf: 0.5 },
      crew: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
    };
    const { adapter } = await tried(withField({ type: 'object', properties }));
    const info = operationInfo(adapter.operations.get('make_one')!, 'x', new Map());
    expect(info.parameters[0]).toMatchObject({
      properties: {
        at: { type: 'array', prefixItems: [NUMBER, NUMBER], maxItems: 2 },
        depth: { exclusiveMinimum: 0, multipleOf: 0.5 },
        crew: { additionalProperties: { type: 'integer', minimum: 1 } },
      },
    });
    expect(signatureOf(info)).toBe(
      '(v: {at?: [number, number], depth?: number >0.., crew?: {[key]: integer 1..}})',
    );
  });
});
