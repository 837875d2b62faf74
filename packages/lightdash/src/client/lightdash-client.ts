/** The client of the Lightdash API: one method per endpoint that the tools use. */

import type { CallOptions } from './call-options.js';
import type { Connection } from './connection.js';
import { listAsCode, writeAsCode, type CodeQuery } from './content-as-code.js';
import type {
  Chart,
  ChartsAsCode,
  ContentFind,
  ContentQuery,
  Dashboard,
  UpsertedChart,
} from './content.js';
import type { CatalogMetric, Explore, ExploreSummary } from './explore.js';
import { Gate } from './gate.js';
import type { Group, GroupMember, GroupWithMembers } from './group.js';
import { LightdashError } from './lightdash-error.js';
import { LightdashHttp, type HttpLimits } from './lightdash-http.js';
import type { Member } from './member.js';
import type { MetricQuery, QueryResult } from './metric-query.js';
import { eachOf, type Page, type PageRequest } from './page.js';
import { path } from './path.js';
import { ProjectApi } from './project-api.js';
import type { Project, ProjectSummary } from './project.js';
import { runQuery, type RunQueryOptions } from './run-query.js';
import { asList, asObject, asPage } from './shape.js';
import type { Space, SpaceRole, SpaceSummary } from './space.js';

/** A page of search results. */
export interface SearchPage extends PageRequest {
  readonly searchQuery?: string | undefined;
}

/** Few requests, even in a large organization. */
const MEMBERS_PAGE = 500;
/** Lightdash itself compares at most so many members of a group with a new list. */
const ALL_MEMBERS = 10_000;

/** Methods reject with a `LightdashError`. Only requests that read are retried. */
export class LightdashClient {
  /** The address of this Lightdash, with a trailing slash. */
  readonly url: URL;
  readonly projects: ProjectApi;
  readonly #http: LightdashHttp;
  readonly #memberChanges = new Gate(1);

