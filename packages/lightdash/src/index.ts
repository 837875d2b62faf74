// The server.
export { createLightdashServer, type LightdashServerOptions } from './server/lightdash-server.js';
export { VERSION } from './server/version.js';

// The client.
export type { CallOptions } from './client/call-options.js';
export type { FieldValues, NewSpace, ProjectApi } from './client/project-api.js';
export {
  LightdashClient,
  type MemberRange,
  type SearchPage,
  type SpaceAddress,
} from './client/lightdash-client.js';
export {
  type Connection,
  ConnectionProblem,
  type Environment,
  readConnection,
} from './client/connection.js';
export { LightdashError, type LightdashErrorKind } from './client/lightdash-error.js';
export type { HttpLimits } from './client/lightdash-http.js';

// Types of Lightdash's answers.
export type {
  Author,
  Chart,
  ChartsAsCode,
  Content,
  ContentAsCode,
  ContentFind,
  ContentQuery,
  ContentType,
  Dashboard,
  DashboardsAsCode,
  SpaceDashboard,
  UpsertedChart,
  UpsertedDashboard,
  Verification,
} from './client/content.js';
export type {
  CatalogMetric,
  Explore,
  ExploreField,
  ExploreSummary,
  ExploreTable,
} from './client/explore.js';
export type { Group, GroupMember, GroupWithMembers } from './client/group.js';
export type { Member, OrganizationRole } from './client/member.js';
export type { Cell, MetricQuery, QueryResult, ResultRow } from './client/metric-query.js';
export type { Page, PageRequest, Pagination } from './client/page.js';
export type { Project, ProjectSummary } from './client/project.js';
export type { RetryPolicy } from './client/retry.js';
export type { QueryStart, RunQueryOptions } from './client/run-query.js';
export type { Scheduler } from './client/scheduler.js';
export type { Secret } from './client/secret.js';
export type {
  GroupAccess,
  Space,
  SpaceAccess,
  SpaceIdentity,
  SpaceRole,
  SpaceShare,
  SpaceSummary,
} from './client/space.js';
export type { Tag } from './client/tag.js';
export type { ValidationProblem } from './client/validation.js';
