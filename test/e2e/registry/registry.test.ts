/** Servers by name from a registry: found, shown with their labels, and added after a yes. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { Home } from '../cli/callsign.js';
import { httpFixture } from './http-fixture.js';
import { describeWithNpx, pathWithNpx } from './npx.js';
import { startRegistry, type Listed, type RegistryOptions } from './registry.js';

const TOKEN = 'tok-7fQ2mZx91-registry';

const npm = (identifier: string, more: object = {}): object => ({
  registryType: 'npm',
  registryBaseUrl: 'https://registry.npmjs.org',
  identifier,
  version: '2026.8.31',
  transport: { type: 'stdio' },
  ...more,
});

const everything: Listed = {
  name: 'io.github.example/everything',
  title: 'Everything',
  version: '2026.8.31',
  packages: [
    npm('@modelcontextprotocol/server-everything', {
      environmentVariables: [
        { name: 'API_TOKEN', description: 'Your token', isRequired: true, isSecret: true },
        { name: 'LEVEL', default: 'info', choices: ['info', 'debug'] },
        { name: 'OPTIONAL' },
      ],
    }),
  ],
};
const filesystem: Listed = {
  name: 'io.github.example/filesystem',
  version: '2026.8.31',
  packages: [
    npm('@modelcontextprotocol/server-filesystem', {
      runtimeHint: 'npx',
      runtimeArguments: [{ type: 'positional', value: '-y' }],
      packageArguments: [
        {
          type: 'positional',
          valueHint: 'root',
          format: 'filepath',
          isRequired: true,
          isRepeated: true,
        },
      ],
    }),
  ],
};
const memory: Listed = {
  name: 'io.github.example/memory',
  version: '2.0.0',
  description: 'Remembers a graph',
  packages: [npm('@modelcontextprotocol/server-memory')],
};

/** A home folder whose configuration names a registry with these servers. */
async function withRegistry(servers: readonly Listed[], options: RegistryOptions = {}) {
  const registry = await startRegistry(servers, options);
  const home = new Home();
  const file = home.configure({}, { registry: { url: registry.url }, audit: { mode: 'off' } });
  const path = pathWithNpx();
  const run = (...args: string[]) => home.run(args, { env: { PATH: path } });
  const written = () =>
    JSON.parse(readFileSync(file, 'utf8')) as {
      mcpServers: Record<string, Record<string, unknown>>;
    };
  return { registry, home, file, run, written, path };
}

describe('callsign search --registry', () => {
  it('finds servers by words, on all pages, in their latest version', async () => {
    const old = { ...memory, version: '1.0.0' };
    const many = Array.from({ length: 40 }, (_, i) => ({
      name: `io.github.example/graph-${i}`,
      version: '1.0.0',
    }));
    const { run, registry } = await withRegistry([everything, memory, old, ...many], {
      status: {
        'io.github.example/graph-0@1.0.0': 'deprecated',
        'io.github.example/graph-1@1.0.0': 'deleted',
      },
    });
    const { code, stdout, stderr } = await run('search', '--registry', 'memory', 'graph');
    expect({ code, shown: stdout.split('\n').length }).toEqual({ code: 0, shown: 22 });
    // Its description has the other word.
    expect(stdout.split('\n')[1]).toMatch(
      /^io\.github\.example\/memory +2\.0\.0 +npx +Remembers a graph/,
    );
    expect(stdout).toMatch(/graph-0 .*Deprecated\. The server/);
    expect(stdout).not.toMatch(/graph-1 /);
    expect(stderr).toContain('20 of 40 are shown.');
    expect(stderr).toContain('callsign add io.github.example/memory');
    expect(registry.asked.filter((path) => path.includes('cursor='))).not.toHaveLength(0);
    const json = JSON.parse((await run('search', '--registry', 'Every', '--json')).stdout);
    expect(json).toMatchObject({
      registry: registry.url,
      servers: [{ name: everything.name, version: '2026.8.31', ways: ['npm'] }],
    });
    const none = await run('search', '--registry', 'nonsense');
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toContain('has no server whose name has one of these words');
  });

  it('sends the headers of the setting, with secrets in them', async () => {
    const { home, registry } = await withRegistry([memory]);
    await home.run(['secrets', 'set', 'company'], { input: TOKEN });
    const headers = { Authorization: 'Bearer ${keychain:company}' };
    home.configure({}, { registry: { url: registry.url, headers } });
    const found = await home.run(['search', '--registry', 'memory']);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining(memory.name) });
    expect(registry.authorization()).toBe(`Bearer ${TOKEN}`);
  });

  it('asks no registry that a file of a project names before a person has accepted the file', async () => {
    const { home, registry, file } = await withRegistry([memory]);
    const other = home.folder.concat('/project');
    home.write('project/callsign.json', readFileSync(file, 'utf8'));
    for (const args of [
      ['search', '--registry', 'memory'],
      ['add', memory.name, '--yes'],
    ]) {
      const { code, stderr } = await home.run(args, { cwd: other });
      expect(code).toBe(6);
      expect(stderr).toContain('was not accepted');
    }
    expect(registry.asked).toEqual([]);
    const shown = await home.run(['config', 'accept', '--json'], { cwd: other });
    expect(shown.stdout).toContain(`callsign.registry.url: ${registry.url}`);
  });
});

