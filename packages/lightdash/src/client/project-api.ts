/** The endpoints of a project that only the tools beyond the ten use. */

import type { CallOptions } from './call-options.js';
import { listAsCode, writeAsCode, type CodeQuery } from './content-as-code.js';
import type { DashboardsAsCode, UpsertedDashboard } from './content.js';
import { isMissingEndpoint } from './lightdash-error.js';
import type { LightdashHttp } from './lightdash-http.js';
import type { QueryResult } from './metric-query.js';
import type { Page, PageRequest } from './page.js';
import { path } from './path.js';
import { runQuery, type RunQueryOptions } from './run-query.js';
import type { Scheduler } from './scheduler.js';
import { asList, asObject, asPage } from './shape.js';
import type { SpaceIdentity } from './space.js';
import type { Tag } from './tag.js';
import type { ValidationProblem } from './validation.js';

/** A request for the values of one field that contain `search`. */
export interface FieldValues {
  readonly fieldId: string;
  readonly table: string;
  readonly search: string;
  readonly limit: number;
}

/** A space to create. Without a parent it is at the top of its project. */
export interface NewSpace {
  readonly name: string;
  readonly parentSpaceUuid?: string | undefined;
}

/** Some of these endpoints were tested only with the sandbox; see docs/lightdash.md. */
export class ProjectApi {
  readonly #http: LightdashHttp;

  constructor(http: LightdashHttp) {
    this.#http = http;
  }

  async listTags(project: string, options?: CallOptions): Promise<readonly Tag[]> {
    return asList(
      await this.#http.get(path`/api/v1/projects/${project}/tags`, options),
      'the tags',
    );
  }

  async listSchedulers(
    project: string,
    query: PageRequest & { readonly searchQuery?: string | undefined },
    options?: CallOptions,
  ): Promise<Page<Scheduler>> {
    const address = path`/api/v1/schedulers/${project}/list`;
    return asPage(await this.#http.get(address, options, { ...query }), 'the schedulers');
  }

  /** Starts a check of all content. Returns the id of the job. */
  async validate(project: string, options?: CallOptions): Promise<string> {
    const address = path`/api/v1/projects/${project}/validate`;
    const results = await this.#http.write('POST', address, options, {});
    return asObject<{ jobId: string }>(results, 'the validation').jobId;
  }

  /** The problems from the last check. Older servers have another address, without pages. */
  async listValidationProblems(
    project: string,
    query: PageRequest,
    options?: CallOptions,
  ): Promise<Page<ValidationProblem>> {
    try {
      const address = path`/api/v2/projects/${project}/validate`;
      return asPage(await this.#http.get(address, options, { ...query }), 'the problems');
    } catch (error) {
      if (!isMissingEndpoint(error)) throw error;
      const address = path`/api/v1/projects/${project}/validate`;
      return { data: asList(await this.#http.get(address, options), 'the problems') };
    }
  }

  /** Values of a field that contain the text. Older servers have another address, without a query. */
  async searchFieldValues(
    project: string,
    { fieldId, ...body }: FieldValues,
    options?: CallOptions,
  ): Promise<readonly unknown[]> {
    const start = {
      path: path`/api/v2/projects/${project}/query/field-values`,
      body: { fieldId, ...body },
    };
    try {
      const wanted = { ...options, rows: body.limit };
      const { rows, started } = await runQuery(this.#http, project, start, wanted);
      // A field can have labels for its values, in another column.
      const column = String(Reflect.get(started, 'valueFieldId') ?? fieldId);
      return rows.map((row) => row[column]?.value.raw ?? null);
    } catch (error) {
      if (!isMissingEndpoint(error)) throw error;
    }
    const address = path`/api/v1/projects/${project}/field/${fieldId}/search`;
    const results = await this.#http.write('POST', address, options, body);
    const { results: values } = asObject<{ results: unknown }>(results, 'the values');
    return Array.isArray(values) ? values : [];
  }

  /** Dashboards as code, starting at `offset`. */
  listDashboardsAsCode(
    project: string,
    query: CodeQuery,
    options?: CallOptions,
  ): Promise<DashboardsAsCode> {
    return listAsCode(this.#http, project, 'dashboards', query, options);
  }

  async upsertDashboardAsCode(
    project: string,
    slug: string,
    dashboard: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<UpsertedDashboard> {
    const target = { project, kind: 'dashboards', slug } as const;
    return asObject(await writeAsCode(this.#http, target, dashboard, options), 'the dashboard');
  }

  async createSpace(
    project: string,
    space: NewSpace,
    options?: CallOptions,
  ): Promise<SpaceIdentity> {
    const address = path`/api/v1/projects/${project}/spaces`;
    return asObject(await this.#http.write('POST', address, options, space), 'the new space');
  }

  /** Runs SQL in the warehouse and waits for its first rows. */
  runSql(project: string, sql: string, options: RunQueryOptions): Promise<QueryResult> {
    const start = { path: path`/api/v2/projects/${project}/query/sql`, body: { sql } };
    return runQuery(this.#http, project, start, options);
  }

  /** Runs the query of a saved chart and waits for its first rows. */
  runChart(project: string, chartUuid: string, options: RunQueryOptions): Promise<QueryResult> {
    const body = { chartUuid, limit: options.rows };
    const start = { path: path`/api/v2/projects/${project}/query/chart`, body };
    return runQuery(this.#http, project, start, options);
  }
}
