// Configuration: a file of any client, checked as a whole.
export { loadConfig } from './config/load-config.js';
export type { LoadOptions } from './config/load-config.js';
export { parseConfig } from './config/parse-config.js';
export type { ParseOptions } from './config/parse-config.js';
export type { ConfigResult, GatewayConfig } from './config/gateway-config.js';
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
export type { Environment } from './config/variables.js';

// What is wrong with one, and the schema for editors.
export { formatProblems } from './config/format-problems.js';
export type { Problem, ProblemCode } from './config/problem.js';
export { configSchema } from './config/config-schema.js';

// Starting a child.
export { childEnvironment } from './config/child-environment.js';
export { resolveCommand } from './config/resolve-command.js';
export type { ResolveOptions } from './config/resolve-command.js';

// The gateway itself.
export { Gateway } from './gateway.js';
export type { GatewayOptions } from './gateway.js';
export type { ServerStatus } from './roster.js';
export { Reloader } from './reloader.js';
export type { ConfigStatus } from './reloader.js';
export { createLog } from './log.js';
export type { Log, LogLevel } from './log.js';

// What governs calls.
export { createPolicy } from './policy/policy.js';
export type { Policy } from './policy/policy.js';
export { POLICY_SETTINGS } from './policy/policy-settings.js';
export type { PolicySettings } from './policy/policy-settings.js';
export { createRoles } from './roles/roles.js';
export type { Roles } from './roles/roles.js';
export type { Role } from './roles/roles-settings.js';
export { SCOPES } from './policy/question.js';

// The owner's door to a running gateway, and the way to it.
export { AdminError, AdminRouter } from './admin/admin-router.js';
export { AdminServer } from './admin/admin-server.js';
export { connectAdmin, findGateways } from './admin/admin-client.js';
export type { AdminClient, FindOptions } from './admin/admin-client.js';
export { decideApproval, listApprovals, serveApprovals } from './admin/approval-routes.js';
export type { RemoteApproval } from './admin/approval-routes.js';
export { stateFolder } from './admin/state-folder.js';

// Who may call, and signing in to servers.
export { createApiKey } from './auth/api-key.js';
export { mayListen } from './auth/may-listen.js';
export { createOutboundFetch } from './sign-in/outbound-fetch.js';
export { openBrowser } from './sign-in/open-browser.js';
export { signIn } from './sign-in/sign-in.js';
export { SignInError } from './sign-in/sign-in-error.js';
export { SignInFile } from './sign-in/sign-in-file.js';
export { signOut } from './sign-in/sign-out.js';

// What was accepted. What was done is in `audit-log.ts`, which has the database loaded.
export { TrustLock } from './trust/trust-lock.js';
export type { Standing, ToolStanding } from './trust/trust-lock.js';
export { lockFileOf } from './trust/lock-file-path.js';
