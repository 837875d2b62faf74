/** The answers of the tools: complete, short, and valid by their schemas. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { AuditRecord } from '@callsign/toolkit';
import { describe, expect, it, onTestFinished } from 'vitest';

import { JAFFLE_SHOP, type FaultName, type Sandbox } from '../sandbox/index.js';
import { clientOf, stageOf, startSandbox, type Stage } from '../testing/stage.js';

const PROJECT = { projectUuid: JAFFLE_SHOP };
const EDITOR = '80fb8b59-d6b7-4ed6-b969-9849310f3e53';
const GROUP = '9d615ede-5758-4954-9fb9-2a07fc415ba5';
const NOBODY = '00000000-0000-4000-8000-000000000000';

async function stage(
  options: Parameters<typeof stageOf>[1] = { safetyMode: 'write-destructive' },
): Promise<Stage & { sandbox: Sandbox }> {
  const sandbox = await startSandbox();
  return { ...(await stageOf(clientOf(sandbox), options)), sandbox };
}

describe('a list', () => {
  it('has pages, with a count of all', async () => {
    const { call } = await stage();
    const { data } = await call('list_charts', { ...PROJECT, page: 13 });
    expect(data).toMatchObject({ total: 312, page: 13, pageSize: 25, pageCount: 13 });
    expect(data.charts).toHaveLength(12);
    const beyond = await call('list_charts', { ...PROJECT, page: 14 });
    expect(beyond.data).toMatchObject({ charts: [], total: 312 });
  });

  it('has the requested fields, or a few by default', async () => {
    const { call } = await stage();
    const usual = await call('list_charts', PROJECT);
    expect(Object.keys(usual.data.charts[0])).toEqual([
      'uuid',
      'name',
      'slug',
      'spaceName',
      'chartKind',
      'updatedAt',
    ]);
    const asked = await call('list_charts', { ...PROJECT, fields: ['name', 'views'] });
    expect(asked.data.charts[0]).toEqual({ name: 'Orders by status', views: expect.any(Number) });
  });

  it.each([
    ['list_projects', {}, 'projects', 'finance', 1],
    ['list_charts', PROJECT, 'charts', 'REVENUE', 16],
    ['list_dashboards', PROJECT, 'dashboards', 'refunds', 3],
    ['list_spaces', PROJECT, 'spaces', 'europe', 1],
    ['list_organization_members', {}, 'members', 'turing', 11],
    ['list_groups', {}, 'groups', 'org 1', 2],
    ['list_explores', PROJECT, 'explores', 'order', 1],
    ['list_dimensions', { ...PROJECT, exploreId: 'orders' }, 'dimensions', 'status', 1],
    ['list_metrics', PROJECT, 'metrics', 'revenue', 1],
  ])('of %s can be filtered', async (tool, args, key, searchQuery, total) => {
    const { call } = await stage();
    const { data } = await call(tool, { ...args, searchQuery });
    expect(data.total).toBe(total);
    expect(data[key]).toHaveLength(Math.min(total, 25));
  });

  it('of hundreds stays short', async () => {
    const { call } = await stage();
    for (const [tool, args] of [
      ['list_charts', PROJECT],
      ['list_dashboards', PROJECT],
      ['list_organization_members', {}],
    ] as const) {
      const { text } = await call(tool, args);
      expect(text.length, tool).toBeLessThan(8_000);
    }
  });

  it('has the same content as text and as data', async () => {
    const { call } = await stage();
    const { text, data } = await call('list_groups');
    expect(JSON.parse(text)).toEqual(data);
  });
});

describe('a project', () => {
  it('is described without hosts, branches and variables', async () => {
    const { call } = await stage();
    const { data, text } = await call('get_project', PROJECT);
    expect(data).toMatchObject({ dbtConnectionType: 'github', warehouseType: 'postgres' });
    expect(text).not.toMatch(/warehouse\.internal|DBT_SCHEMA|example\//);
  });
});

describe('a space', () => {
  it('names a few of its contents and counts them all', async () => {
    const { call } = await stage();
    const { data } = await call('list_spaces', { ...PROJECT, searchQuery: 'sales' });
    const { uuid, chartCount } = data.spaces[0];
    const space = await call('get_space', { ...PROJECT, spaceUuid: uuid, contentLimit: 2 });
    expect(space.data).toMatchObject({ name: 'Sales', breadcrumbs: ['Sales'], chartCount });
    expect(space.data.charts).toHaveLength(2);
    expect(space.data.childSpaces.map(({ name }: { name: string }) => name)).toEqual([
      'Europe',
      'Americas',
    ]);
    expect(Object.keys(space.data.charts[0])).toEqual(['uuid', 'name']);
  });
});

describe('a group', () => {
  it('says whether it has more members than it names', async () => {
    const { call } = await stage();
    const { data } = await call('list_groups', { searchQuery: 'finance' });
    const groupUuid = data.groups[0].uuid;
    const few = await call('get_group', { groupUuid, memberLimit: 2 });
    expect(few.data.members).toHaveLength(2);
    expect(few.data.hasMoreMembers).toBe(true);
    const all = await call('get_group', { groupUuid });
    expect(all.data.hasMoreMembers).toBe(false);
    expect(all.data.members.length).toBeGreaterThan(2);
  });
});

describe('a query', () => {
  const QUERY = { ...PROJECT, exploreId: 'orders', metrics: ['orders_revenue'] };

  it('returns a limited number of rows, and says if there are more', async () => {
    const { call } = await stage();
    const { data } = await call('run_query', { ...QUERY, dimensions: ['orders_status'], limit: 2 });
    expect(data).toEqual({
      rows: [
        { orders_status: 'orders_status 1', orders_revenue: expect.any(Number) },
        { orders_status: 'orders_status 2', orders_revenue: expect.any(Number) },
      ],
      rowCount: 2,
      hasMoreRows: true,
    });
  });

  it('reports progress', async () => {
    const { call } = await stage();
    const seen: unknown[] = [];
    await call('run_query', QUERY, { onprogress: ({ message }) => void seen.push(message) });
    expect(seen).toEqual(['The query is queued.', 'The query is executing.']);
  });

  it('is cancelled in Lightdash if the client cancels', async () => {
    const { call, sandbox } = await stage();
    const stop = new AbortController();
    const onprogress = (): void => stop.abort(new Error('enough'));
    await expect(call('run_query', QUERY, { signal: stop.signal, onprogress })).rejects.toThrow();
    await expect.poll(() => sandbox.requests.at(-1)!.path).toMatch(/\/cancel$/);
  });

  it('is compiled to SQL without being run', async () => {
    const { call, sandbox } = await stage();
    const { data } = await call('compile_query', { ...QUERY, limit: 7 });
    expect(data.sql).toContain('LIMIT 7');
    expect(sandbox.requests.map(({ path }) => path.split('/').at(-1))).toEqual(['compileQuery']);
  });

  it('without fields is not sent', async () => {
    const { call, sandbox } = await stage();
    const { isError, text } = await call('run_query', { ...QUERY, metrics: [] });
    expect([isError, text]).toEqual([true, expect.stringContaining('at least one dimension')]);
    expect(sandbox.requests).toEqual([]);
  });
});

describe('tools that write', () => {
  it('do what they say', async () => {
    const { call } = await stage();
    const { data: group } = await call('create_group', { name: 'Night shift' });
    const groupUuid = group.groupUuid as string;
    const membership = { groupUuid, userUuid: EDITOR };
    expect((await call('add_user_to_group', membership)).data.isMember).toBe(true);
    await call('update_group', { groupUuid, name: 'Late shift' });
    const { data } = await call('get_group', { groupUuid });
    expect(data).toMatchObject({ name: 'Late shift', members: [{ userUuid: EDITOR }] });
    await call('remove_user_from_group', membership);
    expect((await call('get_group', { groupUuid })).data.members).toEqual([]);
    expect((await call('delete_group', { groupUuid })).data.isDeleted).toBe(true);
    expect((await call('get_group', { groupUuid })).isError).toBe(true);
    expect((await call('delete_member', { userUuid: EDITOR })).data.isDeleted).toBe(true);
    expect((await call('get_member', { userUuid: EDITOR })).isError).toBe(true);
  });

  it('grant and revoke the access of members and groups to a space', async () => {
    const { call } = await stage();
    const { data } = await call('list_spaces', PROJECT);
    const space = { ...PROJECT, spaceUuid: data.spaces[1].uuid };
    const granted = await call('grant_user_space_access', {
      ...space,
      userUuid: EDITOR,
      spaceRole: 'editor',
    });
    expect(granted.data.spaceRole).toBe('editor');
    const access = async (): Promise<string[]> =>
      (await call('list_spaces', { ...PROJECT, fields: ['access'] })).data.spaces[1].access;
    expect(await access()).toEqual([EDITOR]);
    await call('revoke_user_space_access', { ...space, userUuid: EDITOR });
    expect(await access()).toEqual([]);
    const groups = async (): Promise<object[]> =>
      (await call('get_space', space)).data.groupsAccess;
    await call('grant_group_space_access', { ...space, groupUuid: GROUP, spaceRole: 'viewer' });
    expect(await groups()).toMatchObject([{ groupUuid: GROUP, spaceRole: 'viewer' }]);
    await call('revoke_group_space_access', { ...space, groupUuid: GROUP });
    expect(await groups()).toEqual([]);
  });

  it('write charts that can be read again', async () => {
    const { call } = await stage();
    const slugs = ['orders-by-status'];
    const { data } = await call('list_charts_as_code', { ...PROJECT, slugs });
    const chart = { ...data.charts[0], name: 'Orders, by status' };
    const args = { ...PROJECT, slug: 'orders-by-status', chart };
    expect((await call('upsert_chart_as_code', args)).data.action).toBe('update');
    const again = await call('list_charts_as_code', { ...PROJECT, slugs });
    expect(again.data.charts[0].name).toBe('Orders, by status');
  });
});

describe('arguments', () => {
  it.each([
    ['list_charts', { projectUuid: '../org/users' }],
    ['list_charts', { projectUuid: `${JAFFLE_SHOP}?x=1` }],
    ['list_charts', { ...PROJECT, unknown: true }],
    ['list_charts', { ...PROJECT, pageSize: 101 }],
    ['list_charts', { ...PROJECT, page: 0 }],
    ['list_charts', { ...PROJECT, fields: [] }],
    ['list_charts', { ...PROJECT, fields: ['__proto__'] }],
    ['get_space', { ...PROJECT, spaceUuid: '..' }],
    ['get_member', { userUuid: 'x/../../groups' }],
    ['get_group', { groupUuid: '%2e%2e' }],
    ['get_explore', { ...PROJECT, exploreId: '..' }],
    ['get_explore', { ...PROJECT, exploreId: 'a\u0000' }],
    ['upsert_chart_as_code', { ...PROJECT, slug: '..', chart: {} }],
    ['run_query', { ...PROJECT, exploreId: 'orders', metrics: ['x'], limit: 100_000 }],
  ])('of %s that are not valid are refused before a request: %j', async (tool, args) => {
    const { call, sandbox } = await stage();
    expect((await call(tool, args)).isError).toBe(true);
    expect(sandbox.requests).toEqual([]);
  });

  it('that are unusual but valid stay in their place', async () => {
    const { call, sandbox } = await stage();
    const { text } = await call('get_explore', { ...PROJECT, exploreId: '../../org/users?x=#y' });
    expect(text).toContain('does not exist');
    expect(sandbox.requests[0]!.path).toBe(
      `/api/v1/projects/${JAFFLE_SHOP}/explores/..%2F..%2Forg%2Fusers%3Fx%3D%23y`,
    );
  });

  it('can have a UUID in capitals', async () => {
    const { call } = await stage({ projects: [JAFFLE_SHOP.toUpperCase()] });
    const { data } = await call('list_charts', { projectUuid: JAFFLE_SHOP.toUpperCase() });
    expect(data.total).toBe(312);
  });
});

describe('an allow list of projects', () => {
  const only = { projects: [JAFFLE_SHOP], safetyMode: 'write-destructive' as const };

  async function foreignProject(sandbox: Sandbox): Promise<string> {
    return (await clientOf(sandbox).listProjects())[1]!.projectUuid;
  }

  it('hides the others from lists and searches', async () => {
    const { call, sandbox } = await stage(only);
    const { data } = await call('list_projects');
    expect(data).toMatchObject({ projects: [{ projectUuid: JAFFLE_SHOP }], total: 1 });
    const { data: finds } = await call('search_content', { search: 'orders', pageSize: 100 });
    const projects = new Set(
      finds.finds.map(({ projectUuid }: { projectUuid: string }) => projectUuid),
    );
    expect(projects).toEqual(new Set([JAFFLE_SHOP]));
    expect(sandbox.requests.at(-1)!.query.getAll('projectUuids')).toEqual([JAFFLE_SHOP]);
  });

  it('refuses calls for the others, and sends nothing', async () => {
    const { call, sandbox } = await stage(only);
    const projectUuid = await foreignProject(sandbox);
    const before = sandbox.requests.length;
    for (const [tool, args] of [
      ['get_project', { projectUuid }],
      ['list_charts', { projectUuid }],
      ['search_content', { search: 'x', projectUuids: [JAFFLE_SHOP, projectUuid] }],
    ] as const) {
      const { isError, text } = await call(tool, args);
      expect([isError, text]).toEqual([true, expect.stringContaining('allow list')]);
    }
    expect(sandbox.requests).toHaveLength(before);
  });

  it('cannot be bypassed with an allowed project and a space of another', async () => {
    const { call, sandbox } = await stage(only);
    const [space] = await clientOf(sandbox).listSpaces(await foreignProject(sandbox));
    const args = { ...PROJECT, spaceUuid: space!.uuid };
    expect((await call('get_space', args)).isError).toBe(true);
    const grant = { ...args, userUuid: EDITOR, spaceRole: 'admin' };
    expect((await call('grant_user_space_access', grant)).isError).toBe(true);
    expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('that is empty allows nothing', async () => {
    const { call } = await stage({ projects: [] });
    expect((await call('list_projects')).data.total).toBe(0);
    expect((await call('list_charts', PROJECT)).isError).toBe(true);
  });
});

describe('a dry run', () => {
  it('describes the change, and does nothing', async () => {
    const { call, sandbox } = await stage({ safetyMode: 'write-destructive', dryRun: true });
    const { isError, text } = await call('delete_group', { groupUuid: GROUP });
    expect(isError).toBe(false);
    expect(text).toContain('nothing has changed');
    expect(text).toContain(GROUP);
    expect(sandbox.requests).toEqual([]);
    expect((await call('list_groups')).data.total).toBe(12);
  });
});

describe('the audit', () => {
  it('has a record of every call, without arguments', async () => {
    const records: AuditRecord[] = [];
    const { call } = await stage({
      safetyMode: 'write-destructive',
      projects: [JAFFLE_SHOP],
      dryRun: true,
      audit: (record) => void records.push(record),
    });
    await call('list_groups', { searchQuery: 'hush' });
    await call('get_group', { groupUuid: NOBODY });
    await call('list_charts', { projectUuid: NOBODY });
    await call('delete_group', { groupUuid: GROUP });
    expect(
      records.map(({ tool, status }) => [tool.replace('lightdash_tools__', ''), status]),
    ).toEqual([
      ['list_groups', 'done'],
      ['get_group', 'failed'],
      ['list_charts', 'refused'],
      ['delete_group', 'dry-run'],
    ]);
    expect(JSON.stringify(records)).not.toMatch(/hush|00000000-0000|9d615ede/);
  });
});

describe('when Lightdash fails', () => {
  it.each<[FaultName, string]>([
    ['unauthorized-text', 'put it into LIGHTDASH_API_KEY'],
    ['forbidden', 'has no permission'],
    ['web-page', 'LIGHTDASH_URL must be'],
    ['server-error', 'Something went wrong'],
    ['rate-limited-for-long', 'Retry after 86400s.'],
    ['reset', 'Network error'],
    ['truncated', 'incomplete or damaged'],
  ])('under %s a tool reports it, and what to do', async (fault, words) => {
    const { call, sandbox } = await stage({});
    sandbox.fail({ fault });
    const { isError, text, data } = await call('list_charts', PROJECT);
    expect(isError).toBe(true);
    expect(text).toContain(words);
    expect(text).not.toMatch(/ldpat_|\n\s+at /);
    expect(data).toBeUndefined();
  });
});

describe('a Lightdash of another version', () => {
  /** Answers every request with the same results. */
  async function strange(results: unknown): Promise<Stage> {
    const server = createServer((_request, response) => {
      response.end(JSON.stringify({ status: 'ok', results }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sandbox = await startSandbox();
    const client = clientOf(sandbox, {}, { LIGHTDASH_URL: `http://127.0.0.1:${port}` });
    return stageOf(client, { safetyMode: 'read-only' });
  }

  const LISTS: readonly [string, object][] = [
    ['list_projects', {}],
    ['list_charts', PROJECT],
    ['list_dashboards', PROJECT],
    ['list_spaces', PROJECT],
    ['list_explores', PROJECT],
  ];

  it.each(LISTS)('is described as far as it matches: %s', async (tool, args) => {
    const odd = [{ uuid: 5, name: null, tileTypes: 'x', extra: [] }, {}, { name: 'Fine' }];
    const { call } = await strange(odd);
    const { isError, data } = await call(tool, { ...args });
    expect(isError).toBe(false);
    expect(data.total).toBe(3);
    expect(Object.values(data)[0]).toEqual([{}, {}, { name: 'Fine' }]);
  });

  it.each([
    ['get_project', PROJECT],
    ['get_group', { groupUuid: GROUP }],
    ['get_explore', { ...PROJECT, exploreId: 'x' }],
  ])('is described as far as it matches: %s', async (tool, args) => {
    const { call } = await strange({ name: 'Fine', role: 7, type: {}, createdAt: null });
    const { isError } = await call(tool, args);
    expect(isError).toBe(false);
  });

  it.each([
    ['older', 'SELECT 1'],
    ['newer', { query: 'SELECT 1', parameterReferences: [] }],
  ])('compiles queries, even if it is %s', async (_, results) => {
    const { call } = await strange(results);
    const args = { ...PROJECT, exploreId: 'orders', metrics: ['orders_revenue'] };
    expect((await call('compile_query', args)).data).toEqual({ sql: 'SELECT 1' });
  });

  it.each([...LISTS, ['list_groups', {}], ['get_group', { groupUuid: GROUP }]] as const)(
    'with completely different answers is reported: %s',
    async (tool, args) => {
      const { call } = await strange('hello');
      const { isError, text } = await call(tool, { ...args });
      expect([isError, text]).toEqual([true, expect.stringContaining('may not be compatible')]);
    },
  );
});
