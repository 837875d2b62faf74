/** The sandbox answers as Lightdash does, exactly where it matters. */

import { describe, expect, it } from 'vitest';

import { startSandbox } from '../testing/stage.js';
import { JAFFLE_SHOP, type Sandbox } from './index.js';

interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it as they please
  readonly json: any;
}

async function ask(
  sandbox: Sandbox,
  path: string,
  {
    authorization = `ApiKey ${sandbox.token}`,
    ...init
  }: RequestInit & { authorization?: string } = {},
): Promise<RawAnswer> {
  const headers = authorization === '' ? {} : { authorization };
  const response = await fetch(sandbox.url + path, { ...init, headers });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  const json: unknown = isJson ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}

describe('the sandbox', () => {
  it('listens on this machine only', async () => {
    const sandbox = await startSandbox();
    expect(new URL(sandbox.url).hostname).toBe('127.0.0.1');
  });

  it('wraps results', async () => {
    const { status, json } = await ask(await startSandbox(), '/api/v1/org/projects');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      status: 'ok',
      results: [{ projectUuid: JAFFLE_SHOP }, {}, {}, {}],
    });
  });

  it.each(['', 'Bearer ldpat_x', 'apikey ldpat_deadbeefdeadbeefdeadbeefdeadbeef'])(
    'answers %j with plain text',
    async (authorization) => {
      const answer = await ask(await startSandbox(), '/api/v1/org/projects', { authorization });
      expect([answer.status, answer.text]).toEqual([401, 'Unauthorized']);
    },
  );

  it('refuses other tokens', async () => {
    const authorization = 'ApiKey ldpat_other';
    const { status, json } = await ask(await startSandbox(), '/api/v1/org/projects', {
      authorization,
    });
    expect(status).toBe(401);
    expect(json.error).toEqual({
      statusCode: 401,
      name: 'AuthorizationError',
      message: 'Personal access token is not recognised',
      data: {},
    });
  });

  it.each([
    ['/api/v1/nothing', 404, 'NotFoundError', 'API endpoint not found'],
    ['/api/v1/projects/nope', 404, 'NotFoundError', 'Cannot find project with id: nope'],
    [
      `/api/v1/projects/${JAFFLE_SHOP}/spaces/nope`,
      404,
      'NotFoundError',
      'Space with uuid nope does not exist',
    ],
    ['/api/v1/groups/nope', 404, 'NotFoundError', 'No group found'],
    [
      '/api/v1/org/users?page=-1&pageSize=5',
      422,
      'PaginationError',
      'page should be greater than 0',
    ],
    [
      '/api/v1/org/users?page=1&pageSize=-5',
      422,
      'PaginationError',
      'pageSize should be greater than 0',
    ],
    ['/api/v1/org/users?page=x&pageSize=5', 422, 'ValidateError', ''],
    ['/api/v1/projects/%E0%A4%A', 400, 'URIError', "Failed to decode param '%E0%A4%A'"],
  ])('refuses %s', async (path, statusCode, name, message) => {
    const { status, json } = await ask(await startSandbox(), path);
    expect(status).toBe(statusCode);
    expect(json).toMatchObject({ status: 'error', error: { statusCode, name, message } });
  });

  it('returns a web page outside the API', async () => {
    const answer = await ask(await startSandbox(), '/projects', { authorization: '' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
  });

  it('pages only if both numbers are given', async () => {
    const sandbox = await startSandbox();
    const whole = await ask(sandbox, '/api/v1/org/users?page=1');
    expect(Object.keys(whole.json.results)).toEqual(['data']);
    expect(whole.json.results.data).toHaveLength(144);
    const beyond = await ask(sandbox, '/api/v1/org/users?page=99&pageSize=50');
    expect(beyond.json.results).toEqual({
      data: [],
      pagination: { page: 99, pageSize: 50, totalPageCount: 3, totalResults: 144 },
    });
  });

  it('marks deprecated addresses', async () => {
    const sandbox = await startSandbox();
    const { headers } = await ask(sandbox, `/api/v1/projects/${JAFFLE_SHOP}/charts/code`);
    expect(headers.get('deprecation')).toBe('Wed, 10 Jun 2026 00:00:00 GMT');
    expect(headers.get('sunset')).toBe('Thu, 10 Sep 2026 00:00:00 GMT');
    expect(headers.get('warning')).toMatch(/^299 - /);
    expect((await ask(sandbox, '/api/v1/org/users')).headers.has('deprecation')).toBe(false);
  });

  it('returns members of a group only on request, in the requested number', async () => {
    const sandbox = await startSandbox();
    const path = '/api/v1/groups/9d615ede-5758-4954-9fb9-2a07fc415ba5';
    expect((await ask(sandbox, path)).json.results).not.toHaveProperty('members');
    expect((await ask(sandbox, `${path}?includeMembers=0`)).json.results.members).toEqual([]);
  });

  it('refuses a space of another project with different messages', async () => {
    const sandbox = await startSandbox();
    const { json } = await ask(sandbox, '/api/v1/org/projects');
    const other = json.results[1].projectUuid as string;
    const spaces = (await ask(sandbox, `/api/v1/projects/${other}/spaces`)).json.results;
    const { uuid } = spaces[0] as { uuid: string };
    const answer = await ask(sandbox, `/api/v1/projects/${JAFFLE_SHOP}/spaces/${uuid}`);
    expect(answer.json.error.message).toBe(`Space with uuid ${uuid} not found`);
  });

  it('nests spaces', async () => {
    const sandbox = await startSandbox();
    const { results } = (await ask(sandbox, `/api/v1/projects/${JAFFLE_SHOP}/spaces`)).json;
    const deep = results.find(
      ({ path }: { path: string }) => path === 'sales.europe.weekly_reports',
    );
    const { json } = await ask(sandbox, `/api/v1/projects/${JAFFLE_SHOP}/spaces/${deep.uuid}`);
    const trail = json.results.breadcrumbs.map(({ name }: { name: string }) => name);
    expect(trail).toEqual(['Sales', 'Europe', 'Weekly reports']);
  });

  it('has the same data each time, and keeps its changes separate', async () => {
    const [one, two] = [await startSandbox(), await startSandbox()];
    const path = `/api/v1/projects/${JAFFLE_SHOP}/charts`;
    expect((await ask(one, path)).text).toBe((await ask(two, path)).text);
    await ask(one, '/api/v1/groups/9d615ede-5758-4954-9fb9-2a07fc415ba5', { method: 'DELETE' });
    const left = async (sandbox: Sandbox): Promise<number> =>
      (await ask(sandbox, '/api/v1/org/groups')).json.results.data.length;
    expect([await left(one), await left(two)]).toEqual([11, 12]);
  });

  it('refuses a body that is not JSON or too long, and continues', async () => {
    const sandbox = await startSandbox();
    const post = (body: string): Promise<RawAnswer> =>
      ask(sandbox, '/api/v1/org/groups', { method: 'POST', body });
    expect((await post('{')).status).toBe(400);
    expect((await post('{}')).status).toBe(422);
    await expect(post('x'.repeat(2_000_000))).rejects.toThrow();
    expect((await ask(sandbox, '/api/v1/org/projects')).status).toBe(200);
  });

  it('can fail for some paths, for a while', async () => {
    const sandbox = await startSandbox();
    sandbox.fail({ fault: 'forbidden', path: /groups/, times: 1 });
    const repair = sandbox.fail({ fault: 'server-error', path: /users/ });
    const statusOf = async (path: string): Promise<number> => (await ask(sandbox, path)).status;
    expect(await statusOf('/api/v1/org/projects')).toBe(200);
    expect(await statusOf('/api/v1/org/groups')).toBe(403);
    expect(await statusOf('/api/v1/org/groups')).toBe(200);
    expect(await statusOf('/api/v1/org/users')).toBe(500);
    repair();
    expect(await statusOf('/api/v1/org/users')).toBe(200);
  });

  it('remembers its requests', async () => {
    const sandbox = await startSandbox();
    await ask(sandbox, '/api/v1/projects/a%2Fb?x=1');
    expect(sandbox.requests).toMatchObject([{ method: 'GET', path: '/api/v1/projects/a%2Fb' }]);
    expect(sandbox.requests[0]!.query.get('x')).toBe('1');
  });
});
