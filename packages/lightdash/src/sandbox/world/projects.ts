/** The sandbox's projects. */

import type { Project, ProjectSummary } from '../../client/project.js';
import { ADMIN, ORGANIZATION } from './people.js';
import { dateOf, uuidOf } from './uuid.js';

/** The project of a new Lightdash. */
export const JAFFLE_SHOP = '3675b69e-8324-4110-bdca-059031aa8da3';

export interface SandboxProject {
  readonly summary: ProjectSummary;
  readonly detail: Project;
  readonly charts: number;
  readonly dashboards: number;
}

/** Four projects. One is a preview of another. */
export function createProjects(): SandboxProject[] {
  return [
    projectOf(JAFFLE_SHOP, 'Jaffle shop', 'postgres', 312, 45),
    projectOf(uuidOf('project', 'marketing'), 'Marketing analytics', 'bigquery', 128, 20),
    projectOf(uuidOf('project', 'finance'), 'Finance', 'snowflake', 64, 9),
    projectOf(
      uuidOf('project', 'preview'),
      'Preview: new orders model',
      'postgres',
      8,
      1,
      JAFFLE_SHOP,
    ),
  ];
}

function projectOf(
  projectUuid: string,
  name: string,
  warehouseType: string,
  charts: number,
  dashboards: number,
  upstream?: string,
): SandboxProject {
  const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  const type = upstream === undefined ? 'DEFAULT' : 'PREVIEW';
  const expiresAt = upstream === undefined ? null : dateOf(9_000);
  return {
    charts,
    dashboards,
    summary: {
      projectUuid,
      name,
      slug,
      type,
      createdByUserUuid: ADMIN,
      createdByUserName: 'Ada Admin',
      createdAt: dateOf(0),
      upstreamProjectUuid: upstream ?? null,
      warehouseType,
      expiresAt,
    },
    detail: {
      organizationUuid: ORGANIZATION,
      projectUuid,
      name,
      slug,
      type,
      dbtConnection: {
        type: 'github',
        authorization_method: 'personal_access_token',
        repository: `example/${slug}`,
        branch: 'main',
        project_sub_path: '/',
        environment: [{ key: 'DBT_SCHEMA', value: 'analytics' }],
      },
      warehouseConnection: {
        type: warehouseType,
        host: `${slug}.warehouse.internal`,
        port: 5432,
        dbname: 'analytics',
        schema: slug,
      },
      dbtVersion: 'v1.10',
      schedulerTimezone: 'UTC',
      queryTimezone: null,
      useProjectTimezoneInFilters: false,
      schedulerFailureNotifyRecipients: true,
      schedulerFailureIncludeContact: true,
      schedulerFailureContactOverride: null,
      createdByUserUuid: ADMIN,
      hasDefaultUserSpaces: false,
      colorPaletteUuid: null,
      expiresAt,
      agentSqlScope: null,
      ...(upstream === undefined ? {} : { upstreamProjectUuid: upstream }),
    },
  };
}