describeWithNpx('callsign add with a name of the registry', () => {
  it('shows the labels of a real server first, and adds it after a yes', async () => {
    const { run, written, file } = await withRegistry([memory]);
    const before = readFileSync(file, 'utf8');
    const shown = await run('add', memory.name);
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(/^Server +io\.github\.example\/memory 2\.0\.0$/m);
    expect(shown.stdout).toMatch(
      /^Starts +npx -y @modelcontextprotocol\/server-memory@2026\.8\.31$/m,
    );
    expect(shown.stdout).toMatch(/^delete_entities +destructive/m);
    expect(shown.stdout).toMatch(/^read_graph +read/m);
    expect(shown.stderr).toContain('was not added. If you agree, add it with --yes');
    expect(readFileSync(file, 'utf8')).toBe(before);
    const added = await run('add', memory.name, '--yes', '--as', 'graph');
    expect(added.code).toBe(0);
    expect(written().mcpServers['graph']).toEqual({
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-memory@2026.8.31'],
    });
    const tools = await run('tools', '--json');
    expect(tools.stdout).toContain('"graph:read_graph"');
    const twice = await run('add', memory.name, '--yes', '--as', 'graph');
    expect(twice).toMatchObject({ code: 1 });
    expect(twice.stderr).toContain('There is already a server "graph"');
    const alike = await run('add', memory.name, '--yes', '--as', 'Graph');
    expect(alike.stderr).toContain('"Graph" looks like your server "graph"');
  });

  it('puts secrets into the keychain, and nothing of them into files and outputs', async () => {
    const { home, run, written, file } = await withRegistry([everything]);
    const missing = await run('add', everything.name, '--yes');
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('API_TOKEN: Your token; a secret');
    const wrong = await run('add', everything.name, '--value', 'LEVEL=loud');
    expect(wrong.stderr).toContain('--value LEVEL: it must be info or debug.');
    const args = ['add', everything.name, '--yes', '--value', `API_TOKEN=${TOKEN}`];
    const added = await run(...args, '--value', 'LEVEL=debug', '--json');
    expect(added.code).toBe(0);
    expect(JSON.parse(added.stdout)).toMatchObject({
      added: 'everything',
      server: {
        name: everything.name,
        tools: expect.arrayContaining([expect.objectContaining({ tool: 'echo' })]),
      },
    });
    expect(written().mcpServers['everything']).toMatchObject({
      env: { API_TOKEN: '${keychain:everything.API_TOKEN}', LEVEL: 'debug' },
    });
    const called = await run('call', 'everything:get-env', '--json');
    expect(called.stdout).toContain(TOKEN);
    for (const { stdout, stderr } of [missing, wrong, added]) {
      expect(stdout + stderr).not.toContain(TOKEN);
    }
    expect(readFileSync(file, 'utf8')).not.toContain(TOKEN);
    // A secret that is stored already is only named.
    await home.run(['secrets', 'set', 'mine'], { input: TOKEN });
    const second = await run(
      'add',
      everything.name,
      '--yes',
      '--as',
      'two',
      '--env',
      'API_TOKEN=${keychain:mine}',
      '--env',
      `MORE_TOKEN=${TOKEN}`,
    );
    expect(second.code).toBe(0);
    expect(written().mcpServers['two']).toMatchObject({
      env: {
        API_TOKEN: '${keychain:mine}',
        LEVEL: 'info',
        MORE_TOKEN: '${keychain:two.MORE_TOKEN}',
      },
    });
  });

  it('takes a version, arguments that repeat, and folders from where the person is', async () => {
    const older = {
      ...filesystem,
      version: '1.2.3',
      packages: [
        npm('@modelcontextprotocol/server-filesystem', {
          version: '1.2.3',
          packageArguments: [
            { type: 'named', name: '--verbose', isRequired: true },
            {
              type: 'named',
              name: '--mode',
              value: 'a={x}',
              variables: { x: { isRequired: true } },
            },
          ],
        }),
      ],
    };
    const { home, run, written, registry } = await withRegistry([filesystem, older]);
    home.write('work/notes/a.txt', 'a');
    const args = ['add', filesystem.name, '--yes', '--value', 'root=notes', '--value', 'root=/'];
    expect(await run(...args)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^write_file +destructive/m),
    });
    expect(written().mcpServers['filesystem']!['args']).toEqual([
      '-y',
      '@modelcontextprotocol/server-filesystem@2026.8.31',
      join(home.work, 'notes'),
      '/',
    ]);
    const old = ['add', `${filesystem.name}@1.2.3`, '--yes', '--no-start', '--as', 'old'];
    expect(await run(...old, '--value', 'x=1 2')).toMatchObject({ code: 0 });
    expect(written().mcpServers['old']!['args']).toEqual([
      '-y',
      '@modelcontextprotocol/server-filesystem@1.2.3',
      '--verbose',
      '--mode',
      'a=1 2',
    ]);
    expect(registry.asked.at(-1)).toBe(
      '/v0.1/servers/io.github.example%2Ffilesystem/versions/1.2.3',
    );
    const absent = await run('add', `${filesystem.name}@9.9.9`, '--as', 'absent');
    expect(absent.code).toBe(1);
    expect(absent.stderr).toContain('has no version 9.9.9');
  });

  it('adds an address with its headers', async () => {
    const { url, seen } = await httpFixture();
    const remote: Listed = {
      name: 'com.example/remote',
      version: '1.0.0',
      remotes: [
        {
          type: 'streamable-http',
          url: url.replace('/mcp', '/{path}'),
          variables: { path: { default: 'mcp' } },
          headers: [
            {
              name: 'Authorization',
              value: 'Bearer {token}',
              variables: { token: { isSecret: true, isRequired: true } },
            },
            { name: 'X-Region', default: 'eu' },
          ],
        },
      ],
    };
    const { run, written } = await withRegistry([remote]);
    const added = await run('add', remote.name, '--yes', '--value', `token=${TOKEN}`);
    expect(added.code).toBe(0);
    expect(added.stdout).toMatch(/^add +/m);
    expect(written().mcpServers['remote']).toEqual({
      type: 'http',
      url,
      headers: { Authorization: 'Bearer ${keychain:remote.token}', 'X-Region': 'eu' },
    });
    expect(seen()).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'x-region': 'eu' });
    expect(added.stdout + added.stderr).not.toContain(TOKEN);
  });

  it('asks a person for values and for a yes', async () => {
    const { home, written, path } = await withRegistry([everything]);
    const terminal = home.terminal(['add', everything.name], { env: { PATH: path } });
    await terminal.shows(/API_TOKEN: Your token/);
    terminal.type(`${TOKEN}\r`);
    await terminal.shows(/Which of its other settings/);
    terminal.type('\r');
    await terminal.shows(/Add io\.github\.example\/everything with \d+ tools/);
    expect(written().mcpServers).toEqual({});
    terminal.type('y');
    expect(await terminal.ended).toBe(0);
    expect(terminal.text).not.toContain(TOKEN);
    expect(written().mcpServers['everything']).toMatchObject({
      env: { API_TOKEN: '${keychain:everything.API_TOKEN}', LEVEL: 'info' },
    });
  });

  it('adds nothing if a person says no, or if the server does not start', async () => {
    const broken: Listed = {
      name: 'io.github.example/broken',
      version: '1.0.0',
      packages: [
        npm('@modelcontextprotocol/server-everything', {
          packageArguments: [{ type: 'positional', value: 'nonsense' }],
        }),
      ],
    };
    const { home, written, path, run } = await withRegistry([everything, broken]);
    const args = ['add', everything.name, '--value', `API_TOKEN=${TOKEN}`];
    const terminal = home.terminal(args, { env: { PATH: path } });
    await terminal.shows(/Which of its other settings/);
    terminal.type('\r');
    await terminal.shows(/Add io\.github\.example\/everything with/);
    terminal.type('n');
    expect(await terminal.ended).toBe(1);
    const failed = await run('add', broken.name, '--yes');
    expect(failed.code).toBe(4);
    expect(failed.stderr).toContain('Unknown transport: nonsense');
    expect(failed.stderr).toContain('To add it without a start: --no-start');
    expect(written().mcpServers).toEqual({});
    // Not even the secret was stored.
    expect(existsSync(join(home.folder, 'state', 'callsign', 'secrets.json'))).toBe(false);
  });

  it('says which of its packages and addresses cannot be used', async () => {
    const image = {
      registryType: 'oci',
      identifier: 'docker.io/example/x:1',
      transport: { type: 'stdio' },
    };
    const both: Listed = {
      name: 'io.github.example/both',
      version: '1.0.0',
      packages: [image, npm('plain-package')],
    };
    const only: Listed = { name: 'io.github.example/only', version: '1.0.0', packages: [image] };
    const { run, written } = await withRegistry([both, only]);
    const refused = await run('add', only.name, '--yes');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('It is a container image');
    expect(await run('add', both.name, '--yes', '--use', 'remote')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('It has: npm.'),
    });
    expect(await run('add', both.name, '--yes', '--no-start')).toMatchObject({ code: 0 });
    expect(written().mcpServers['both']!['args']).toEqual(['-y', 'plain-package@2026.8.31']);
  });

  it('keeps the two old forms of the command', async () => {
    const { run, registry } = await withRegistry([]);
    expect(await run('add', 'a/b', 'https://x.example.com/mcp')).toMatchObject({ code: 0 });
    expect(await run('add', 'c/d', '--', 'node', 'x.mjs')).toMatchObject({ code: 0 });
    const wrong = await run('add', 'e', '--as', 'f', '--', 'node');
    expect(wrong.stderr).toContain('--as is for servers of the registry');
    expect(registry.asked).toEqual([]);
  });
});

