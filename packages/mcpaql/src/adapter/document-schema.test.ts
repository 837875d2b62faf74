import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';

import { documentOf } from '../../../../test/adapters/adapters.js';
import { adapterSchema } from './document-schema.js';
import { parseAdapter } from './parse-adapter.js';

const FILE = '../../schema/mcpaql-adapter.schema.json';
const isValid = new Ajv({ strict: false }).compile(adapterSchema());

interface Shape {
  readonly $ref?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly definitions?: Readonly<Record<string, Shape>>;
}

describe('the schema for editors', () => {
  it('is checked in as generated; vitest -u writes it again', async () => {
    await expect(`${JSON.stringify(adapterSchema(), null, 2)}\n`).toMatchFileSnapshot(FILE);
  });

  it('explains every key of an adapter, an operation and a parameter', () => {
    const root = adapterSchema() as Shape;
    const shapes = [root, ...Object.values(root.definitions ?? {})];
    const silent = shapes.flatMap(({ properties = {} }) =>
      Object.entries(properties)
        .filter(([, shape]) => shape.description === undefined && shape.$ref === undefined)
        .map(([key]) => key),
    );
    expect(silent).toEqual([]);
  });
});

describe('schema and loader agree', () => {
  it.each([
    ['an adapter', {}],
    [
      'every way to sign in',
      {
        auth: {
          type: 'oauth2',
          token_url: 'https://x/y',
          client_id_env: 'A',
          client_secret_env: 'B',
        },
      },
    ],
    [
      'a module',
      {
        target: { transport: 'native', module: './x.mjs' },
        operations: { read: [{ name: 'a', maps_to: 'function:a' }] },
      },
    ],
    [
      'nested parameters',
      {
        operations: {
          create: [
            {
              name: 'a',
              maps_to: 'POST /',
              params: {
                x: {
                  type: 'array',
                  items: { type: 'object', properties: { y: { type: 'string', required: true } } },
                },
              },
            },
          ],
        },
      },
    ],
  ])('on a correct document: %s', (_, changes) => {
    const document = documentOf(changes);
    expect(isValid(document), JSON.stringify(isValid.errors)).toBe(true);
    expect(parseAdapter(JSON.stringify(document), 'x.json')).toMatchObject({ ok: true });
  });

  it.each([
    { name: undefined },
    { name: 'A' },
    { type: 'adaptor' },
    { version: 1 },
    { unknown: 1 },
    { target: { transport: 'ftp' } },
    { target: { transport: 'http' } },
    { auth: { type: 'bearer' } },
    { trust: { level: 'high' } },
    { operations: { write: [] } },
    { operations: { read: [{ name: 'a' }] } },
    { operations: { read: [{ name: 'a', maps_to: 'GET /', params: { x: { type: 'text' } } }] } },
    { rate_limits: { api_limits: [{ scope: 'global', limit: 0, window: 'day' }] } },
  ])('on a wrong document: %j', (changes) => {
    const document = JSON.parse(JSON.stringify(documentOf(changes))) as unknown;
    expect(isValid(document)).toBe(false);
    expect(parseAdapter(JSON.stringify(document), 'x.json').ok).toBe(false);
  });
});
