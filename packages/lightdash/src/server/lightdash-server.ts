/**
 * Creates the Lightdash server: ten tools that read, and more if the operator chooses a safety
 * mode.
 */

import { createRegistrar, TOOL_PREFIX, type AuditSink, type SafetyMode } from '@callsign/toolkit';
import { McpServer } from '@modelcontextprotocol/server';

import type { LightdashClient } from '../client/lightdash-client.js';
import { registerChartCodeTools } from '../tools/beyond/charts-as-code.js';
import { registerDashboardCodeTools } from '../tools/beyond/dashboards-as-code.js';
import { registerExploreTools } from '../tools/beyond/explores.js';
import { registerFieldTools } from '../tools/beyond/fields.js';
import { registerGroupMemberTools } from '../tools/beyond/group-members.js';
import { registerPeopleChangeTools } from '../tools/beyond/people-changes.js';
import { registerQueryTools } from '../tools/beyond/queries.js';
import { registerUrlTools } from '../tools/beyond/resolve-url.js';
import { registerResultTools } from '../tools/beyond/results.js';
import { registerSearchTools } from '../tools/beyond/search.js';
import { registerSpaceAccessTools } from '../tools/beyond/space-access.js';
import { registerUpkeepTools } from '../tools/beyond/upkeep.js';
import { registerChartTools } from '../tools/charts.js';
import { registerDashboardTools } from '../tools/dashboards.js';
import { registerGroupTools } from '../tools/groups.js';
import { createProjectScope } from '../tools/project-scope.js';
import { registerProjectTools } from '../tools/projects.js';
import { registerSpaceTools } from '../tools/spaces.js';
import type { ToolModule } from '../tools/toolbox.js';
import { registerUserTools } from '../tools/users.js';
import { VERSION } from './version.js';

/** What the operator chooses. */
export interface LightdashServerOptions {
  readonly client: LightdashClient;
  /** The prefix of every tool's name. */
  readonly prefix?: string | undefined;
  /** Adds the tools beyond the ten that this mode allows. Default: the ten, which read. */
  readonly safetyMode?: SafetyMode | undefined;
  /** The visible projects, by UUID. Default: all projects of the token. */
  readonly projects?: readonly string[] | undefined;
  /** Tools that write only describe what they would do. */
  readonly dryRun?: boolean | undefined;
  /** Gets a record of every call. */
  readonly audit?: AuditSink | undefined;
}

/** The ten tools, domain by domain. */
const TEN: readonly ToolModule[] = [
  registerProjectTools,
  registerChartTools,
  registerDashboardTools,
  registerSpaceTools,
  registerUserTools,
  registerGroupTools,
];

const BEYOND: readonly ToolModule[] = [
  registerSearchTools,
  registerExploreTools,
  registerQueryTools,
  registerChartCodeTools,
  registerSpaceAccessTools,
  registerPeopleChangeTools,
  registerGroupMemberTools,
  registerUpkeepTools,
  registerFieldTools,
  registerDashboardCodeTools,
  registerUrlTools,
  registerResultTools,
];

/**
 * Returns a server that is not connected yet. Several servers can share one client and its limits.
 */
export function createLightdashServer({
  client,
  prefix = TOOL_PREFIX,
  safetyMode,
  projects,
  dryRun = false,
  audit,
}: LightdashServerOptions): McpServer {
  const scope = createProjectScope(projects);
  const registerToolSafe = createRegistrar({
    prefix,
    strict: true,
    // The command prints it once, as text or as JSON.
    onMistake: () => undefined,
    interceptors: {
      audit,
      dryRun,
      safetyMode: safetyMode ?? 'read-only',
      allowList: scope.projects && {
        fields: ['projectUuid', 'projectUuids'],
        values: scope.projects,
      },
    },
  });
  const server = new McpServer({
    name: 'callsign-lightdash',
    title: 'Lightdash',
    version: VERSION,
  });
  const modules = safetyMode === undefined ? TEN : [...TEN, ...BEYOND];
  for (const register of modules) register({ server, registerToolSafe, client, scope });
  return server;
}
