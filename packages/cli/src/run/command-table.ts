/** Every command, in the order of the help. A module is imported only when its command runs. */

import type { CommandEntry } from '../command/command.js';
import type { Shell } from '../command/shell.js';
import { ADAPTER_COMMANDS } from './adapter-commands.js';

const serve = async (args: readonly string[], shell: Shell): Promise<number> =>
  (await import('../serve/serve.js')).serve(args, shell);

export const COMMANDS: readonly CommandEntry[] = [
  { name: '', load: () => import('../commands/welcome.js') },
  {
    name: 'setup',
    summary: 'Set everything up: servers, configuration, clients',
    heading: 'Start',
    load: () => import('../commands/setup.js'),
  },
  {
    name: 'init',
    summary: 'Create a configuration from the servers of your clients',
    load: () => import('../commands/init.js'),
  },
  {
    name: `import`,
    summary: 'Import servers from other clients',
    load: () => import('../commands/import.js'),
  },
  {
    name: 'install',
    summary: 'Add Callsign to a client',
    load: () => import('../commands/install.js'),
  },
  {
    name: 'uninstall',
    summary: 'Remove Callsign from a client',
    load: () => import('../commands/uninstall.js'),
  },
  {
    name: 'serve',
    summary: 'Serve all servers of a configuration as one',
    heading: 'Run',
    run: serve,
    flags: () => import('../serve/serve-flags.js'),
  },
  {
    name: 'connect',
    summary: 'Connect a client to your gateway, and start it if needed',
    run: async (args, shell) => (await import('../connect/connect.js')).connect(args, shell, serve),
    flags: () => import('../connect/connect-flags.js'),
  },
  {
    name: 'stop',
    summary: 'Stop your gateway in the background',
    load: () => import('../commands/stop.js'),
  },
  {
    name: 'restart',
    summary: 'Restart your gateway in the background',
    load: () => import('../commands/restart.js'),
  },
  {
    name: 'service install',
    summary: 'Run your gateway as a service of this user',
    load: () => import('../commands/service-install.js'),
  },
  {
    name: 'service uninstall',
    summary: 'Remove the service',
    load: () => import('../commands/service-uninstall.js'),
  },
  {
    name: 'reload',
    summary: 'Make a running gateway read its configuration again',
    load: () => import('../commands/reload.js'),
  },
  {
    name: 'status',
    summary: 'Show the running gateways and their servers',
    load: () => import('../commands/status.js'),
  },
  {
    name: 'console',
    summary: 'Open the web console of a running gateway',
    load: () => import('../commands/console.js'),
  },
  {
    name: 'logs',
    summary: 'Show what a server printed',
    load: () => import('../commands/logs.js'),
  },
  {
    name: 'validate',
    summary: 'Check a configuration',
    heading: 'Configuration',
    load: () => import('../commands/validate.js'),
  },
  {
    name: 'list',
    summary: 'List the servers of a configuration',
    load: () => import('../commands/list.js'),
  },
  { name: 'get', summary: 'Show one server', load: () => import('../commands/get.js') },
  {
    name: 'add',
    summary: 'Add a server: a command after --, a URL, or a name of the registry',
    load: () => import('../commands/add.js'),
  },
  {
    name: 'add-json',
    summary: 'Add a server from JSON',
    load: () => import('../commands/add-json.js'),
  },
  { name: 'remove', summary: 'Remove a server', load: () => import('../commands/remove.js') },
  {
    name: 'enable',
    summary: 'Enable a server',
    load: () => import('../commands/enable.js'),
  },
  {
    name: 'disable',
    summary: 'Disable a server',
    load: () => import('../commands/disable.js'),
  },
  {
    name: 'rename',
    summary: 'Give a server another key; old names stay callable',
    load: () => import('../commands/rename.js'),
  },
  {
    name: 'config accept',
    summary: 'Accept the callsign.json of this folder, so that it can be run',
    load: () => import('../commands/config-accept.js'),
  },
  {
    name: 'config schema',
    summary: 'Print the JSON Schema of a configuration',
    load: () => import('../commands/config-schema.js'),
  },
  {
    name: 'config fmt',
    summary: 'Format a configuration',
    load: () => import('../commands/config-fmt.js'),
  },
  {
    name: 'tools',
    summary: 'List tools with their labels',
    heading: 'Tools',
    load: () => import('../commands/tools.js'),
  },
  {
    name: 'tools show',
    summary: 'Show everything about one tool',
    load: () => import('../commands/tools-show.js'),
  },
  {
    name: 'labels',
    summary: 'Count tools by risk and evidence',
    load: () => import('../commands/labels.js'),
  },
  {
    name: 'labels review',
    summary: 'Review labels without a reliable source, and accept them',
    load: () => import('../commands/labels-review.js'),
  },
  {
    name: 'labels observe',
    summary: 'Call tools in a sandbox and report what they tried',
    load: () => import('../commands/labels-observe.js'),
  },
  {
    name: 'trust',
    summary: 'Set how far the claims of a server are believed',
    load: () => import('../commands/trust.js'),
  },
  {
    name: 'names',
    summary: 'Report the names that clients will see',
    load: () => import('../commands/names.js'),
  },
  {
    name: 'sets list',
    summary: 'List tool sets',
    load: () => import('../commands/sets-list.js'),
  },
  {
    name: 'sets show',
    summary: 'Show what is in a tool set',
    load: () => import('../commands/sets-show.js'),
  },
  {
    name: 'sets test',
    summary: 'Say whether a tool is in a set, and why',
    load: () => import('../commands/sets-test.js'),
  },
  { name: 'call', summary: 'Call a tool', load: () => import('../commands/call.js') },
  {
    name: 'search',
    summary: 'Find tools by words, or servers in the registry',
    load: () => import('../commands/search.js'),
  },
  {
    name: 'lint',
    summary: 'Check names and labels of a server, even without a configuration',
    load: () => import('../commands/lint.js'),
  },
  {
    name: 'policy test',
    summary: 'Show the decision about a call, and why',
    heading: 'Governance',
    load: () => import('../commands/policy-test.js'),
  },
  {
    name: 'sandbox suggest',
    summary: 'Find out which files and hosts a server needs, and propose a sandbox',
    load: () => import('../commands/sandbox-suggest.js'),
  },
  {
    name: 'approvals list',
    summary: 'List the calls that wait for your approval',
    load: () => import('../commands/approvals-list.js'),
  },
  {
    name: 'approvals show',
    summary: 'Show a waiting call with all its arguments',
    load: () => import('../commands/approvals-show.js'),
  },
  {
    name: 'approvals approve',
    summary: 'Allow a waiting call',
    load: () => import('../commands/approvals-approve.js'),
  },
  {
    name: 'approvals deny',
    summary: 'Refuse a waiting call',
    load: () => import('../commands/approvals-deny.js'),
  },
  {
    name: 'audit list',
    summary: 'List recorded calls',
    load: () => import('../commands/audit-list.js'),
  },
  {
    name: 'audit show',
    summary: 'Show one record',
    load: () => import('../commands/audit-show.js'),
  },
  {
    name: 'audit stats',
    summary: 'Count calls, errors and durations',
    load: () => import('../commands/audit-stats.js'),
  },
  {
    name: 'audit query',
    summary: 'Run SQL over the tables of calls',
    load: () => import('../commands/audit-query.js'),
  },
  {
    name: 'audit tail',
    summary: 'Show new records as they are written',
    load: () => import('../commands/audit-tail.js'),
  },
  {
    name: 'audit export',
    summary: 'Write or send records for other programs',
    load: () => import('../commands/audit-export.js'),
  },
  {
    name: 'audit verify',
    summary: 'Check that the records are unchanged',
    load: () => import('../commands/audit-verify.js'),
  },
  {
    name: 'lock status',
    summary: 'Show which tools are unchanged since they were accepted',
    load: () => import('../commands/lock-status.js'),
  },
  {
    name: 'lock diff',
    summary: 'Show what has changed in tools',
    load: () => import('../commands/lock-diff.js'),
  },
  {
    name: 'lock accept',
    summary: 'Accept the tools of a server as they are now',
    load: () => import('../commands/lock-accept.js'),
  },
  {
    name: 'login',
    summary: 'Sign in to a remote server',
    heading: 'Sign-in, keys and secrets',
    load: () => import('../commands/login.js'),
  },
  {
    name: 'logout',
    summary: 'Sign out of a remote server',
    load: () => import('../commands/logout.js'),
  },
  {
    name: 'key new',
    summary: 'Create an API key for a client',
    load: () => import('../commands/key-new.js'),
  },
  {
    name: 'key add',
    summary: 'Create an API key and store its hash',
    load: () => import('../commands/key-add.js'),
  },
  {
    name: 'key list',
    summary: 'List API keys',
    load: () => import('../commands/key-list.js'),
  },
  {
    name: 'key revoke',
    summary: 'Remove an API key',
    load: () => import('../commands/key-revoke.js'),
  },
  {
    name: 'secrets set',
    summary: 'Store a secret in the keychain',
    load: () => import('../commands/secrets-set.js'),
  },
  {
    name: 'secrets list',
    summary: 'List the names of your secrets',
    load: () => import('../commands/secrets-list.js'),
  },
  {
    name: 'secrets remove',
    summary: 'Remove a secret',
    load: () => import('../commands/secrets-remove.js'),
  },
  {
    name: 'accounts list',
    summary: 'List the accounts that people linked at servers',
    load: () => import('../commands/accounts-list.js'),
  },
  {
    name: 'accounts remove',
    summary: 'Remove accounts',
    load: () => import('../commands/accounts-remove.js'),
  },
  {
    name: 'sign-ins list',
    summary: 'List who is signed in to the gateway',
    load: () => import('../commands/sign-ins-list.js'),
  },
  {
    name: 'sign-ins revoke',
    summary: 'End sign-ins',
    load: () => import('../commands/sign-ins-revoke.js'),
  },
  ...ADAPTER_COMMANDS,
  {
    name: 'lightdash',
    summary: 'Serve Lightdash as an MCP server',
    run: async (args, { env }) => (await import('../commands/lightdash.js')).lightdash(args, env),
  },
  {
    name: 'doctor',
    summary: 'Find out what is wrong, and what to do about it',
    heading: 'Troubleshooting and shells',
    load: () => import('../commands/doctor.js'),
  },
  {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    load: () => import('../commands/completion.js'),
  },
  { name: '__complete', load: () => import('../commands/complete.js') },
];