  constructor(connection: Connection, limits: Partial<HttpLimits> = {}) {
    this.url = connection.url;
    this.#http = new LightdashHttp(connection, limits);
    this.projects = new ProjectApi(this.#http);
  }

  async listProjects(options?: CallOptions): Promise<readonly ProjectSummary[]> {
    return asList(await this.#http.get(path`/api/v1/org/projects`, options), 'the projects');
  }

  async getProject(project: string, options?: CallOptions): Promise<Project> {
    return asObject(await this.#http.get(path`/api/v1/projects/${project}`, options), 'a project');
  }

  async listCharts(project: string, options?: CallOptions): Promise<readonly Chart[]> {
    return asList(
      await this.#http.get(path`/api/v1/projects/${project}/charts`, options),
      'the charts',
    );
  }

  async listDashboards(project: string, options?: CallOptions): Promise<readonly Dashboard[]> {
    const address = path`/api/v1/projects/${project}/dashboards`;
    return asList(await this.#http.get(address, options), 'the dashboards');
  }

  async listSpaces(project: string, options?: CallOptions): Promise<readonly SpaceSummary[]> {
    return asList(
      await this.#http.get(path`/api/v1/projects/${project}/spaces`, options),
      'the spaces',
    );
  }

  async getSpace(project: string, space: string, options?: CallOptions): Promise<Space> {
    const address = path`/api/v1/projects/${project}/spaces/${space}`;
    return asObject(await this.#http.get(address, options), 'a space');
  }

  async listMembers(query: SearchPage, options?: CallOptions): Promise<Page<Member>> {
    const address = path`/api/v1/org/users`;
    return asPage(await this.#http.get(address, options, { ...query }), 'the members');
  }

  /** Searches the list of members: Lightdash removes its endpoint for one member. */
  async getMember(user: string, options?: CallOptions): Promise<Member> {
    const pages = eachOf((page) => this.listMembers(page, options), MEMBERS_PAGE);
    for await (const member of pages) {
      if (member.userUuid === user) return member;
    }
    throw new LightdashError(
      'not-found',
      'Lightdash API error: No matching member found in organization',
      { status: 404, apiName: 'NotFoundError' },
    );
  }

  async deleteMember(user: string, options?: CallOptions): Promise<void> {
    await this.#http.write('DELETE', path`/api/v1/org/user/${user}`, options);
  }

  async listGroups(query: SearchPage, options?: CallOptions): Promise<Page<Group>> {
    const address = path`/api/v1/org/groups`;
    return asPage(await this.#http.get(address, options, { ...query }), 'the groups');
  }

  /** A group, with the members in this range. */
  async getGroup(
    group: string,
    { includeMembers, offset }: MemberRange,
    options?: CallOptions,
  ): Promise<Group | GroupWithMembers> {
    const address = path`/api/v1/groups/${group}`;
    return asObject(await this.#http.get(address, options, { includeMembers, offset }), 'a group');
  }

  async createGroup(name: string, options?: CallOptions): Promise<Group> {
    const results = await this.#http.write('POST', path`/api/v1/org/groups`, options, { name });
    return asObject(results, 'the new group');
  }

  async updateGroup(group: string, name: string, options?: CallOptions): Promise<Group> {
    const results = await this.#http.write('PATCH', path`/api/v1/groups/${group}`, options, {
      name,
    });
    return asObject(results, 'the group');
  }

  async deleteGroup(group: string, options?: CallOptions): Promise<void> {
    await this.#http.write('DELETE', path`/api/v1/groups/${group}`, options);
  }

  async addUserToGroup(group: string, user: string, options?: CallOptions): Promise<void> {
    await this.#changeMembers(group, (members) => new Set([...members, user]), options);
  }

  async removeUserFromGroup(group: string, user: string, options?: CallOptions): Promise<void> {
    const without = (members: ReadonlySet<string>): Set<string> =>
      new Set([...members].filter((each) => each !== user));
    await this.#changeMembers(group, without, options);
  }

  /**
   * Lightdash takes only the whole list of members. So changes run one after the other, and none is
   * sent if nothing changes.
   */
  async #changeMembers(
    group: string,
    change: (members: ReadonlySet<string>) => ReadonlySet<string>,
    options?: CallOptions,
  ): Promise<void> {
    await this.#memberChanges.run(options?.signal, async () => {
      const found = await this.getGroup(group, { includeMembers: ALL_MEMBERS }, options);
      const { members, memberUuids } = asObject<Partial<GroupWithMembers>>(found, 'the group');
      const listed = asList<GroupMember>(members, 'the members').map(({ userUuid }) => userUuid);
      const before = new Set([...listed, ...(memberUuids ?? [])]);
      const after = change(before);
      if (after.size === before.size) return;
      await this.#http.write('PATCH', path`/api/v1/groups/${group}`, options, {
        members: Array.from(after, (userUuid) => ({ userUuid })),
      });
    });
  }

  async grantUserSpaceAccess(
    { project, space }: SpaceAddress,
    userUuid: string,
    spaceRole: SpaceRole,
    options?: CallOptions,
  ): Promise<void> {
    const address = path`/api/v1/projects/${project}/spaces/${space}/share`;
    await this.#http.write('POST', address, options, { userUuid, spaceRole });
  }

  async revokeUserSpaceAccess(
    { project, space }: SpaceAddress,
    user: string,
    options?: CallOptions,
  ): Promise<void> {
    const address = path`/api/v1/projects/${project}/spaces/${space}/share/${user}`;
    await this.#http.write('DELETE', address, options);
  }

  async grantGroupSpaceAccess(
    { project, space }: SpaceAddress,
    groupUuid: string,
    spaceRole: SpaceRole,
    options?: CallOptions,
  ): Promise<void> {
    const address = path`/api/v1/projects/${project}/spaces/${space}/group/share`;
    await this.#http.write('POST', address, options, { groupUuid, spaceRole });
  }

  async revokeGroupSpaceAccess(
    { project, space }: SpaceAddress,
    group: string,
    options?: CallOptions,
  ): Promise<void> {
    const address = path`/api/v1/projects/${project}/spaces/${space}/group/share/${group}`;
    await this.#http.write('DELETE', address, options);
  }

  /** Charts as code, starting at `offset`. */
  listChartsAsCode(
    project: string,
    query: CodeQuery,
    options?: CallOptions,
  ): Promise<ChartsAsCode> {
    return listAsCode(this.#http, project, 'charts', query, options);
  }

  async upsertChartAsCode(
    project: string,
    slug: string,
    chart: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<UpsertedChart> {
    const target = { project, kind: 'charts', slug } as const;
    return asObject(await writeAsCode(this.#http, target, chart, options), 'the chart');
  }

  async searchContent(
    { search, projectUuids, contentTypes, page, pageSize }: ContentQuery & PageRequest,
    options?: CallOptions,
  ): Promise<Page<ContentFind>> {
    const query = { search, projectUuids, contentTypes, page, pageSize };
    return asPage(await this.#http.get(path`/api/v2/content`, options, query), 'the finds');
  }

  async listExplores(project: string, options?: CallOptions): Promise<readonly ExploreSummary[]> {
    const address = path`/api/v1/projects/${project}/explores`;
    return asList(await this.#http.get(address, options), 'the explores');
  }

  async getExplore(project: string, explore: string, options?: CallOptions): Promise<Explore> {
    const address = path`/api/v1/projects/${project}/explores/${explore}`;
    return asObject(await this.#http.get(address, options), 'an explore');
  }

  async listMetrics(
    project: string,
    query: PageRequest & { readonly search?: string | undefined },
    options?: CallOptions,
  ): Promise<Page<CatalogMetric>> {
    const address = path`/api/v1/projects/${project}/dataCatalog/metrics`;
    return asPage(await this.#http.get(address, options, { ...query }), 'the metrics');
  }

  /** The SQL that a query would run. */
  async compileQuery(project: string, query: MetricQuery, options?: CallOptions): Promise<string> {
    const address = path`/api/v1/projects/${project}/explores/${query.exploreName}/compileQuery`;
    const results = await this.#http.write('POST', address, options, query);
    // Newer servers return an object, which also has parameters.
    return typeof results === 'string'
      ? results
      : asObject<{ query: string }>(results, 'the compiled query').query;
  }

  /** Runs a query and waits for its first rows. */
  runQuery(project: string, query: MetricQuery, options: RunQueryOptions): Promise<QueryResult> {
    const start = { path: path`/api/v2/projects/${project}/query/metric-query`, body: { query } };
    return runQuery(this.#http, project, start, options);
  }
}

/** How many members to return, and how many to skip. */
export interface MemberRange {
  readonly includeMembers: number;
  readonly offset?: number | undefined;
}

/** The UUIDs that identify a space. */
export interface SpaceAddress {
  readonly project: string;
  readonly space: string;
}
