import { describe, expect, it, onTestFinished } from 'vitest';

import { parseAdapter } from '../../adapter/parse-adapter.js';
import { generateAdapter } from '../generate/generate-adapter.js';
import { COMPILER, writePackage } from '../generate/testing/generated-package.js';
import { adapterFromOpenApi } from '../openapi/import-openapi.js';
import { reviewAdapter } from './review-adapter.js';

/** An API of many operations with the same large body: more than 1 MB without shared shapes. */
function largeApi(enumOfFlag: readonly string[] = ['NO', 'DK']): string {
  const words = 'It says what this part of a ship is for. '.repeat(4).trim();
  const part = {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`part${i}`, { type: 'string', description: words }]),
    ),
  };
  const flag = { type: 'string', enum: enumOfFlag };
  const ship = { type: 'object', properties: { hull: part, engine: part, flag, name: flag } };
  const content = { 'application/json': { schema: { type: 'object', properties: { ship } } } };
  const responses = { 200: { description: 'Fine' } };
  const operation = { requestBody: { required: true, content }, responses };
  const paths = Array.from({ length: 80 }, (_, i) => [`/fleet${i}/ships`, { post: operation }]);
  return JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Fleets', version: '1.0.0' },
    servers: [{ url: 'https://fleets.example' }],
    paths: Object.fromEntries(paths) as object,
  });
}

function imported(text: string, previous?: string) {
  const result = adapterFromOpenApi(text, previous === undefined ? {} : { previous });
  if (!result.ok) throw new Error(JSON.stringify(result.report.findings.slice(-3)));
  return result;
}

function operationsOf(text: string) {
  const parsed = parseAdapter(text, 'a.md');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems.slice(0, 3)));
  return [...parsed.adapter.operations.values()];
}

const first = imported(largeApi());

/** The names of the shapes of a file. */
function shapesOf(text: string): string[] {
  const parsed = parseAdapter(text, 'a.md');
  return Object.keys((parsed.ok && (parsed.written['shapes'] as object)) || {});
}

/** A large API whose schemas have names, and refer to each other in the ways that documents use. */
function namedApi(change: object = {}): string {
  const words = 'It says what this part of a ship is for. '.repeat(5).trim();
  const many = (count: number, more: object = {}) => ({
    type: 'object',
    properties: {
      ...Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'string', description: words }]),
      ),
      ...more,
    },
  });
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = {
    'com.example.Engine-Part': many(20),
    Hull: { type: 'object', properties: { ...many(20).properties, inner: ref('Hull') } },
    Flag: { type: 'string', enum: Array.from({ length: 30 }, (_, i) => `FLAG_${i}`) },
    constructor: many(22),
    ...change,
  };
  const inline = many(25);
  const body = {
    type: 'object',
    properties: {
      engine: { description: 'The engine', allOf: [ref('com.example.Engine-Part')] },
      hull: { anyOf: [ref('Hull'), { type: 'object', nullable: true }] },
      spare: ref('Hull'),
      flag: ref('Flag'),
      builder: ref('constructor'),
      crew: inline,
      cargo: { type: 'array', items: many(26) },
      ...Object.fromEntries(['a', 'b', 'c'].map((key) => [key, many(27)])),
    },
  };
  const content = { 'application/json': { schema: body } };
  const operation = { requestBody: { required: true, content }, responses: {} };
  const paths = Array.from({ length: 60 }, (_, i) => [`/fleet${i}/ships`, { post: operation }]);
  return JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Fleets', version: '1.0.0' },
    servers: [{ url: 'https://fleets.example' }],
    paths: Object.fromEntries(paths) as object,
    components: { schemas },
  });
}

