/** `callsign adapter test`: the reads of an adapter are called at a real HTTP server, and compared. */

import { beforeEach, describe, expect, it } from 'vitest';

import { api } from '../../adapters/imported-api.js';
import { answerJson, startTarget, type TargetServer } from '../../adapters/target.js';
import { Home } from '../cli/callsign.js';
import { ADAPTER, openHarbour, TOKEN } from './harbour.js';

interface Tried {
  readonly operation: string;
  readonly outcome: string;
  readonly detail?: string;
  readonly status?: string;
  readonly httpStatus?: number;
  readonly shape?: string;
  readonly milliseconds?: number;
}

const BUOY = {
  type: 'object',
  required: ['id', 'depth'],
  properties: {
    id: { type: 'integer' },
    depth: { type: 'number' },
    light: { type: ['string', 'null'] },
  },
};

const ref = { $ref: '#/components/schemas/Buoy' };
const answers = (schema: object) => ({
  200: { description: 'Fine', content: { 'application/json': { schema } } },
});
const inPath = (name: string, more: object) => ({ name, in: 'path', required: true, ...more });

/** Two lists, things with and without an example, a thing that is gone, and an operation that writes. */
const DOCUMENT = api(
  {
    '/buoys': {
      get: { operationId: 'listBuoys', responses: answers({ type: 'array', items: ref }) },
      post: { operationId: 'createBuoy', responses: answers(ref) },
    },
    '/buoys/{id}': {
      get: {
        operationId: 'getBuoy',
        parameters: [inPath('id', { schema: { type: 'integer', example: 7 } })],
        responses: answers(ref),
      },
    },
    '/lights/{name}': {
      get: {
        operationId: 'getLight',
        parameters: [inPath('name', { schema: { type: 'string' } })],
        responses: answers({ type: 'object' }),
      },
    },
    '/harbours/{name}': {
      get: {
        operationId: 'getHarbour',
        parameters: [inPath('name', { schema: { type: 'string' }, example: 'Oslo' })],
        responses: answers({ type: 'object' }),
      },
    },
  },
  { components: { schemas: { Buoy: BUOY } } },
);

let home: Home;
let target: TargetServer;
let depth: unknown = 4.5;
beforeEach(async () => {
  home = new Home();
  depth = 4.5;
  target = await startTarget(({ url }, response) => {
    const buoy = { id: 7, depth, light: null };
    if (url === '/buoys') answerJson(response, [buoy, buoy]);
    else if (url === '/buoys/7') answerJson(response, buoy);
    else if (url === '/lights/north') answerJson(response, { name: 'north' });
    else answerJson(response, { message: 'Not here' }, 404);
  });
  home.write('work/buoys.json', DOCUMENT);
  const imported = ['adapter', 'from-openapi', 'buoys.json', '--out', 'buoys.adapter.md'];
  expect(await home.run(imported)).toMatchObject({ code: 0 });
});

async function tested(...args: string[]) {
  const test = ['adapter', 'test', 'buoys.adapter.md', '--base-url', target.origin, ...args];
  const { code, stdout, stderr } = await home.run([...test, '--json']);
  if (stdout === '') throw new Error(stderr);
  const { summary, operations } = JSON.parse(stdout) as {
    summary: object;
    operations: Tried[];
  };
  return { code, summary, operations: new Map(operations.map((each) => [each.operation, each])) };
}

describe('adapter test', () => {
  it('calls the proven reads with the examples of the document, and nothing else', async () => {
    const { code, summary, operations } = await tested();
    expect(code).toBe(0);
    expect(summary).toEqual({ passed: 2, failed: 0, skipped: 3 });
    expect(operations.get('list_buoys')).toMatchObject({
      outcome: 'passed',
      status: 'ok',
      shape: 'fits',
      milliseconds: expect.any(Number) as number,
    });
    expect(operations.get('get_buoy')).toMatchObject({ outcome: 'passed', shape: 'fits' });
    expect(operations.get('create_buoy')).toMatchObject({
      outcome: 'skipped',
      detail: 'It does not only read.',
    });
    expect(operations.get('get_light')?.detail).toBe('No value for name; give one with --params.');
    expect(operations.get('get_harbour')).toMatchObject({ outcome: 'skipped', httpStatus: 404 });
    expect(target.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /buoys',
      'GET /buoys/7',
      'GET /harbours/Oslo',
    ]);
  });

  it('takes values of a person, for one operation or for all', async () => {
    const params = JSON.stringify({ '*': { name: 'north' }, get_buoy: { id: 8 } });
    const { code, operations } = await tested('--params', params);
    expect(code).toBe(1);
    expect(operations.get('get_light')).toMatchObject({ outcome: 'passed', shape: 'undeclared' });
    expect(operations.get('get_buoy')).toMatchObject({
      outcome: 'failed',
      status: 'NOT_FOUND_RESOURCE',
      httpStatus: 404,
      detail: 'The target says: Not here',
    });
  });

  it('finds an answer of another shape, and shows a person a table', async () => {
    depth = 'deep';
    const { code, operations } = await tested('get_buoy');
    expect(code).toBe(1);
    expect([...operations.values()]).toEqual([
      expect.objectContaining({
        outcome: 'failed',
        shape: 'differs',
        detail: 'Buoy.depth is string instead of number.',
      }),
    ]);
    const table = await home.run(
      `adapter test buoys.adapter.md get_buoy --base-url ${target.origin}`.split(' '),
    );
    expect(table).toMatchObject({ code: 1, stderr: '0 passed, 1 failed, 0 skipped.\n' });
    expect(table.stdout).toMatch(/failed +get_buoy +ok +differs +\d+ ms +Buoy\.depth is string/);
  });

  it('fails if nothing could be called, and names a wrong word', async () => {
    const { code, summary } = await tested('get_light');
    expect({ code, summary }).toEqual({ code: 1, summary: { passed: 0, failed: 0, skipped: 1 } });
    const run = (...args: string[]) => home.run(['adapter', 'test', 'buoys.adapter.md', ...args]);
    expect((await run('get_boy')).stderr).toContain('Did you mean: get_buoy?');
    expect((await run('--params', '{"get_buoy":7}')).stderr).toContain('--params takes JSON');
    expect((await run('--params', '{"get_boy":{}}')).stderr).toContain('Did you mean: get_buoy?');
  });

  it('passes over the harbour of the examples, and prints no token', async () => {
    const harbour = await openHarbour();
    const test = ['adapter', 'test', ADAPTER, '--base-url', harbour.url, '--json'];
    const { code, stdout, stderr } = await home.run(test, { env: { HARBOUR_TOKEN: TOKEN } });
    const { operations } = JSON.parse(stdout) as { operations: Tried[] };
    expect(operations.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect({ code, isQuiet: !`${stdout}${stderr}`.includes(TOKEN) }).toEqual({
      code: 0,
      isQuiet: true,
    });
    expect(harbour.requests.every((request) => request.startsWith('GET '))).toBe(true);
    const refused = await home.run(test, { env: { HARBOUR_TOKEN: 'another-token' } });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('PERMISSION_DENIED');
    expect(refused.stdout).not.toContain('another-token');
  });
});
