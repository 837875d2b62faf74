// The API: methods, paths and their handlers.
export { AdminError } from './router/admin-error.js';
export { AdminRouter } from './router/admin-router.js';
export { serveAdminApi } from './routes/admin-routes.js';
export type { AdminApi, AdminRoutesOptions } from './routes/admin-routes.js';
export { healthOf, statusOf } from './routes/gateway-status.js';
export type { ConnectedClient, GatewayStatus } from './routes/gateway-status.js';
export { callTool } from './routes/call-tool.js';
export type { ToolCallAnswer, ToolCallClient, ToolCallRequest } from './routes/call-tool.js';
export { serveApprovals } from './routes/approval-routes.js';
export type { OfferedTools } from './routes/server-routes.js';

// The socket and its client.
export { AdminServer } from './socket/admin-server.js';
export { findGateways } from './socket/admin-client.js';
export type { AdminClient, FindOptions } from './socket/admin-client.js';
export { decideApproval, listApprovals, showApproval } from './routes/approval-routes.js';
export type { RemoteApproval } from './routes/approval-routes.js';
export { callThrough } from './routes/call-routes.js';

// Tools as commands and pages show them.
export { definitionOfTool, parametersOf } from './tool/tool-definition.js';
export type { ParameterData } from './data/admin-data.js';
export type { ToolDefinition } from './tool/tool-definition.js';
export { lintTools } from './tool/lint-tools.js';
export type { LintOptions } from './tool/lint-tools.js';
export { needsNumbers } from '../scripts/tools/script-question.js';
export { withLabels } from './tool/accepted-labels.js';
export type { AcceptedLabel } from './tool/accepted-labels.js';

// What lists of tools cost a model.
export { viewTokens } from '../servers/view-tokens.js';
export type { ServerTokens, TokenSums } from '../servers/view-tokens.js';

// The console.
export { gatewayConsole } from './console/gateway-console.js';
export type { GatewayConsoleOptions } from './console/gateway-console.js';
export type { ConsoleSite } from './console/console-site.js';
export { openConsolePage } from './console/console-page.js';
export type { ConsolePage, ConsolePageOptions } from './console/console-page.js';