describe('shapes are named', () => {
  const { adapter } = imported(namedApi());

  it('after the schemas of the document, else after their keys, and by a hash as the last resort', () => {
    expect(shapesOf(adapter)).toEqual([
      'cargo',
      'com_example_engine_part',
      'constructor_2',
      'crew',
      'flag',
      'hull',
      'hull_2',
      expect.stringMatching(/^object_[0-9a-f]{6}$/),
    ]);
    const [operation] = operationsOf(adapter);
    expect(adapter).toMatch(/^ {8}spare:\n {10}type: object\n {10}shape: hull$/m);
    expect(operation!.params.get('engine')!.properties).toHaveProperty('p19');
    expect(operation!.params.get('engine')!.description).toBe('The engine');
  });

  it('in the same way at every import, independent of the order of the document', () => {
    expect(imported(namedApi()).adapter).toBe(adapter);
    const { paths, ...rest } = JSON.parse(namedApi()) as { paths: object };
    const reversed = Object.fromEntries(Object.entries(paths).toReversed());
    const other = imported(JSON.stringify({ ...rest, paths: reversed })).adapter;
    expect(shapesOf(other)).toEqual(shapesOf(adapter));
  });

  it('so that a changed schema keeps its name, and names of an earlier import stay', () => {
    const changed = imported(
      namedApi({
        Flag: { type: 'string', enum: Array.from({ length: 31 }, (_, i) => `FLAG_${i}`) },
      }),
      adapter,
    ).adapter;
    expect(shapesOf(changed)).toEqual(shapesOf(adapter));
    expect(changed).toContain('FLAG_30');
    const older = adapter.replaceAll(/\bcrew\b(?=:\n {4}type|$)/gm, 'object_abcdef');
    expect(shapesOf(older)).toContain('object_abcdef');
    expect(imported(namedApi(), older).adapter).toBe(older);
  });
});

describe('A6: a large import writes each shape once', () => {
  it('in a small file, and every operation has its whole shape', () => {
    expect(first.adapter).toContain('\nshapes:\n');
    expect(first.adapter.length).toBeLessThan(100_000);
    const operations = operationsOf(first.adapter);
    expect(operations).toHaveLength(80);
    for (const { params } of operations) {
      const { properties } = params.get('ship')!;
      expect(Object.keys(properties!['engine']!.properties!)).toHaveLength(40);
      expect(properties!['flag']!.enum).toEqual(['NO', 'DK']);
    }
  });

  it('the same document gives the same text, even over the existing file', () => {
    expect(imported(largeApi()).adapter).toBe(first.adapter);
    expect(imported(largeApi(), first.adapter).adapter).toBe(first.adapter);
  });

  it('a manual change of a shape stays after the next import', () => {
    const edited = first.adapter.replace('- NO\n', '- SE\n');
    expect(edited).not.toBe(first.adapter);
    const again = imported(largeApi(), edited);
    const [operation] = operationsOf(again.adapter);
    expect(operation!.params.get('ship')!.properties!['flag']!.enum).toEqual(['SE', 'DK']);
    expect(again.adapter).toBe(edited);
  });

  it('a review covers the content: it stays valid for equal content, and is invalid if a shape changes', () => {
    const review = reviewAdapter(first.adapter, 'a.md');
    if (!review.ok) throw new Error(JSON.stringify(review.problems));
    const accepted = review.accept(review.pending.map(({ name }) => name));
    expect(operationsOf(accepted).every(({ isReviewed }) => isReviewed)).toBe(true);
    const same = imported(largeApi(), accepted).adapter;
    expect(operationsOf(same).every(({ isReviewed }) => isReviewed)).toBe(true);
    const changed = imported(largeApi(['NO', 'DK', 'FI']), accepted).adapter;
    expect(operationsOf(changed).some(({ isReviewed }) => isReviewed)).toBe(false);
    const edited = accepted.replace('- NO\n', '- SE\n');
    expect(operationsOf(edited).some(({ isReviewed }) => isReviewed)).toBe(false);
  });

  it('a generated package has a type for each shape, and compiles', async () => {
    const files = generateAdapter(first.resolved);
    const types = files.get('src/operations.ts')!;
    expect(types).toMatch(/^export type Shape_object_[0-9a-f]{6} = \{$/m);
    expect(types).toMatch(/readonly ship\?: Shape_object_[0-9a-f]{6};/);
    expect(types.length + files.get('adapter.json')!.length).toBeLessThan(200_000);
    const written = await writePackage(files);
    onTestFinished(() => written.remove());
    expect(await written.run(COMPILER, '--noEmit')).toBe('');
  });
});
