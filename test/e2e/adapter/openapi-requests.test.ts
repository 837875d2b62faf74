/** Requests in every style, at every place, as independent validators read them: `npm run openapi-requests`, in small. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { beforeAll, describe, expect, it } from 'vitest';

import { installFolder } from '../../../scripts/install-folder.mjs';
import { VALIDATORS } from '../../../scripts/openapi-requests/arguments.mjs';
import { judgesFor, type Received } from '../../../scripts/openapi-requests/judges.mjs';
import { serveDocument } from '../../../scripts/openapi-requests/served.mjs';

type Place = 'path' | 'query' | 'header' | 'cookie';

const OK = { 200: { description: 'Fine' } };
const NUMBERS = { type: 'integer' };
const VALUES = {
  text: [{ type: 'string' }, 'a-b'],
  number: [{ type: 'number' }, 2.5],
  flag: [{ type: 'boolean' }, true],
  texts: [{ type: 'array', items: { type: 'string' } }, ['red', 'blue']],
  numbers: [{ type: 'array', items: NUMBERS }, [3, 5, 8]],
  one: [{ type: 'array', items: NUMBERS }, [3]],
  keys: [
    { type: 'object', additionalProperties: NUMBERS },
    { red: 100, blue: 200 },
  ],
  parts: [
    { type: 'object', properties: { red: NUMBERS, blue: { type: 'string' } } },
    { red: 100, blue: 'x' },
  ],
} as const;
type Kind = keyof typeof VALUES;

const SINGLE: readonly Kind[] = ['text', 'number', 'flag'];
const LISTS: readonly Kind[] = ['texts', 'numbers', 'one'];
const OBJECTS: readonly Kind[] = ['keys', 'parts'];
const ALL: readonly Kind[] = [...SINGLE, ...LISTS, ...OBJECTS];

/** What OpenAPI 3.0 defines. `undefined`: not said. */
const STYLES: readonly (readonly [
  Place,
  string | undefined,
  boolean | undefined,
  readonly Kind[],
])[] = [
  ...(['simple', 'label', 'matrix', undefined] as const).flatMap((style) =>
    [true, false, undefined].map((explode) => ['path', style, explode, ALL] as const),
  ),
  ...(['simple', undefined] as const).flatMap((style) =>
    [true, false, undefined].map((explode) => ['header', style, explode, ALL] as const),
  ),
  ...(['form', undefined] as const).flatMap((style) =>
    [true, false, undefined].map((explode) => ['query', style, explode, ALL] as const),
  ),
  ...(['spaceDelimited', 'pipeDelimited'] as const).flatMap((style) => [
    ['query', style, true, LISTS] as const,
    ['query', style, false, LISTS] as const,
    ['query', style, undefined, LISTS] as const,
  ]),
  ['query', 'deepObject', true, OBJECTS],
  ['cookie', 'form', true, SINGLE],
  // Cookies that are exploded are in the tests of the import: no validator reads them.
  ['cookie', 'form', false, ALL],
  ['cookie', undefined, undefined, SINGLE],
];

const CASES = STYLES.flatMap(([place, style, explode, kinds]) =>
  kinds.map((kind) => ({ place, style, explode, kind })),
);

/** A document with one operation for each case. */
function documentOf(version: string, paths: object): Readonly<Record<string, unknown>> {
  const isOld = version === '2.0';
  return {
    ...(isOld ? { swagger: version, host: 'styles.example' } : { openapi: version }),
    info: { title: 'Styles', version: '1' },
    ...(isOld ? {} : { servers: [{ url: 'https://styles.example' }] }),
    paths,
  };
}

/** Sends the values, and returns the request and what the validators say about it. */
async function comparing(definition: Readonly<Record<string, unknown>>) {
  const served = (await serveDocument(JSON.stringify(definition)))!;
  const judge = await judgesFor(definition);
  const operationNamed = (name: string) => served.operations.find((each) => each.name === name)!;

  async function compare(name: string, value: unknown) {
    const { params } = operationNamed(name);
    // The parts of an object in a query are parameters of their own.
    const given = params.has('v')
      ? { v: value }
      : Object.fromEntries(
          Object.entries(value as object).map(([key, part]) => {
            return [[`v_${key}`, key].find((each) => params.has(each))!, part as unknown];
          }),
        );
    const { request, error } = await served.send(name, given);
    expect(error).toBeUndefined();
    return { request: request!, ...(await judge(served.sourceOf(name)!, request!)) };
  }

  return { compare, judge, served };
}

/** What `openapi-police` reads. It is loaded from the folder of the validators. */
async function objectIn(parameter: object, text: string): Promise<unknown> {
  const file = createRequire(join(VALIDATORS, 'package.json')).resolve('openapi-police');
  const { ParameterObject } = (await import(pathToFileURL(file).href)) as {
    ParameterObject: new (parameter: object) => { validate(text: string): Promise<unknown> };
  };
  return new ParameterObject(parameter).validate(text);
}

beforeAll(() => {
  expect(installFolder(VALIDATORS)).toBeUndefined();
});

