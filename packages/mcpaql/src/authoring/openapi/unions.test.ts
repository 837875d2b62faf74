import { describe, expect, it } from 'vitest';

import { deskFor } from '../../../../../test/adapters/desk.js';
import { startTarget } from '../../../../../test/adapters/target.js';
import { parseAdapter } from '../../adapter/parse-adapter.js';
import { createAdapterSource } from '../../source/adapter-source.js';
import { generateAdapter } from '../generate/generate-adapter.js';
import { reviewAdapter } from '../imported/review-adapter.js';
import { adapterFromOpenApi } from './import-openapi.js';

/** One reviewed operation with this body and a real target. */
async function withBody(schema: object, components: object = {}) {
  const imported = adapterFromOpenApi(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Unions', version: '1.0.0' },
      servers: [{ url: 'https://unions.example' }],
      components: { schemas: components },
      paths: {
        '/things': {
          post: {
            operationId: 'createThing',
            requestBody: { content: { 'application/json': { schema } } },
            responses: { 200: { description: 'Fine' } },
          },
        },
      },
    }),
  );
  if (!imported.ok) throw new Error(JSON.stringify(imported.report.findings));
  const review = reviewAdapter(imported.adapter, 'a.md');
  const parsed = parseAdapter(review.ok ? review.accept(['create_thing']) : '', 'a.md');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const target = await startTarget();
  const desk = deskFor(createAdapterSource(parsed.adapter, { env: {}, baseUrl: target.origin }));
  return {
    adapter: parsed.adapter,
    target,
    call: (params: object) => desk.ask('create', { operation: 'create_thing', params }),
    async signature() {
      const names = ['create_thing'];
      const { data } = await desk.ask('read', {
        operation: 'introspect',
        params: { names, format: 'compact' },
      });
      return (data as { operations: Record<string, string> }).operations['create_thing'];
    },
  };
}

const ISSUE = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    labels: {
      type: 'array',
      items: {
        oneOf: [
          { type: 'string' },
          {
            type: 'object',
            properties: { name: { type: 'string' }, color: { type: 'string', nullable: true } },
          },
        ],
      },
    },
  },
};

describe('A4: a schema of several forms', () => {
  it('accepts each of them, and refuses other values', async () => {
    const { call, target } = await withBody(ISSUE);
    expect(await call({ title: 'T', labels: ['bug'] })).toMatchObject({ success: true });
    expect(await call({ title: 7, labels: [{ name: 'bug' }, 'new'] })).toMatchObject({
      success: true,
    });
    expect(target.asked.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { title: 'T', labels: ['bug'] },
      { title: 7, labels: [{ name: 'bug' }, 'new'] },
    ]);
    expect((await call({ title: 'T', labels: [5] })).error).toMatchObject({
      code: 'VALIDATION_INVALID_TYPE',
      message: "Parameter 'labels[0]' must be string or object, and is number.",
    });
    expect((await call({ labels: [] })).error?.code).toBe('VALIDATION_MISSING_PARAM');
    expect(target.asked).toHaveLength(2);
  });

  it('shows them in its signature and in generated code', async () => {
    const { adapter, signature } = await withBody(ISSUE);
    expect(await signature()).toBe(
      'create(title: string|integer, labels?: (string|{name?: string, color?: string})[])',
    );
    const code = generateAdapter(adapter).get('src/operations.ts')!;
    expect(code).toContain('readonly title: string | number;');
  });

  it('keeps the required fields of each form of a body', async () => {
    const base = {
      type: 'object',
      required: ['region'],
      properties: { region: { type: 'string' } },
    };
    const { call, target } = await withBody({
      oneOf: [
        {
          allOf: [
            base,
            { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          ],
        },
        {
          allOf: [
            base,
            {
              type: 'object',
              required: ['names'],
              properties: { names: { type: 'array', items: { type: 'string' } } },
            },
          ],
        },
      ],
    });
    expect((await call({ body: { region: 'nyc' } })).error?.message).toMatch(
      /fits none of its 2 forms.*name/,
    );
    expect((await call({ body: { name: 'a' } })).error?.message).toContain('region');
    expect(await call({ body: { region: 'nyc', names: ['a', 'b'] } })).toMatchObject({
      success: true,
    });
    expect(target.asked).toHaveLength(1);
  });

  it('is distinguished by its discriminator', async () => {
    const shape = (property: string) => ({
      type: 'object',
      required: ['kind', property],
      properties: { kind: { type: 'string' }, [property]: { type: 'number' } },
    });
    const { call } = await withBody(
      {
        type: 'object',
        properties: {
          shape: {
            oneOf: [
              { $ref: '#/components/schemas/Circle' },
              { $ref: '#/components/schemas/Square' },
            ],
            discriminator: {
              propertyName: 'kind',
              mapping: { round: '#/components/schemas/Circle' },
            },
          },
        },
      },
      { Circle: shape('radius'), Square: shape('side') },
    );
    expect(await call({ shape: { kind: 'round', radius: 1 } })).toMatchObject({ success: true });
    expect(await call({ shape: { kind: 'Square', side: 1 } })).toMatchObject({ success: true });
    expect((await call({ shape: { kind: 'round', side: 1 } })).error?.message).toContain(
      'shape.radius',
    );
  });

  it('has no separate form for a choice that only narrows it', async () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    const { adapter } = await withBody({
      type: 'object',
      properties,
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    });
    expect([...adapter.operations.get('create_thing')!.params.keys()]).toEqual(['a', 'b']);
  });

  it('of one type with several enums has one enum', async () => {
    const word = (value: string) => ({ type: 'string', enum: [value] });
    const { adapter } = await withBody({
      type: 'object',
      properties: { a: { anyOf: [word('x'), word('y')] } },
    });
    expect(adapter.operations.get('create_thing')!.params.get('a')).toMatchObject({
      enum: ['x', 'y'],
    });
  });

  it('are read once each, although they refer to each other in many ways', () => {
    const names = Array.from({ length: 12 }, (_, n) => `S${n}`);
    const choices = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const schemas = Object.fromEntries(
      names.map((name) => [name, { allOf: choices.slice(0, 3), oneOf: choices, anyOf: choices }]),
    );
    const { ok } = adapterFromOpenApi(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Knots', version: '1.0.0' },
        servers: [{ url: 'https://knots.example' }],
        components: { schemas },
        paths: {
          '/knots': {
            post: {
              requestBody: { content: { 'application/json': { schema: choices[0] } } },
              responses: { 200: { description: 'Fine' } },
            },
          },
        },
      }),
    );
    expect(ok).toBe(true);
  });
});