describeWithNpx('the first start of a server from a registry', () => {
  /** Says in the description of its tool what it could do. */
  const curious = `
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tried = [];
const attempt = (name, work) => { try { work(); tried.push(name + ' yes'); } catch { tried.push(name + ' no'); } };
attempt('write', () => writeFileSync(import.meta.dirname + '/written', 'x'));
attempt('config', () => readFileSync(process.env.CONFIG, 'utf8'));
const reached = await fetch(process.env.TARGET).then(() => 'reached', () => 'closed');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = method === 'initialize'
    ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'c', version: '1' } }
    : method === 'tools/list'
      ? { tools: [{ name: tried.join('_').replaceAll(' ', '_') + '_' + reached, inputSchema: { type: 'object' } }] }
      : undefined;
  if (id === undefined) return;
  const error = { code: -32601, message: 'no' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
});
`;

  it('changes no files, and reaches only its package registry', async () => {
    const { url, seen } = await httpFixture();
    const curiousServer: Listed = {
      name: 'io.github.example/curious',
      version: '1.0.0',
      packages: [
        npm('curious', {
          environmentVariables: [
            { name: 'TARGET', value: url },
            { name: 'CONFIG', isRequired: true },
          ],
        }),
      ],
    };
    const { home, file } = await withRegistry([curiousServer]);
    const path = pathWithNpx({ curious });
    const args = ['add', curiousServer.name, '--value', `CONFIG=${file}`];
    const { stdout } = await home.run(args, { env: { PATH: path } });
    expect(stdout).toContain('write_no_config_no_closed');
    expect(existsSync(join(path.split(':')[0]!, 'written'))).toBe(false);
    expect(seen()).toBeUndefined();
  });
});
