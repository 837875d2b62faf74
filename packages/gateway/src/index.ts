// Configuration: files of any client, fully checked.
export { loadConfig } from './config/load-config.js';
export type { LoadOptions } from './config/load-config.js';
export { parseConfig } from './config/parse-config.js';
export type { ParseOptions } from './config/parse-config.js';
export type { ConfigResult, GatewayConfig, UnavailableServer } from './config/gateway-config.js';
export { addedProblems } from './config/added-problems.js';
export type { AddedProblems } from './config/added-problems.js';
export { sameServer } from './config/server-config.js';
export type { RemoteServer, ServerConfig, StdioServer } from './config/server-config.js';
export type {
  AnnotationOverride,
  HttpSettings,
  LimitSettings,
  RestartSettings,
  ServerSettings,
  Settings,
  ToolFilter,
} from './config/settings.js';
export { expandVariables } from './config/variables.js';
export type { Environment } from './config/variables.js';

export type { UserModule } from './config/user-module.js';

// Problems, and the schema for editors.
export { configSchema } from './config/config-schema.js';

// Starting server processes.
export { childEnvironment } from './config/child-environment.js';
export { resolveCommand } from './config/resolve-command.js';
export type { ResolveOptions } from './config/resolve-command.js';

// The gateway itself.
export { createGateway, loadWithModules } from './gateway/create-gateway.js';
export { Gateway } from './gateway/gateway.js';
export type { GatewayOptions } from './gateway/gateway.js';
export type { ServerStatus } from './servers/roster.js';
export { Reloader } from './gateway/reloader.js';
export type { ConfigStatus } from './gateway/reloader.js';

// The admin listener and its client.
export { AdminError, AdminRouter } from './admin/admin-router.js';
export { AdminServer } from './admin/admin-server.js';
export { connectAdmin, findGateways } from './admin/admin-client.js';
export type { AdminClient, FindOptions } from './admin/admin-client.js';
export { decideApproval, listApprovals, serveApprovals } from './admin/approval-routes.js';
export type { RemoteApproval } from './admin/approval-routes.js';
export { serveAdminApi } from './admin/admin-routes.js';
export type { AdminRoutesOptions } from './admin/admin-routes.js';
export type { RecordQueries } from './admin/admin-records.js';

// Tools as people see them.
export { definitionOfTool, parametersOf } from './admin/tool-definition.js';
export type { Parameter, ToolDefinition } from './admin/tool-definition.js';
export { lintTools } from './admin/lint-tools.js';
export type { LintOptions } from './admin/lint-tools.js';
export { withLabels } from './admin/accepted-labels.js';
export type { AcceptedLabel } from './admin/accepted-labels.js';

// The console.
export { gatewayConsole } from './console/gateway-console.js';
export type { GatewayConsoleOptions } from './console/gateway-console.js';
export type { ConsoleSite } from './console/console-site.js';
export { openConsolePage } from './console/console-page.js';
export type { ConsolePage, ConsolePageOptions } from './console/console-page.js';
