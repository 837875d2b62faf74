// Configuration: files of any client, fully checked.
export { loadConfig } from './config/load-config.js';
export type { LoadOptions } from './config/load-config.js';
export { parseConfig } from './config/parse-config.js';
export type { ParseOptions } from './config/parse-config.js';
export type { ConfigResult, GatewayConfig, UnavailableServer } from './config/gateway-config.js';
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

// Starting server processes, and what keeps them from it.
export { findBadEntries } from './config/bad-entries.js';
export { findCommand } from './config/command-problem.js';
export type { FoundCommand } from './config/command-problem.js';
export { childEnvironment } from './config/child-environment.js';
export { resolveCommand } from './config/resolve-command.js';
export type { ResolveOptions } from './config/resolve-command.js';

// The gateway itself.
export { createGateway, loadWithModules } from './gateway/create-gateway.js';
export { Gateway } from './gateway/gateway.js';
export { firstGreeting } from './gateway/first-greeting.js';
export type { FirstGreeting } from './gateway/first-greeting.js';
export type { GatewayOptions } from './gateway/gateway-options.js';
export type { ServerStatus } from './servers/roster.js';
export { Reloader } from './gateway/reloader.js';
export type { ConfigStatus } from './gateway/reloader.js';

// The admin listener and its client.
export { AdminError, AdminRouter } from './admin/admin-router.js';
export { AdminServer } from './admin/admin-server.js';
export { connectAdmin, findGateways } from './admin/admin-client.js';
export type { AdminClient, FindOptions } from './admin/admin-client.js';
export {
  decideApproval,
  listApprovals,
  serveApprovals,
  showApproval,
} from './admin/approval-routes.js';
export type { RemoteApproval } from './admin/approval-routes.js';
export { callTool } from './admin/call-tool.js';
export type { ToolCallAnswer, ToolCallOutlet, ToolCallRequest } from './admin/call-tool.js';
export { callThrough, serveCalls } from './admin/call-routes.js';
export { healthOf, statusOf } from './admin/gateway-status.js';
export type { ConnectedClient, GatewayStatus } from './admin/gateway-status.js';
export { offeredTools, serveServers } from './admin/server-routes.js';
export type { OfferedTools } from './admin/server-routes.js';
export type { LogLine } from './servers/server-log.js';
