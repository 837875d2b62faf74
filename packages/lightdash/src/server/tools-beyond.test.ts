/** The tools for validation, lineage, content, URLs and rows. */

import { describe, expect, it } from 'vitest';

import { JAFFLE_SHOP, type Sandbox } from '../sandbox/index.js';
import { clientOf, stageOf, startSandbox, type Stage } from '../testing/stage.js';

const PROJECT = { projectUuid: JAFFLE_SHOP };
const GROUP = '9d615ede-5758-4954-9fb9-2a07fc415ba5';

async function stage(
  options: Parameters<typeof stageOf>[1] = { safetyMode: 'write-destructive' },
): Promise<Stage & { sandbox: Sandbox }> {
  const sandbox = await startSandbox();
  return { ...(await stageOf(clientOf(sandbox), options)), sandbox };
}

async function foreignProject(sandbox: Sandbox): Promise<string> {
  return (await clientOf(sandbox).listProjects())[1]!.projectUuid;
}

describe('list_group_members', () => {
  it('returns every member once, over all pages', async () => {
    const { call, sandbox } = await stage();
    const groups = await clientOf(sandbox).listGroups({ page: 1, pageSize: 100 });
    const seen: string[] = [];
    const groupUuid = groups.data[2]!.uuid;
    for (let page = 1, hasMore = true; hasMore; page++) {
      const { data } = await call('list_group_members', { groupUuid, page, pageSize: 2 });
      seen.push(...data.members.map(({ userUuid }: { userUuid: string }) => userUuid));
      hasMore = data.hasMore as boolean;
    }
    const all = await call('get_group', { groupUuid, memberLimit: 500 });
    expect(seen.length).toBeGreaterThan(2);
    expect(seen).toEqual(
      all.data.members.map(({ userUuid }: { userUuid: string }) => userUuid) as string[],
    );
  });

  it('reports no further page for a small group', async () => {
    const { call } = await stage();
    const { data } = await call('list_group_members', { groupUuid: GROUP });
    expect(data).toMatchObject({ members: [{ email: 'demo2@lightdash.com' }], hasMore: false });
  });
});

