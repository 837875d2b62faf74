/** Fields in server entries that come from the files of other clients. */

/**
 * They are accepted without a warning, so that files work unchanged. They have no effect here, except for those in
 * `SWITCHED_OFF` and the lists of tools (`toolListsOf`).
 */
export const CLIENT_EXTRAS: ReadonlySet<string> = new Set([
  // Servers and tools that a client offers or approves automatically: Cline, Roo, Windsurf, Gemini, Copilot.
  'alwaysAllow',
  'alwaysLoad',
  'autoApprove',
  'disabled',
  'disabledTools',
  'enabled',
  'enabledTools',
  'excludeTools',
  'includeTools',
  'tools',
  'trust',
  // How a client waits for, watches or isolates a server: Cline, Roo, VS Code.
  'dev',
  'initTimeout',
  'networkTimeout',
  'sandbox',
  'sandboxEnabled',
  'timeout',
  'watchPaths',
  // How a client signs in: Claude Code, Cursor, Gemini.
  'auth',
  'authProviderType',
  'oauth',
  // Origin and icon of a server: Zed, VS Code, Gemini, registries.
  'description',
  'extensionName',
  'gallery',
  'icon',
  'name',
  'settings',
  'source',
  'version',
]);

/** Fields that would change how the server runs and that we do not support, with an alternative. */
export const UNSUPPORTED_FIELDS: ReadonlyMap<string, string> = new Map([
  ['envFile', 'put the variables into "env", or set them where Callsign is started'],
  ['env_file', 'put the variables into "env", or set them where Callsign is started'],
  ['headersHelper', 'put the header into "headers", its secret into an environment variable'],
  ['transport', 'write "type" instead'],
  ['transportType', 'write "type" instead'],
]);
