/** Tests every API address that the client uses, against the sandbox. */

import { describe, expect, it } from 'vitest';

import { JAFFLE_SHOP, type Sandbox, type SeenRequest } from '../sandbox/index.js';
import { clientOf, startSandbox } from '../testing/stage.js';
import { LightdashClient } from './lightdash-client.js';
import type { MetricQuery } from './metric-query.js';

const EDITOR = '80fb8b59-d6b7-4ed6-b969-9849310f3e53';
const GROUP = '9d615ede-5758-4954-9fb9-2a07fc415ba5';
const VIEWER = 'e0dd2003-c291-4e14-b977-7a03b7edc842';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const QUERY: MetricQuery = {
  exploreName: 'orders',
  dimensions: ['orders_status'],
  metrics: ['orders_revenue'],
  filters: {},
  sorts: [],
  limit: 3,
  tableCalculations: [],
};
const P = `/api/v1/projects/${JAFFLE_SHOP}`;

/** A space of the project in the sandbox. */
async function firstSpace(client: LightdashClient): Promise<{ project: string; space: string }> {
  const [space] = await client.listSpaces(JAFFLE_SHOP);
  return { project: JAFFLE_SHOP, space: space!.uuid };
}

interface Contract {
  readonly method: keyof LightdashClient;
  readonly call: (client: LightdashClient) => Promise<unknown>;
  /** Its last request. `SPACE` is the first space. */
  readonly request: string;
  readonly gives: unknown;
  readonly body?: unknown;
}

