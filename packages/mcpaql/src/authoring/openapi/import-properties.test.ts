import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseAdapter } from '../../adapter/parse-adapter.js';
import { adapterFromOpenApi } from './import-openapi.js';

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];
const NAMES = [
  'id',
  'ship',
  'ID',
  'ship-id',
  'page',
  'limit',
  '__proto__',
  'constructor',
  'name',
  'é',
  '',
  ' ',
];
const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 12 }));
const scalar = fc.oneof(fc.string({ maxLength: 8 }), fc.double(), fc.boolean(), fc.constant(null));
const type = fc.constantFrom(
  'string',
  'integer',
  'number',
  'boolean',
  'array',
  'object',
  'null',
  'file',
  7,
);

/** Schemas as found in practice: valid, invalid, recursive, and with unusual keys. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(
      { $ref: '#/components/schemas/A' },
      { $ref: '#/components/schemas/B' },
      { $ref: '#/nowhere' },
      { $ref: 'https://x.example/y' },
    ),
    fc.record(
      {
        type: fc.oneof(type, fc.array(type, { maxLength: 3 })),
        description: fc.string({ maxLength: 30 }),
        enum: fc.array(scalar, { maxLength: 4 }),
        default: scalar,
        minimum: fc.oneof(fc.double(), fc.string()),
        maximum: fc.double(),
        minLength: fc.integer({ min: -2, max: 9 }),
        maxLength: fc.integer({ min: -2, max: 9 }),
        pattern: fc.oneof(fc.constantFrom('^a$', '(', '(?P<x>y)'), fc.string({ maxLength: 6 })),
        format: fc.string({ maxLength: 8 }),
        nullable: fc.boolean(),
        items: tie('schema'),
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
        required: fc.array(name, { maxLength: 3 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        allOf: fc.array(tie('schema'), { maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
    scalar,
  ),
}));

const parameter = fc.record(
  {
    name,
    in: fc.constantFrom('path', 'query', 'header', 'cookie', 'body', 'formData', 'elsewhere'),
    required: fc.boolean(),
    schema,
    type,
    style: fc.constantFrom('form', 'deepObject', 'pipeDelimited', 'simple'),
    explode: fc.boolean(),
    collectionFormat: fc.constantFrom('csv', 'multi', 'pipes', 'tsv'),
    description: fc.string({ maxLength: 30 }),
  },
  { requiredKeys: ['name', 'in'] },
);

const content = fc.dictionary(
  fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'text/plain',
    '*/*',
  ),
  fc.record({ schema }, { requiredKeys: [] }),
  { maxKeys: 2 },
);

const operation = fc.record(
  {
    operationId: name,
    summary: fc.string({ maxLength: 40 }),
    parameters: fc.array(parameter, { maxLength: 4 }),
    requestBody: fc.record({ required: fc.boolean(), content }, { requiredKeys: [] }),
    responses: fc.dictionary(
      fc.constantFrom('200', '2XX', '404', 'default'),
      fc.record({ content }, { requiredKeys: [] }),
      { maxKeys: 2 },
    ),
    deprecated: fc.boolean(),
    security: fc.constantFrom([{ key: [] }], [{}], 'none'),
  },
  { requiredKeys: [] },
);

const path = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'ships',
        '{id}',
        'search',
        '{ship-id}',
        '..',
        'a b',
        '{',
        'x:run',
        '%2e',
        '#',
      ),
      fc.string({ maxLength: 6 }),
    ),
    { maxLength: 4 },
  )
  .map((segments) => `/${segments.join('/')}`);

const documents = fc
  .record({
    version: fc.constantFrom({ openapi: '3.0.3' }, { openapi: '3.1.0' }, { swagger: '2.0' }),
    title: name,
    server: fc.oneof(
      fc.constantFrom('https://a.example', '/v1', 'http://b.example/{x}'),
      fc.string({ maxLength: 20 }),
    ),
    paths: fc.dictionary(
      path,
      fc.dictionary(fc.constantFrom(...METHODS), operation, { maxKeys: 3 }),
      { maxKeys: 4 },
    ),
    schemas: fc.record({ A: schema, B: schema }),
    scheme: fc.record({
      type: fc.constantFrom('apiKey', 'http', 'oauth2', 'basic', 'openIdConnect', 'else'),
      name,
      in: fc.constantFrom('header', 'query', 'cookie'),
      scheme: fc.constantFrom('bearer', 'basic', 'digest'),
    }),
  })
  .map(({ version, title, server, paths, schemas, scheme }) => ({
    ...version,
    info: { title, version: '1' },
    host: 'swagger.example',
    servers: [{ url: server }],
    paths,
    components: { schemas, securitySchemes: { key: scheme } },
    securityDefinitions: { key: scheme },
  }));

describe('generated documents', () => {
  it('never cause an exception, give the same result twice, and load', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = JSON.stringify(document);
        const result = adapterFromOpenApi(text);
        expect(adapterFromOpenApi(text)).toEqual(result);
        if (result.ok) expect(parseAdapter(result.adapter, 'a.md')).toMatchObject({ ok: true });
        // The only reason to fail is that nothing could be imported.
        else
          expect(result.report.findings.filter(({ kind }) => kind === 'failed')).toEqual([
            expect.objectContaining({ message: expect.stringContaining('No operation') as string }),
          ]);
      }),
      { numRuns: 120 },
    );
  });

  it('have every operation imported or reported', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const { report } = adapterFromOpenApi(JSON.stringify(document));
        const landed = new Set(report.operations.map(({ source }) => source));
        const reported = report.findings
          .filter(({ kind }) => kind === 'left-out')
          .map(({ message }) => message);
        for (const [line, methods] of Object.entries(document.paths)) {
          for (const method of Object.keys(methods)) {
            const source = `${method.toUpperCase()} ${line}`;
            const isSaid = reported.some((message) =>
              message.startsWith(`${source.slice(0, 200)} was left out`),
            );
            expect([source, landed.has(source) || isSaid]).toEqual([source, true]);
          }
        }
      }),
      { numRuns: 120 },
    );
  });

  it('cause no change when imported again', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = JSON.stringify(document);
        const first = adapterFromOpenApi(text);
        if (!first.ok) return;
        const second = adapterFromOpenApi(text, { previous: first.adapter });
        expect(second.ok && second.adapter).toBe(first.adapter);
      }),
      { numRuns: 60 },
    );
  });

  it('can be any text, which gets an answer and no exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), (text) => {
        expect(adapterFromOpenApi(text).ok).toBe(false);
      }),
    );
  });

  it('with extreme nesting or multiplying aliases are refused', () => {
    const deep = `openapi: 3.0.0\npaths: ${'['.repeat(20_000)}`;
    expect(adapterFromOpenApi(deep).ok).toBe(false);
    const laughs = Array.from(
      { length: 12 },
      (_, i) =>
        `a${i}: &a${i} [${Array(10)
          .fill(i === 0 ? 'x' : `*a${i - 1}`)
          .join(', ')}]`,
    );
    expect(adapterFromOpenApi(`openapi: 3.0.0\n${laughs.join('\n')}`).ok).toBe(false);
  });
});
