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
const rest = { renamed: new Map<string, string>(), env: {}, file: '/c.json', check };
const planned = (...servers: ClientServer[]) =>
  planImport(servers, { ...rest, existing: new Map([['there', { command: 'there' }]]) }).map(
    ({ key, entry, skipped, notes }) =>
      skipped === undefined ? { key, entry, notes } : { key, skipped },
  );

describe('importing servers', () => {
  it('adds the same server once, and another one with the same name under another key', () => {
    const other = { command: 'y' };
    expect(
      planned(
        server('there', { command: 'there', args: [] }),
        server('there', other),
        server('there', other),
        server('there', { command: 'z' }),
      ),
    ).toEqual([
      { key: 'there', skipped: 'it is already there (/c.json)' },
      { key: 'there_cursor', entry: other, notes: [] },
      { key: 'there_cursor', skipped: 'the same server comes from cursor' },
      { key: 'there', skipped: 'another server is called there; rename that one first' },
    ]);
  });

  it('adds a server once that two clients call differently, and keeps both keys (M10)', () => {
    const claude = { client: 'claude-code', file: '/h/.claude.json' };
    const entry = { command: 'y' };
    const servers = [
      server('mem', entry),
      server('memory', entry, claude),
      server('memory', { command: 'z' }, { client: 'zed', file: '/h/zed.json' }),
      server('twin', entry),
    ];
    const plan = planImport(servers, { ...rest, existing: new Map() });
    expect(plan.map(({ key, otherKey, skipped }) => ({ key, otherKey, skipped }))).toEqual([
      { key: 'mem' },
      {
        key: 'mem',
        otherKey: 'memory',
        skipped: 'the same server comes from cursor, as mem, and memory:… can be called too',
      },
      { key: 'memory_zed' },
      // One file that has it twice wants it twice.
      { key: 'twin' },
    ]);
    const existing = new Map([['mem', entry]]);
    const renamed = new Map([['memory', 'mem']]);
    const again = planImport(servers.slice(0, 2), { ...rest, existing, renamed });
    expect(again.map(({ key, otherKey, skipped }) => ({ key, otherKey, skipped }))).toEqual([
      { key: 'mem', skipped: 'it is already there (/c.json)' },
      { key: 'mem', skipped: 'it is already there (/c.json), as mem' },
    ]);
  });

  it.each([
    ['a typed value', { T: 'Bearer ${TOKEN}' }, { T: 'Bearer x' }, {}, true],
    ['a typed value, escaped', { T: '${TOKEN}' }, { T: 'a$${X}' }, {}, true],
    ['the value that is set here', { T: '${TOKEN}' }, { T: 'x' }, { TOKEN: 'x' }, true],
    ['another value', { T: '${TOKEN}' }, { T: 'x' }, { TOKEN: 'y' }, false],
    ['other text', { T: 'Bearer ${TOKEN}' }, { T: 'Basic x' }, {}, false],
    ['another variable', { T: '${TOKEN}' }, { U: 'x' }, {}, false],
  ])('recognises a server with %s: %j, %j (M4)', (_, written, stored, env, isSame) => {
    const existing = new Map([['s', { command: 'x', env: stored }]]);
    const found = server('s', { command: 'x', env: written });
    const [plan] = planImport([found], { ...rest, env, existing });
    expect(plan!.key).toBe(isSame ? 's' : 's_cursor');
    expect(plan!.skipped !== undefined).toBe(isSame);
  });

  it('names the fields that are lost, and keeps limits in milliseconds (M7, R7)', () => {
    const gemini = { command: 'x', timeout: 5000, trust: true, includeTools: ['a'] };
    const [plan] = planImport([server('s', gemini, { callLimit: 'timeout' })], {
      ...rest,
      existing: new Map(),
    });
    expect(plan).toMatchObject({
      entry: { command: 'x', includeTools: ['a'] },
      settings: { callTimeoutMs: 5000 },
      notes: ['not imported: trust'],
    });
    const other = { command: 'x', timeout: 60, alwaysAllow: ['a'], alwaysLoad: true, trust: false };
    expect(planned(server('s', other))).toMatchObject([
      { notes: ['not imported: timeout, alwaysAllow, alwaysLoad'] },
    ]);
    const silent = { command: 'x', autoApprove: [], description: 'Mine.', disabled: false };
    expect(planned(server('s', silent))).toMatchObject([{ notes: [] }]);
  });

  it('names what is lost if the same server of another client is taken (M7, M10)', () => {
    const gemini = { client: 'gemini-cli', file: '/h/g.json', callLimit: 'timeout' };
    const [, second] = planned(
      server('a', { command: 'x' }),
      server('a', { command: 'x', timeout: 5, trust: true }, gemini),
    );
    expect(second).toEqual({
      key: 'a',
      skipped:
        'the same server comes from cursor; not imported: trust; its callTimeoutMs is not used',
    });
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
    const plan = planImport([server('fs', { command: 'y' })], { ...rest, existing: taken });
    expect(plan).toMatchObject([{ key: 'fs-cursor', skipped: 'it is already there (/c.json)' }]);
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
      ...rest,
      existing: new Map(),
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