const CONTRACTS: readonly Contract[] = [
  {
    method: 'listProjects',
    call: (client) => client.listProjects(),
    request: 'GET /api/v1/org/projects',
    gives: expect.arrayContaining([
      expect.objectContaining({ projectUuid: JAFFLE_SHOP, name: 'Jaffle shop', type: 'DEFAULT' }),
    ]),
  },
  {
    method: 'getProject',
    call: (client) => client.getProject(JAFFLE_SHOP),
    request: `GET ${P}`,
    gives: expect.objectContaining({ name: 'Jaffle shop', dbtVersion: 'v1.10' }),
  },
  {
    method: 'listCharts',
    call: async (client) => (await client.listCharts(JAFFLE_SHOP)).length,
    request: `GET ${P}/charts`,
    gives: 312,
  },
  {
    method: 'listDashboards',
    call: async (client) => (await client.listDashboards(JAFFLE_SHOP)).length,
    request: `GET ${P}/dashboards`,
    gives: 45,
  },
  {
    method: 'listSpaces',
    call: async (client) => (await client.listSpaces(JAFFLE_SHOP)).map(({ path }) => path),
    request: `GET ${P}/spaces`,
    gives: expect.arrayContaining(['jaffle_shop', 'sales.europe.weekly_reports']),
  },
  {
    method: 'getSpace',
    call: async (client) => {
      const { project, space } = await firstSpace(client);
      return client.getSpace(project, space);
    },
    request: `GET ${P}/spaces/SPACE`,
    gives: expect.objectContaining({
      name: 'Jaffle shop',
      groupsAccess: [{ groupUuid: GROUP, groupName: 'Org 1 Group', spaceRole: 'viewer' }],
    }),
  },
  {
    method: 'listMembers',
    call: (client) => client.listMembers({ page: 2, pageSize: 4, searchQuery: 'ada' }),
    request: 'GET /api/v1/org/users?page=2&pageSize=4&searchQuery=ada',
    gives: expect.objectContaining({
      pagination: { page: 2, pageSize: 4, totalPageCount: 3, totalResults: 10 },
    }),
  },
  {
    method: 'getMember',
    call: (client) => client.getMember(EDITOR),
    request: 'GET /api/v1/org/users?page=1&pageSize=500',
    gives: expect.objectContaining({ email: 'demo2@lightdash.com', role: 'editor' }),
  },
  {
    method: 'deleteMember',
    call: (client) => client.deleteMember(EDITOR),
    request: `DELETE /api/v1/org/user/${EDITOR}`,
    gives: undefined,
  },
  {
    method: 'listGroups',
    call: async (client) => (await client.listGroups({ page: 1, pageSize: 5 })).pagination,
    request: 'GET /api/v1/org/groups?page=1&pageSize=5',
    gives: { page: 1, pageSize: 5, totalPageCount: 3, totalResults: 12 },
  },
  {
    method: 'getGroup',
    call: (client) => client.getGroup(GROUP, { includeMembers: 3 }),
    request: `GET /api/v1/groups/${GROUP}?includeMembers=3`,
    gives: expect.objectContaining({ name: 'Org 1 Group', memberUuids: [EDITOR] }),
  },
  {
    method: 'createGroup',
    call: (client) => client.createGroup('Night shift'),
    request: 'POST /api/v1/org/groups',
    body: { name: 'Night shift' },
    gives: expect.objectContaining({ name: 'Night shift' }),
  },
  {
    method: 'updateGroup',
    call: (client) => client.updateGroup(GROUP, 'Day shift'),
    request: `PATCH /api/v1/groups/${GROUP}`,
    body: { name: 'Day shift' },
    gives: expect.objectContaining({ uuid: GROUP, name: 'Day shift' }),
  },
  {
    method: 'deleteGroup',
    call: (client) => client.deleteGroup(GROUP),
    request: `DELETE /api/v1/groups/${GROUP}`,
    gives: undefined,
  },
  {
    method: 'addUserToGroup',
    call: (client) => client.addUserToGroup(GROUP, VIEWER),
    request: `PATCH /api/v1/groups/${GROUP}`,
    body: { members: [{ userUuid: EDITOR }, { userUuid: VIEWER }] },
    gives: undefined,
  },
  {
    method: 'removeUserFromGroup',
    call: (client) => client.removeUserFromGroup(GROUP, EDITOR),
    request: `PATCH /api/v1/groups/${GROUP}`,
    body: { members: [] },
    gives: undefined,
  },
  {
    method: 'grantUserSpaceAccess',
    call: async (client) => client.grantUserSpaceAccess(await firstSpace(client), EDITOR, 'viewer'),
    request: `POST ${P}/spaces/SPACE/share`,
    body: { userUuid: EDITOR, spaceRole: 'viewer' },
    gives: undefined,
  },
  {
    method: 'revokeUserSpaceAccess',
    call: async (client) => client.revokeUserSpaceAccess(await firstSpace(client), EDITOR),
    request: `DELETE ${P}/spaces/SPACE/share/${EDITOR}`,
    gives: undefined,
  },
  {
    method: 'grantGroupSpaceAccess',
    call: async (client) => client.grantGroupSpaceAccess(await firstSpace(client), GROUP, 'editor'),
    request: `POST ${P}/spaces/SPACE/group/share`,
    body: { groupUuid: GROUP, spaceRole: 'editor' },
    gives: undefined,
  },
  {
    method: 'revokeGroupSpaceAccess',
    call: async (client) => client.revokeGroupSpaceAccess(await firstSpace(client), GROUP),
    request: `DELETE ${P}/spaces/SPACE/group/share/${GROUP}`,
    gives: undefined,
  },
  {
    method: 'listChartsAsCode',
    call: (client) =>
      client.listChartsAsCode(JAFFLE_SHOP, { ids: ['orders-by-status', 'none'], offset: 0 }),
    request: `GET ${P}/code/charts?ids=orders-by-status&ids=none&offset=0`,
    gives: expect.objectContaining({
      charts: [expect.objectContaining({ slug: 'orders-by-status', name: 'Orders by status' })],
      missingIds: ['none'],
      total: 1,
    }),
  },
  {
    method: 'upsertChartAsCode',
    call: (client) =>
      client.upsertChartAsCode(JAFFLE_SHOP, 'new chart/1', { name: 'New', metricQuery: {} }),
    request: `POST ${P}/code/charts/new%20chart%2F1`,
    body: { name: 'New', metricQuery: {} },
    gives: expect.objectContaining({ charts: [expect.objectContaining({ action: 'create' })] }),
  },
  {
    method: 'searchContent',
    call: (client) =>
      client.searchContent({
        search: 'orders by',
        projectUuids: [JAFFLE_SHOP],
        contentTypes: ['chart', 'space'],
        page: 1,
        pageSize: 1,
      }),
    request: `GET /api/v2/content?search=orders+by&projectUuids=${JAFFLE_SHOP}&contentTypes=chart&contentTypes=space&page=1&pageSize=1`,
    gives: expect.objectContaining({
      data: [expect.objectContaining({ contentType: 'chart', name: 'Orders by status' })],
    }),
  },
  {
    method: 'listExplores',
    call: async (client) => (await client.listExplores(JAFFLE_SHOP)).map(({ name }) => name),
    request: `GET ${P}/explores`,
    gives: expect.arrayContaining(['orders', 'customers']),
  },
  {
    method: 'getExplore',
    call: (client) => client.getExplore(JAFFLE_SHOP, 'orders'),
    request: `GET ${P}/explores/orders`,
    gives: expect.objectContaining({
      baseTable: 'orders',
      joinedTables: [expect.objectContaining({ table: 'customers' })],
    }),
  },
  {
    method: 'listMetrics',
    call: (client) => client.listMetrics(JAFFLE_SHOP, { search: 'revenue', page: 1, pageSize: 5 }),
    request: `GET ${P}/dataCatalog/metrics?search=revenue&page=1&pageSize=5`,
    gives: expect.objectContaining({
      data: [expect.objectContaining({ tableName: 'orders', name: 'revenue' })],
    }),
  },
  {
    method: 'compileQuery',
    call: (client) => client.compileQuery(JAFFLE_SHOP, QUERY),
    request: `POST ${P}/explores/orders/compileQuery`,
    body: QUERY,
    gives: expect.stringContaining('GROUP BY 1'),
  },
  {
    method: 'runQuery',
    call: (client) => client.runQuery(JAFFLE_SHOP, QUERY, { rows: 2 }),
    request: expect.stringMatching(
      `^GET /api/v2/projects/${JAFFLE_SHOP}/query/[0-9a-f-]{36}\\?page=1&pageSize=2$`,
    ) as unknown as string,
    gives: {
      rows: [
        expect.objectContaining({ orders_status: { value: expect.any(Object) } }),
        expect.any(Object),
      ],
      total: 3,
      started: expect.objectContaining({ queryUuid: expect.any(String) }),
    },
  },
];