describe('the upkeep of a project', () => {
  it('lists tags and schedulers, and searches them', async () => {
    const { call } = await stage();
    const tags = await call('list_tags', { ...PROJECT, searchQuery: 'core' });
    expect(tags.data).toMatchObject({ tags: [{ name: 'core' }], total: 1 });
    const schedulers = await call('list_schedulers', { ...PROJECT, pageSize: 3 });
    expect(schedulers.data).toMatchObject({ total: 8, pageCount: 3 });
    expect(schedulers.data.schedulers[0]).toMatchObject({ cron: '0 7 * * 1-5', enabled: true });
  });

  it('finds problems only after a check', async () => {
    const { call } = await stage();
    expect((await call('get_validation_results', PROJECT)).data.total).toBe(0);
    expect((await call('validate_project', PROJECT)).data.jobId).toMatch(/^[0-9a-f-]{36}$/);
    const { data } = await call('get_validation_results', PROJECT);
    expect(data).toMatchObject({ total: 2, problems: [{ errorType: 'dimension' }, {}] });
  });

  it('reads the problems of an older server without pages', async () => {
    const { call, sandbox } = await stage();
    await call('validate_project', PROJECT);
    sandbox.fail({ path: /^\/api\/v2\//, fault: 'no-route' });
    const { data } = await call('get_validation_results', { ...PROJECT, pageSize: 1 });
    expect(data).toMatchObject({ total: 2, problems: [{ errorType: 'dimension' }] });
    expect(sandbox.requests.at(-1)!.path).toBe(`/api/v1/projects/${JAFFLE_SHOP}/validate`);
  });
});

describe('a field', () => {
  it('is traced to its columns', async () => {
    const { call } = await stage();
    const args = { ...PROJECT, exploreId: 'orders', fieldId: 'orders_revenue' };
    const { data } = await call('get_field_lineage', args);
    expect(data).toEqual({
      fieldId: 'orders_revenue',
      sql: 'SUM(${TABLE}.revenue)',
      fields: [],
      columns: ['orders.revenue'],
      tables: ['orders'],
    });
  });

  it('that does not exist is named in the error', async () => {
    const { call } = await stage();
    const args = { ...PROJECT, exploreId: 'orders', fieldId: 'orders_nothing' };
    const { isError, text } = await call('get_field_lineage', args);
    expect([isError, text]).toEqual([true, expect.stringContaining('orders_nothing')]);
  });

  it('has searchable values', async () => {
    const { call } = await stage();
    const args = { ...PROJECT, exploreId: 'orders', fieldId: 'orders_status', search: '1' };
    const { data } = await call('search_field_values', { ...args, limit: 3 });
    expect(data.values).toEqual(['orders_status 1', 'orders_status 10', 'orders_status 11']);
  });
});

describe('content', () => {
  it('is written as code and read again', async () => {
    const { call } = await stage();
    const slugs = ['orders-overview'];
    const { data } = await call('list_dashboards_as_code', { ...PROJECT, slugs });
    const dashboard = { ...data.dashboards[0], name: 'Orders at a glance' };
    const args = { ...PROJECT, slug: slugs[0], dashboard };
    expect((await call('upsert_dashboard_as_code', args)).data.action).toBe('update');
    const again = await call('list_dashboards_as_code', { ...PROJECT, slugs });
    expect(again.data.dashboards[0].name).toBe('Orders at a glance');
  });

  it('gets a new space, never below a space of another project', async () => {
    const { call, sandbox } = await stage();
    const made = await call('create_space', { ...PROJECT, name: 'Night shift' });
    const space = { ...PROJECT, spaceUuid: made.data.spaceUuid };
    expect((await call('get_space', space)).data.name).toBe('Night shift');
    const [foreign] = await clientOf(sandbox).listSpaces(await foreignProject(sandbox));
    const args = { ...PROJECT, name: 'Hidden', parentSpaceUuid: foreign!.uuid };
    expect((await call('create_space', args)).isError).toBe(true);
  });
});

describe('resolve_url', () => {
  const UUID = '11111111-2222-4333-8444-555555555555';

  it.each([
    [`saved/${UUID}/view`, { kind: 'chart', uuid: UUID }],
    [`dashboards/${UUID}/view/tabs/x`, { kind: 'dashboard', uuid: UUID }],
    ['dashboards/orders-overview', { kind: 'dashboard', slug: 'orders-overview' }],
    [`spaces/${UUID}`, { kind: 'space', uuid: UUID }],
    ['tables/orders?create_saved_chart_version=%7B%7D', { kind: 'explore', exploreId: 'orders' }],
    ['home', { kind: 'project' }],
  ])('knows %s', async (rest, expected) => {
    const { call, sandbox } = await stage();
    const url = `${sandbox.url}/projects/${JAFFLE_SHOP}/${rest}`;
    const { data } = await call('resolve_url', { url });
    expect(data).toEqual({ projectUuid: JAFFLE_SHOP, ...expected });
    expect(sandbox.requests).toEqual([]);
  });

  it.each([
    ['https://elsewhere.test/projects/x', 'does not belong to the Lightdash'],
    ['orders', 'not an address'],
  ])('refuses %s', async (url, reason) => {
    const { call } = await stage();
    const { isError, text } = await call('resolve_url', { url });
    expect([isError, text]).toEqual([true, expect.stringContaining(reason)]);
  });

  it('reveals nothing about a project that is not allowed', async () => {
    const { call, sandbox } = await stage({ projects: [JAFFLE_SHOP], safetyMode: 'read-only' });
    const url = `${sandbox.url}/projects/${await foreignProject(sandbox)}/saved/${UUID}`;
    const { isError, text } = await call('resolve_url', { url });
    expect([isError, text]).toEqual([
      true,
      expect.stringContaining('a project that this server may not use'),
    ]);
  });
});

describe('rows', () => {
  it('of a saved chart', async () => {
    const { call, sandbox } = await stage();
    const [chart] = await clientOf(sandbox).listCharts(JAFFLE_SHOP);
    const args = { ...PROJECT, chartUuid: chart!.uuid, limit: 2 };
    const { data } = await call('get_chart_results', args);
    expect(data).toMatchObject({ rowCount: 2, hasMoreRows: true });
    expect(Object.keys(data.rows[0])).toEqual(['orders_status', 'orders_revenue']);
  });

  it('of a chart of another project are refused', async () => {
    const { call, sandbox } = await stage({ projects: [JAFFLE_SHOP], safetyMode: 'read-only' });
    const [chart] = await clientOf(sandbox).listCharts(await foreignProject(sandbox));
    const { isError } = await call('get_chart_results', { ...PROJECT, chartUuid: chart!.uuid });
    expect(isError).toBe(true);
    expect(sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('of SQL need the widest safety mode', async () => {
    const { call } = await stage();
    const args = { ...PROJECT, sql: 'SELECT status, total FROM orders LIMIT 5', limit: 3 };
    const { data } = await call('run_sql', args);
    expect(data).toMatchObject({ rowCount: 3, hasMoreRows: true });
    expect(Object.keys(data.rows[0])).toEqual(['status', 'total']);
    const { names } = await stage({ safetyMode: 'write-idempotent' });
    expect(await names()).not.toContain('lightdash_tools__run_sql');
  });
});
