// The clients that can be driven without an account: where to get them, how to point them at Callsign and at a
// model API on loopback, and how to run one turn.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} RealClient
 * @property {string} name
 * @property {string} packageName with its version
 * @property {string} program in `node_modules/.bin`
 * @property {(setup: Setup) => { args: string[], env: Record<string, string> }} prepare
 * @property {RegExp} connected what `PROGRAM mcp list` says of Callsign in the file that `prepare` has written
 *
 * @typedef {object} Setup
 * @property {string} home a folder of its own
 * @property {string} api the address of the model API
 * @property {{ command: string, args: string[] } | { url: string }} callsign
 * @property {string} [state] the folder of Callsign's state; without it, one in `home`
 * @property {boolean} waits whether to wait for servers before the first model request, if the client can
 */

const PROMPT = 'Say one word.';

/** @type {readonly RealClient[]} */
export const REAL_CLIENTS = [
  {
    name: 'Claude Code',
    // Newer versions need Node 22.
    packageName: '@anthropic-ai/claude-code@2.1.197',
    program: 'claude',
    connected: /callsign: .*Connected/,
    prepare({ home, api, callsign, waits, state = join(home, 'state') }) {
      const config = join(home, 'mcp.json');
      const isHttp = callsign.url !== undefined;
      const entry = isHttp ? { type: 'http', ...callsign } : callsign;
      const written = JSON.stringify({ mcpServers: { callsign: entry } });
      writeFileSync(config, written);
      // This is the file that `claude mcp list` reads.
      if (isHttp) writeFileSync(join(home, '.claude.json'), written);
      return {
        args: ['-p', PROMPT, '--mcp-config', config, '--strict-mcp-config'],
        env: {
          ANTHROPIC_BASE_URL: api,
          ANTHROPIC_API_KEY: 'none',
          CLAUDE_CONFIG_DIR: home,
          XDG_STATE_HOME: state,
          // By default it asks the model at once, with the tools of servers that are there by then. With this it
          // waits, but not longer than 5 s.
          ...(waits ? { MCP_CONNECTION_NONBLOCKING: '0' } : {}),
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          // Otherwise only names are sent until the model asks for a tool.
          ENABLE_TOOL_SEARCH: 'false',
        },
      };
    },
  },
  {
    name: 'Codex',
    packageName: '@openai/codex@0.166.0',
    program: 'codex',
    // It does not connect for this.
    connected: /callsign .* enabled/,
    prepare({ home, api, callsign, waits, state = join(home, 'state') }) {
      const { command, args, url } = callsign;
      const reached =
        url === undefined
          ? [
              `command = ${JSON.stringify(command)}`,
              `args = ${JSON.stringify(args)}`,
              // It passes only a few environment variables to servers.
              `env = { XDG_STATE_HOME = ${JSON.stringify(state)} }`,
            ]
          : [`url = ${JSON.stringify(url)}`];
      const toml = [
        'model = "gpt-5"',
        'model_provider = "loopback"',
        '[model_providers.loopback]',
        'name = "loopback"',
        `base_url = ${JSON.stringify(`${api}/v1`)}`,
        'wire_api = "responses"',
        'env_key = "LOOPBACK_KEY"',
        '[mcp_servers.callsign]',
        ...reached,
        'startup_timeout_sec = 60',
        // By default it asks the model at once, as above.
        `required = ${waits}`,
      ];
      writeFileSync(join(home, 'config.toml'), `${toml.join('\n')}\n`);
      return {
        args: ['exec', '--skip-git-repo-check', PROMPT],
        env: { CODEX_HOME: home, LOOPBACK_KEY: 'none' },
      };
    },
  },
  {
    name: 'Gemini CLI',
    packageName: '@google/gemini-cli@0.61.0',
    program: 'gemini',
    connected: /callsign: .* - Connected/,
    prepare({ home, api, callsign, state = join(home, 'state') }) {
      const settings = {
        mcpServers: {
          callsign:
            callsign.url === undefined
              ? { ...callsign, trust: true, env: { XDG_STATE_HOME: state } }
              : { httpUrl: callsign.url, trust: true },
        },
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
      };
      mkdirSync(join(home, '.gemini'), { recursive: true });
      writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
      return {
        args: ['-p', PROMPT, '-m', 'gemini-2.5-pro'],
        env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: api },
      };
    },
  },
];