function written({ method, path, query }: SeenRequest): string {
  return `${method} ${path}${query.size === 0 ? '' : `?${query}`}`;
}

async function spaceIn(sandbox: Sandbox): Promise<string> {
  return (await firstSpace(clientOf(sandbox))).space;
}

describe('the client', () => {
  it.each(CONTRACTS)('$method', async ({ call, request, gives, body }) => {
    const sandbox = await startSandbox();
    const space = await spaceIn(sandbox);
    expect(await call(clientOf(sandbox))).toEqual(gives);
    const last = sandbox.requests.at(-1)!;
    const expected = typeof request === 'string' ? request.replace('SPACE', space) : request;
    expect(written(last)).toEqual(expected);
    expect(last.body).toEqual(body);
    expect(last.headers.authorization).toBe(`ApiKey ${sandbox.token}`);
  });

  it('has a case for each of its methods', () => {
    const methods = Object.getOwnPropertyNames(LightdashClient.prototype).slice(1);
    expect(CONTRACTS.map(({ method }) => method).toSorted()).toEqual(methods.toSorted());
  });

  it('sends the headers for a proxy', async () => {
    const sandbox = await startSandbox();
    const env = {
      LIGHTDASH_PROXY_AUTHORIZATION: 'Basic abc',
      LIGHTDASH_EXTRA_HEADERS: '{"X-Edge-Key":"k","__proto__":"x"}',
    };
    await clientOf(sandbox, {}, env).listProjects();
    expect(sandbox.requests[0]!.headers).toMatchObject({
      'proxy-authorization': 'Basic abc',
      'x-edge-key': 'k',
      accept: 'application/json',
    });
  });

  it('works below a base path', async () => {
    const sandbox = await startSandbox();
    const client = clientOf(sandbox, {}, { LIGHTDASH_URL: `${sandbox.url}/bi/` });
    await expect(client.listProjects()).rejects.toMatchObject({ kind: 'not-lightdash' });
    expect(sandbox.requests[0]!.path).toBe('/bi/api/v1/org/projects');
  });
});

describe('a member', () => {
  it('is found in the list, on any page', async () => {
    const sandbox = await startSandbox();
    const client = clientOf(sandbox);
    const last = (await client.listMembers({ page: 2, pageSize: 100 })).data.at(-1)!;
    expect(await client.getMember(last.userUuid)).toEqual(last);
    expect(written(sandbox.requests.at(-1)!)).toBe('GET /api/v1/org/users?page=1&pageSize=500');
  });

  it('that is unknown is not found', async () => {
    const sandbox = await startSandbox();
    await expect(clientOf(sandbox).getMember(NOBODY)).rejects.toMatchObject({
      kind: 'not-found',
      message: expect.stringContaining('No matching member'),
    });
  });
});

