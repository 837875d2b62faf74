import { describe, expect, it } from 'vitest';

import { reachLines, reachOf } from './config-starts.js';

const reach = (document: object) => reachOf(JSON.stringify(document), 'callsign.json');
const variables = (document: object): string[] =>
  reach(document).variables.map(({ name, to }) => `${name} → ${to}`);
const docs = {
  url: 'http://docs.example/mcp',
  headers: { 'X-Trace': '${AWS_SECRET_ACCESS_KEY}' },
};

describe('what a configuration reaches', () => {
  it('names every variable and where it goes (W1)', () => {
    const files = {
      command: 'npx',
      args: ['-y', 'files', '--key=${env:FILES_KEY}', '$BARE'],
      env: { TOKEN: '${TOKEN:-none}' },
      cwd: '${PLACE}/x',
    };
    const nested = { command: { path: 'npx', args: ['${ZED}'], env: { A: '${ZED_A}' } } };
    const callsign = {
      storage: { postgres: 'postgres://${AWS_SECRET_ACCESS_KEY}@db.example/x' },
      modules: [{ use: './m.mjs', settings: { deep: [{ to: 'https://x.example/${MODULE}' }] } }],
      policy: { rules: [{ match: '${POLICY}', decision: 'allow' }] },
      servers: { docs: { inheritEnv: ['GITHUB_TOKEN'] }, '*': { inheritEnv: true } },
      ofTomorrow: { place: '${TOMORROW}' },
    };
    const sse = { type: 'sse', serverUrl: 'https://x.example/${IN_URL}' };
    expect(
      variables({ mcpServers: { docs, files, sse }, context_servers: { nested }, callsign }),
    ).toEqual([
      'AWS_SECRET_ACCESS_KEY → header X-Trace of docs, sent to http://docs.example/mcp',
      'FILES_KEY → args[2] of files',
      'BARE → args[3] of files',
      'TOKEN → variable TOKEN of the process of files',
      'PLACE → cwd of files',
      'IN_URL → serverUrl of sse: https://x.example/${IN_URL}',
      'ZED → command.args[0] of nested',
      'ZED_A → variable A of the process of nested',
      'AWS_SECRET_ACCESS_KEY → the setting callsign.storage.postgres: postgres://***@db.example/x',
      'MODULE → the setting callsign.modules[0].settings.deep[0].to: https://x.example/${MODULE}',
      'POLICY → the setting callsign.policy.rules[0].match: ${POLICY}',
      'TOMORROW → the setting callsign.ofTomorrow.place: ${TOMORROW}',
      'GITHUB_TOKEN → the process of docs',
      'every variable of your environment → the process of every server',
    ]);
  });

  it('leaves out what is text: "$$", lower case, editors’ own variables', () => {
    const args = ['$${NOT}', '$lower', 'US$5', '${workspaceFolder}', '${input:key}'];
    expect(variables({ mcpServers: { a: { command: 'x', args } } })).toEqual([]);
  });

  it('shows addresses, folders, issuers, origins and databases, and no harmless setting (W1)', () => {
    const callsign = {
      http: { host: '0.0.0.0', port: 80, allowedOrigins: ['https://evil.example'] },
      audit: { folder: '/home/ann/.ssh' },
      auth: { tokens: { issuer: 'https://login.example', audience: 'x' } },
      storage: { postgres: 'postgres://ann:hunter2@db.example/x', secrets: ['0123456789abcdef'] },
      servers: { docs: { trust: 'full', oauth: { issuer: 'https://issuer.example' } } },
      aliases: { r: 'files:read' },
      policy: 'careful',
    };
    const { settings } = reach({ mcpServers: { docs }, callsign });
    expect(settings).toEqual([
      'callsign.http.host: 0.0.0.0',
      'callsign.http.port: 80',
      'callsign.http.allowedOrigins[0]: https://evil.example',
      'callsign.audit.folder: /home/ann/.ssh',
      'callsign.auth.tokens.issuer: https://login.example',
      'callsign.auth.tokens.audience: x',
      'callsign.storage.postgres: postgres://***@db.example/x',
      'callsign.storage.secrets[0]: ***',
      'callsign.servers.docs.oauth.issuer: https://issuer.example',
    ]);
  });

  it.each([60, 120])(
    'hides nothing behind control characters or a long line at %d columns (W1)',
    (columns) => {
      const far = `${'x'.repeat(200)}${' '.repeat(200)}evil`;
      const mcpServers = {
        'docs: npx good': {
          command: 'npx',
          args: ['\u001b[2K\u001b[1A', `a\ndocs: npx good`, far],
        },
        docs: { url: 'http://docs.example/mcp', headers: { 'X\u009b2J': '${KEY}' } },
      };
      const lines = reachLines(reach({ mcpServers }), columns).join('\n').split('\n');
      // oxlint-disable-next-line no-control-regex
      expect(lines.join('')).not.toMatch(/[\0-\x1f\x7f-\x9f]/);
      expect(lines.every(({ length }) => length <= columns)).toBe(true);
      // A line of the file that goes on is indented, so it is not taken for another server.
      expect(lines.filter((line) => line.startsWith('docs:'))).toEqual([
        'docs: http://docs.example/mcp',
      ]);
      expect(lines[0]).toMatch(/^"docs: npx good": npx /);
      expect(lines.join('')).toContain('evil');
      expect(lines.join(' ')).toContain('KEY → header "X\\u009b2J" of docs, sent to');
    },
  );
});
