// The server.
export { createLightdashServer, type LightdashServerOptions } from './server/lightdash-server.js';
export { VERSION } from './server/version.js';

// The client.
export {
  type CallOptions,
  LightdashClient,
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

// What Lightdash answers with.
export type {
  Author,
  Chart,
  ChartAsCode,
  ChartsAsCode,
  Content,
  ContentFind,
  ContentQuery,
  ContentType,
  Dashboard,
  SpaceDashboard,
  UpsertedChart,
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
export type { RunQueryOptions } from './client/run-query.js';
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