describe('the members of a group', () => {
  const membersOf = async (client: LightdashClient): Promise<readonly string[]> => {
    const group = await client.getGroup(GROUP, { includeMembers: 100 });
    return 'members' in group ? group.members.map(({ userUuid }) => userUuid) : [];
  };

  it('are all kept if many are added and removed at once', async () => {
    const sandbox = await startSandbox();
    const client = clientOf(sandbox);
    const { data } = await client.listMembers({ page: 1, pageSize: 12 });
    const users = data.map(({ userUuid }) => userUuid).filter((user) => user !== EDITOR);
    await Promise.all(users.map((user) => client.addUserToGroup(GROUP, user)));
    expect((await membersOf(client)).toSorted()).toEqual([EDITOR, ...users].toSorted());
    await Promise.all(users.slice(3).map((user) => client.removeUserFromGroup(GROUP, user)));
    expect((await membersOf(client)).toSorted()).toEqual([EDITOR, ...users.slice(0, 3)].toSorted());
  });

  it('are not written if nothing changes', async () => {
    const sandbox = await startSandbox();
    const client = clientOf(sandbox);
    await client.addUserToGroup(GROUP, EDITOR);
    await client.removeUserFromGroup(GROUP, NOBODY);
    expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it('are not written if Lightdash does not list them', async () => {
    const sandbox = await startSandbox();
    sandbox.fail({ fault: 'other-json', path: /\/groups\// });
    await expect(clientOf(sandbox).addUserToGroup(GROUP, NOBODY)).rejects.toThrow();
    expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('charts as code', () => {
  it('are read from the old address of older servers', async () => {
    const sandbox = await startSandbox();
    sandbox.fail({ fault: 'no-route', path: /\/code\/charts$/ });
    const { charts, total } = await clientOf(sandbox).listChartsAsCode(JAFFLE_SHOP, {
      offset: 300,
    });
    expect([charts.length, total]).toEqual([12, 312]);
    expect(written(sandbox.requests.at(-1)!)).toBe(`GET ${P}/charts/code?offset=300`);
  });

  it('are written to the old address of older servers', async () => {
    const sandbox = await startSandbox();
    sandbox.fail({ fault: 'no-route', path: /\/code\/charts\/new$/ });
    const chart = { name: 'New', metricQuery: {} };
    await clientOf(sandbox).upsertChartAsCode(JAFFLE_SHOP, 'new', chart);
    expect(written(sandbox.requests.at(-1)!)).toBe(`POST ${P}/charts/new/code`);
  });
});

describe('values of a field', () => {
  const wanted = { fieldId: 'orders_status', table: 'orders', search: 'STATUS 1', limit: 3 };

  it('are those that contain the text', async () => {
    const sandbox = await startSandbox();
    const values = await clientOf(sandbox).projects.searchFieldValues(JAFFLE_SHOP, wanted);
    expect(values).toEqual(['orders_status 1', 'orders_status 10', 'orders_status 11']);
  });

  it('are searched at the old address of older servers', async () => {
    const sandbox = await startSandbox();
    sandbox.fail({ fault: 'no-route', path: /\/field-values$/ });
    const values = await clientOf(sandbox).projects.searchFieldValues(JAFFLE_SHOP, wanted);
    expect(values).toEqual(['orders_status 1', 'orders_status 10', 'orders_status 11']);
    expect(written(sandbox.requests.at(-1)!)).toBe(`POST ${P}/field/orders_status/search`);
  });
});

describe('a query', () => {
  it('is polled until it is done, and reports that it waits', async () => {
    const sandbox = await startSandbox();
    const states: string[] = [];
    const onWaiting = (status: string): void => void states.push(status);
    await clientOf(sandbox).runQuery(JAFFLE_SHOP, QUERY, { rows: 1, onWaiting });
    expect(states).toEqual(['queued', 'executing']);
  });

  it('is cancelled in Lightdash if its caller cancels', async () => {
    const sandbox = await startSandbox();
    const stop = new AbortController();
    const run = clientOf(sandbox).runQuery(JAFFLE_SHOP, QUERY, {
      rows: 1,
      signal: stop.signal,
      onWaiting: () => stop.abort(new Error('enough')),
    });
    await expect(run).rejects.toThrow();
    await expect
      .poll(() => written(sandbox.requests.at(-1)!))
      .toMatch(/^POST \/api\/v2\/projects\/.*\/query\/.*\/cancel$/);
  });

  it('that takes too long is cancelled and reported', async () => {
    const sandbox = await startSandbox();
    const run = clientOf(sandbox).runQuery(JAFFLE_SHOP, QUERY, { rows: 1, timeoutMs: 1 });
    await expect(run).rejects.toMatchObject({ kind: 'timeout' });
    await expect.poll(() => sandbox.requests.at(-1)!.path).toMatch(/\/cancel$/);
  });

  it('of an unknown field names the field', async () => {
    const sandbox = await startSandbox();
    const run = clientOf(sandbox).runQuery(JAFFLE_SHOP, { ...QUERY, metrics: ['x'] }, { rows: 1 });
    await expect(run).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('unknown id: x'),
    });
  });
});