describe('a parameter of OpenAPI 3.0', () => {
  it(`is read as it was given, in all ${CASES.length} ways to write one (B8)`, async () => {
    const paths = CASES.map(({ place, style, explode, kind }, i): [string, object] => [
      place === 'path' ? `/at${i}/{v}` : `/at${i}`,
      {
        get: {
          operationId: `get_${i}`,
          parameters: [
            {
              name: 'v',
              in: place,
              required: true,
              schema: VALUES[kind][0],
              ...(style === undefined ? {} : { style }),
              ...(explode === undefined ? {} : { explode }),
            },
          ],
          responses: OK,
        },
      },
    ]);
    const { compare, served } = await comparing(documentOf('3.0.3', Object.fromEntries(paths)));
    try {
      for (const [i, { place, style, explode, kind }] of CASES.entries()) {
        const value = VALUES[kind][1];
        const { accepts, errors, decoded, request } = await compare(`get_${i}`, value);
        const found = decoded?.[place === 'header' ? 'headers' : place]?.['v'];
        const way = `${place} ${style} ${explode} ${kind}: ${request.url} ${request.headers['v'] ?? ''}`;
        expect([way, errors.filter(({ by }) => by === 'openapi-enforcer'), found]).toEqual([
          way,
          [],
          value,
        ]);
        expect(accepts).toContain('openapi-enforcer');
      }
    } finally {
      await served.close();
    }
  });

  // Before 3.0.4 only lists have these styles, so this validator is another one.
  it.each([
    ['spaceDelimited', 'keys', false],
    ['spaceDelimited', 'parts', undefined],
    ['pipeDelimited', 'keys', undefined],
    ['pipeDelimited', 'parts', false],
  ] as const)('is an object in the style %s: %s, explode %s (B8)', async (style, kind, explode) => {
    const [schema, value] = VALUES[kind];
    const exploding = explode === undefined ? {} : { explode };
    const parameter = { name: 'v', in: 'query', required: true, style, ...exploding, schema };
    const get = { operationId: 'get_it', parameters: [parameter], responses: OK };
    const served = (await serveDocument(JSON.stringify(documentOf('3.1.0', { '/at': { get } }))))!;
    try {
      const { request } = await served.send('get_it', { v: value });
      const [pair, ...others] = request!.url.split('?')[1]!.split('&');
      expect([pair, others]).toEqual([expect.stringMatching(/^v=/), []]);
      expect(await objectIn(parameter, decodeURIComponent(pair!.slice(2)))).toEqual(value);
    } finally {
      await served.close();
    }
  });

  it('is refused by the validators if it is written in another way', async () => {
    const list = { name: 'v', in: 'query', style: 'pipeDelimited', schema: VALUES.numbers[0] };
    const get = { operationId: 'get_it', parameters: [{ ...list, explode: false }], responses: OK };
    const { compare, judge, served } = await comparing(documentOf('3.0.3', { '/pipe': { get } }));
    try {
      const { accepts, request } = await compare('get_it', VALUES.numbers[1]);
      expect(accepts).toEqual(['openapi-enforcer', 'openapi-backend']);
      const spaces: Received = { ...request, url: request.url.replaceAll('%7C', '%20') };
      expect((await judge('GET /pipe', spaces)).accepts).toEqual([]);
      const elsewhere = await judge('GET /pipe', { ...request, url: '/pipes?v=3%7C5' });
      expect(elsewhere.refuses).toEqual(['path']);
    } finally {
      await served.close();
    }
  });
});

describe('a parameter of OpenAPI 2.0', () => {
  it.each(['csv', 'ssv', 'tsv', 'pipes', 'multi', undefined])(
    'is a list in the format %s',
    async (collectionFormat) => {
      const list = {
        name: 'v',
        in: 'query',
        type: 'array',
        items: { type: 'integer' },
        ...(collectionFormat ? { collectionFormat } : {}),
      };
      const get = { operationId: 'get_it', parameters: [list], responses: OK };
      const { compare, served } = await comparing(documentOf('2.0', { '/at': { get } }));
      try {
        const { accepts, decoded, errors } = await compare('get_it', [3, 5, 8]);
        expect([errors, decoded?.['query']?.['v']]).toEqual([[], [3, 5, 8]]);
        expect(accepts).toEqual(['openapi-enforcer']);
      } finally {
        await served.close();
      }
    },
  );
});

describe('a body', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      length: { type: 'integer', minimum: 1 },
      tags: { type: 'array', items: { type: 'string' } },
      flag: { type: 'object', properties: { state: { type: 'string' } } },
    },
  };

  it.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'of the type %s is as both validators expect',
    async (type) => {
      const post = {
        operationId: 'make_it',
        requestBody: { required: true, content: { [type]: { schema } } },
        responses: OK,
      };
      const { judge, served } = await comparing(documentOf('3.0.3', { '/at': { post } }));
      try {
        const given = { name: 'a b&c=ü', length: 7, tags: ['x', 'y'], flag: { state: 'NO' } };
        const { request } = await served.send('make_it', given);
        const { accepts, errors } = await judge('POST /at', request!);
        expect([errors, accepts]).toEqual([[], ['openapi-enforcer', 'openapi-backend']]);
        const without: Received = {
          ...request!,
          body: Buffer.from(request!.body.toString().replace(/(?<=")name(?=")|^name(?==)/, 'nome')),
        };
        expect((await judge('POST /at', without)).refuses).toHaveLength(2);
      } finally {
        await served.close();
      }
    },
  );
});
