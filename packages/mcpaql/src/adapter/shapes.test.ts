import { describe, expect, it } from 'vitest';

import { documentOf } from '../../../../test/adapters/adapters.js';
import { readAdapter, writeAdapter } from '../runtime/adapter-json.js';
import type { Param } from './adapter.js';
import type { ValueShape } from './adapter-document.js';
import { createLinker } from './link-shapes.js';
import { type AdapterResult, parseAdapter } from './parse-adapter.js';
import { shareShapes } from './share-shapes.js';

const BERTH: ValueShape = {
  type: 'object',
  properties: {
    id: { type: 'string', required: true },
    kind: { type: 'string', enum: ['quay', 'buoy'] },
  },
};

/** An adapter whose operation `book` has these parameters. */
function adapterWith(params: object, shapes?: object): AdapterResult {
  const operations = { create: [{ name: 'book', maps_to: 'POST /bookings', params }] };
  const document = documentOf({ operations, ...(shapes ? { shapes } : {}) });
  return parseAdapter(JSON.stringify(document), 'a.yaml');
}

function problemsOf(params: object, shapes: object): string[] {
  const result = adapterWith(params, shapes);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path} ${message}`);
}

describe('shapes that a file defines once', () => {
  it('give the same adapter as shapes at every place', () => {
    const place = { description: 'Where to', nullable: true, required: true, in: 'body' };
    const out = adapterWith({
      to: { ...BERTH, ...place },
      via: { type: 'array', items: BERTH, max_items: 3 },
      either: { type: 'union', one_of: [BERTH, { type: 'string' }], default: 'A1' },
    });
    const shared = adapterWith(
      {
        to: { type: 'object', shape: 'berth', ...place },
        via: { type: 'array', items: { type: 'object', shape: 'berth' }, max_items: 3 },
        either: { type: 'union', shape: 'berth_or_name', default: 'A1' },
      },
      {
        berth: BERTH,
        berth_or_name: {
          type: 'union',
          one_of: [{ type: 'object', shape: 'berth' }, { type: 'string' }],
        },
      },
    );
    expect(out.ok).toBe(true);
    expect(shared.ok && shared.adapter).toEqual(out.ok && out.adapter);
  });

  it.each([
    ['no shape', { a: { type: 'object', shape: 'none' } }, {}, 'is not a shape of this file'],
    [
      'a pattern that is none',
      { a: { type: 'string', shape: 'code' } },
      { code: { type: 'string', pattern: '((' } },
      'shapes.code.pattern is not a regular expression',
    ],
    [
      'another type',
      { a: { type: 'string', shape: 'berth' } },
      { berth: BERTH },
      'differs from the type of',
    ],
    [
      'more than the place says',
      { a: { type: 'object', shape: 'berth', additional_properties: true } },
      { berth: BERTH },
      'belongs to the shape "berth"',
    ],
    [
      'a shape in itself',
      {},
      {
        a: { type: 'array', items: { type: 'array', shape: 'b' } },
        b: { type: 'array', items: { type: 'array', shape: 'a' } },
      },
      'contains itself',
    ],
    ['null', {}, { berth: { ...BERTH, nullable: true } }, 'cannot be part of a named shape'],
    ['a union without forms', {}, { berth: { type: 'union' } }, 'is a union without forms'],
  ])('%s is a problem', (_, params, shapes, message) => {
    expect(problemsOf(params, shapes).join('\n')).toContain(message);
  });

  it('a few shapes that would fill the memory are refused at once', () => {
    const twice = (name: string): object => ({
      type: 'object',
      properties: { x: { type: 'object', shape: name }, y: { type: 'object', shape: name } },
    });
    const doubled = Array.from({ length: 60 }, (_, i) => [`s${i}`, twice(`s${i + 1}`)] as const);
    const chain = Array.from({ length: 300 }, (_, i) => {
      return [`s${i}`, { type: 'array', items: { type: 'array', shape: `s${i + 1}` } }] as const;
    });
    for (const [list, end] of [
      [doubled, BERTH],
      [chain, { type: 'array' }],
    ] as const) {
      const shapes = Object.fromEntries([...list, [`s${list.length}`, end]]);
      const params = { a: { type: list === doubled ? 'object' : 'array', shape: 's0' } };
      expect(problemsOf(params, shapes).join('\n')).toContain('more than 10000 parts');
    }
  });
});

describe('shareShapes', () => {
  const words = Array.from({ length: 50 }, (_, i) => `number ${i} of the quays`);
  const quay: ValueShape = { type: 'object', properties: { at: { type: 'string', enum: words } } };
  const part = (i: number): ValueShape => ({
    type: 'object',
    description: `Part ${i}`,
    properties: {
      quay: { ...quay, ...(i % 2 === 0 ? { required: true } : {}), description: `Quay ${i}` },
      count: { type: 'integer', minimum: i % 7 },
    },
  });
  const roots = Array.from({ length: 1000 }, (_, i) => part(i));

  it('writes repeated shapes once, and linkShapes restores them', () => {
    const { roots: written, shapes } = shareShapes(roots);
    expect(written.map(createLinker(shapes))).toEqual(roots);
    expect(Object.keys(shapes)).toHaveLength(1);
    expect(Object.keys(shapes)[0]).toMatch(/^object_[0-9a-f]{6}$/);
    expect(JSON.stringify(written).length).toBeLessThan(0.2 * JSON.stringify(roots).length);
  });

  it('does not change a small adapter, unless it has shapes already', () => {
    const few = roots.slice(0, 10);
    expect(shareShapes(few)).toEqual({ roots: few, shapes: {} });
    const known = { my_quay: { ...quay, description: 'A place' } };
    const { roots: written, shapes } = shareShapes(few, { known });
    expect(shapes).toEqual(known);
    expect(written.map(createLinker(shapes))).toEqual(few);
  });

  it('names a shape by its content alone', () => {
    const { shapes } = shareShapes(roots);
    expect(shareShapes(roots.toReversed()).shapes).toEqual(shapes);
  });

  it('a resolved adapter is the same after a round trip through JSON', () => {
    const small = adapterWith({ berth: BERTH });
    if (!small.ok) throw new Error(JSON.stringify(small.problems));
    const params = roots.map((shape, i): [string, Param] => {
      const name = `p${i}`;
      return [name, { ...shape, name, required: false }];
    });
    const operation = { ...small.adapter.operations.get('book')!, params: new Map(params) };
    const adapter = { ...small.adapter, operations: new Map([['book', operation]]) };
    const json = writeAdapter(adapter);
    expect(json).toContain('"shapes"');
    expect(readAdapter(json)).toEqual({ ...adapter, file: '' });
  });
});
