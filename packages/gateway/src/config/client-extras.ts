/** Fields that clients put into server entries for their own use. */

/** They change nothing for us, so they pass without a word. */
export const CLIENT_EXTRAS: ReadonlySet<string> = new Set([
  // Which servers and tools a client offers or approves by itself: Cline, Roo, Windsurf, Gemini, Copilot.
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
  // Where a server came from, and its face: Zed, VS Code, Gemini, registries.
  'description',
  'extensionName',
  'gallery',
  'icon',
  'name',
  'settings',
  'source',
  'version',
]);

/** They would change how the server runs, and we do not follow them: what to do instead. */
export const UNSUPPORTED_FIELDS: ReadonlyMap<string, string> = new Map([
  ['envFile', 'put the variables into "env", or set them where Callsign is started'],
  ['env_file', 'put the variables into "env", or set them where Callsign is started'],
  ['headersHelper', 'put the header into "headers", its secret into an environment variable'],
  ['transport', 'write "type" instead'],
  ['transportType', 'write "type" instead'],
]);
