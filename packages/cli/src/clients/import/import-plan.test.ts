import { describe, expect, it } from 'vitest';

import type { ClientServer } from '../apps/client-server.js';
import { isCallsign } from '../apps/translate-entry.js';
import { planImport } from './import-plan.js';

const server = (key: string, entry: object, more: Partial<ClientServer> = {}): ClientServer => ({
  key,
  path: ['mcpServers', key],
  entry: entry as ClientServer['entry'],
  isOff: false,
  client: 'cursor',
  file: '/h/.cursor/mcp.json',
  expands: true,
  ...more,
});
/** The gateway's check has tests of its own. */
const check = ({ url }: ClientServer['entry']) =>
  typeof url !== 'string' || /^https?:/.test(url)
    ? undefined
    : 'it must be an http or https address';
const planned = (...servers: ClientServer[]) =>
  planImport(servers, { existing: new Map([['there', { command: 'x' }]]), check }).map(
    ({ key, entry, skipped, notes }) =>
      skipped === undefined ? { key, entry, notes } : { key, skipped },
  );

describe('importing servers', () => {
  it('adds the same server once, and another one with the same name under another key', () => {
    const other = { command: 'y' };
    expect(
      planned(
        server('there', { command: 'x', args: [] }),
        server('there', other),
        server('there', other),
        server('there', { command: 'z' }),
      ),
    ).toEqual([
      { key: 'there', skipped: 'it is already there' },
      { key: 'there_cursor', entry: other, notes: [] },
      { key: 'there_cursor', skipped: 'it is already there' },
      { key: 'there', skipped: 'another server is called there; rename that one first' },
    ]);
  });

  it('makes keys legal', () => {
    expect(planned(server('a:b', { command: 'x' }))).toMatchObject([{ key: 'a_b' }]);
  });

  it('N8: makes keys that every client shows unchanged', () => {
    const claude = server('there', { command: 'y' }, { client: 'claude-code' });
    expect(planned(claude)).toMatchObject([{ key: 'there_claude_code' }]);
  });

  it('recognises a server that an earlier version added', () => {
    const taken = new Map([
      ['fs', { command: 'x' }],
      ['fs-cursor', { command: 'y' }],
    ]);
    const plan = planImport([server('fs', { command: 'y' })], { existing: taken, check });
    expect(plan).toMatchObject([{ key: 'fs-cursor', skipped: 'it is already there' }]);
  });

  it('leaves out servers that cannot run, and says why', () => {
    expect(
      planned(
        server('off', { command: 'x' }, { isOff: true }),
        server('none', {}),
        server('extension', { source: 'extension', command: 'x' }),
        server('self', { command: 'npx', args: ['-y', 'mcp-callsign@1.2', 'serve'] }),
        server('ftp', { url: 'ftp://x' }),
      ).map((each) => ('skipped' in each ? each.skipped : 'came in')),
    ).toEqual([
      'it is switched off there',
      'it has neither a command nor a URL',
      'an extension of the editor runs it',
      'it is Callsign itself',
      'it must be an http or https address',
    ]);
  });

  it('fills in what an editor would, as far as that is known', () => {
    const vscode = { client: 'vscode', file: '/p/.vscode/mcp.json', workspace: '/p' };
    const entry = {
      command: '${workspaceFolder}/x',
      args: ['${userHome}', '${input:api-key}', '${env:A}'],
    };
    expect(planned(server('a', entry, vscode))).toEqual([
      {
        key: 'a',
        entry: { command: '/p/x', args: ['${HOME}', '${API_KEY}', '${env:A}'] },
        notes: ['set the variable API_KEY, which vscode asked you for'],
      },
    ]);
  });

  it('keeps a dollar sign if the client has no variables', () => {
    const entry = { command: 'x', args: ['$HOME', '${A}', 'US$5'], env: { P: '$LOWER' } };
    expect(planned(server('a', entry, { expands: false }))).toMatchObject([
      { entry: { args: ['$$HOME', '$${A}', 'US$5'], env: { P: '$$LOWER' } } },
    ]);
  });

  it('reads the headers of Codex', () => {
    const entry = {
      url: 'https://x.example/mcp',
      bearer_token_env_var: 'T',
      http_headers: { A: '$B' },
      env_http_headers: { C: 'D' },
    };
    expect(planned(server('a', entry, { expands: false }))).toMatchObject([
      { entry: { headers: { A: '$$B', C: '${D}', Authorization: 'Bearer ${T}' } } },
    ]);
  });

  it('passes on the variables that Codex passes on', () => {
    const entry = { command: 'x', env_vars: ['T', { name: 'U' }, 7], env: { A: '$1', T: 'own' } };
    expect(planned(server('a', entry, { expands: false }))).toMatchObject([
      { entry: { env: { U: '${U}', A: '$1', T: 'own' } } },
    ]);
  });

  it.each([
    ['Windsurf', { url: 'https://x.example/mcp', disabledTools: ['drop'] }],
    ['Codex', { command: 'x', enabled_tools: ['list'], disabled_tools: ['drop'] }],
    ['Gemini', { command: 'x', includeTools: ['list'], excludeTools: ['drop'] }],
  ])('keeps the tools switched off that %s switches off', (_, entry) => {
    const [plan] = planned(server('a', entry));
    expect(plan?.entry?.['excludeTools']).toEqual(['drop']);
    expect(plan?.entry?.['includeTools']).toEqual('command' in entry ? ['list'] : undefined);
  });

  it.each([
    [
      { startup_timeout_sec: 20, tool_timeout_sec: 0.5 },
      { startTimeoutMs: 20_000, callTimeoutMs: 500 },
    ],
    [{ startup_timeout_ms: 9, startup_timeout_sec: 1 }, { startTimeoutMs: 1000 }],
    [{ startup_timeout_ms: 9 }, { startTimeoutMs: 9 }],
    [{ oauth: { client_id: 'i' }, scopes: ['a', 'b'] }, { oauth: { clientId: 'i', scope: 'a b' } }],
    [
      { oauth: { enabled: true, clientId: 'i', scopes: 'a' } },
      { oauth: { clientId: 'i', scope: 'a' } },
    ],
    [{ auth: { CLIENT_ID: '${I}', scopes: ['a'] } }, { oauth: { clientId: '${I}', scope: 'a' } }],
  ])('keeps the limits and the sign-in of a client: %j', (fields, settings) => {
    const [plan] = planImport([server('a', { url: 'https://x.example/mcp', ...fields })], {
      existing: new Map(),
      check,
    });
    expect(plan).toMatchObject({ settings, notes: [] });
  });

  it('names the limits and the parts of a sign-in that it cannot keep, and no secret', () => {
    const oauth = { clientId: 'i', clientSecret: 'hidden', callbackPort: 1 };
    const fields = { startup_timeout_sec: -1, tool_timeout_sec: 1e9, oauth, oauth_resource: 'r' };
    const [plan] = planned(server('a', { command: 'x', ...fields }));
    const names =
      'startup_timeout_sec, tool_timeout_sec, oauth.clientId, oauth.clientSecret, oauth.callbackPort, oauth_resource';
    expect(plan).toEqual({ key: 'a', entry: { command: 'x' }, notes: [`not imported: ${names}`] });
  });

  it('says which fields are lost', () => {
    const entry = { command: 'x', envFile: '.env' };
    expect(planned(server('a', entry))).toMatchObject([
      { notes: ['put the variables of its envFile into "env"'] },
    ]);
  });

  it('recognises itself by its command line', () => {
    expect(isCallsign('callsign', ['serve'])).toBe(true);
    for (const file of ['callsign.cjs', 'callsign.mjs', 'callsign.js']) {
      expect(isCallsign('node', [`/x/bin/${file}`, 'serve', '--config', 'y'])).toBe(true);
    }
    expect(isCallsign('node', ['/x/bin/callsign.ts', 'serve'])).toBe(false);
    expect(isCallsign('callsign', ['list'])).toBe(false);
    expect(isCallsign('ham-radio-callsigns', ['serve'])).toBe(false);
  });
});
