/** What is published: four packages, each installed alone from a registry into an empty folder, outside of the clone. */

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { VERSION } from '../../packages/cli/src/command/version.js';
import { ROOT } from '../architecture/tree.js';
import { removeFolder } from '../testing/remove-folder.js';
import { openHarbour, TOKEN } from '../e2e/adapter/harbour.js';
import { type Registry, startRegistry } from './registry.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'callsign-published-'));
const PLAIN_SERVER = join(ROOT, 'test/fixtures/plain-child.mjs');
const PUBLISHED = { cli: 'mcp-callsign', gateway: '', toolkit: '', lightdash: '' };
const nameOf = (folder: string): string =>
  PUBLISHED[folder as keyof typeof PUBLISHED] || `@callsign/${folder}`;

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

let registry: Registry;

/** Its packages of others come from the usual registry, so a package without our scope is named by its address. */
const addressOf = (name: string): string =>
  name.startsWith('@') ? name : `${registry.url}${name}/-/${name}-${VERSION}.tgz`;

beforeAll(async () => {
  registry = await startRegistry(join(FOLDER, 'registry'));
  for (const folder of Object.keys(PUBLISHED)) {
    // A copy: publishing must not change what other tests run from at this moment.
    const copy = join(FOLDER, 'copies', folder);
    const left = /\/(src|dist|node_modules|tsconfig\.json)$/;
    const options = {
      recursive: true,
      dereference: true,
      filter: (path: string) => !left.test(path),
    };
    cpSync(join(ROOT, 'packages', folder), copy, options);
    if (folder === 'cli')
      cpSync(join(inject('callsignCommand'), '../../bundle'), join(copy, 'bundle'), options);
    writeFileSync(join(copy, '.npmrc'), registry.settings);
    npm(copy, 'publish', '--ignore-scripts', '--provenance=false', '--registry', registry.url);
  }
});

afterAll(async () => {
  await registry?.stop();
  removeFolder(FOLDER);
}, 600_000);

function run(cwd: string, command: string, args: readonly string[], env = process.env): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  expect(status, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

function npm(cwd: string, ...args: readonly string[]): string {
  return run(cwd, 'npm', args, registry.env);
}

/** An empty folder in which the packages are installed. */
function installed(name: string, ...packages: readonly string[]): string {
  const folder = join(FOLDER, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(join(folder, '.npmrc'), registry.settings);
  npm(folder, 'install', '--ignore-scripts', '--prefer-offline', ...packages);
  return folder;
}

const STRICTEST = '--exactOptionalPropertyTypes --noUncheckedIndexedAccess';

function compile(folder: string, file: string, flags = `--noEmit ${STRICTEST}`): void {
  const usual = '--ignoreConfig --module nodenext --target es2023 --strict --types node';
  run(folder, 'npx', ['tsc', ...usual.split(' '), ...flags.split(' '), file]);
}

/** The code of the founding documents that registers tools: the guide on hints, and the design of the prefix. */
function documentCode(folder: string) {
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const guide = texts.find((text) => text.includes('server.tool(')) ?? '';
  const [head = ''] = /^import \{ McpServer \}[^]*?(?=^\/\/ |^server\.tool)/m.exec(guide) ?? [];
  const calls = [...guide.matchAll(/^server\.tool\([^]*?^\);$/gm)].map(([call]) => call);
  const design = texts.find((text) => text.includes('DEFAULT_ANNOTATIONS = ')) ?? '';
  const [registerCall = ''] = /registerToolSafe\(server, '[^`]*?\)/.exec(design) ?? [];
  const [, defaults = '{}'] = /DEFAULT_ANNOTATIONS = (\{.*?\})/.exec(design) ?? [];
  expect([head !== '', calls.length, registerCall !== '']).toEqual([true, 3, true]);
  return {
    head,
    calls: calls.join('\n'),
    registerCall,
    defaults: JSON.parse(defaults.replace(/(\w+):/g, '"$1":')) as Record<string, boolean>,
  };
}

describe.each(Object.keys(PUBLISHED))('the published package %s', (pkg) => {
  const name = nameOf(pkg);

  it('is packed whole in a working copy that is set up', () => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const [packed] = JSON.parse(npm(join(ROOT, 'packages', pkg), ...args)) as [Packed];
    const paths = packed.files.map(({ path }) => path);
    const types = pkg === 'cli' ? [] : ['bundle/index.d.ts'];
    const code = pkg === 'cli' ? 'bundle/callsign.cjs' : 'bundle/index.js';
    expect(paths).toEqual(expect.arrayContaining(['package.json', 'README.md', code, ...types]));
  });

  it('is whole: licence, README, no sources, nothing that publint finds', async () => {
    const folder = join(installed(`alone-${pkg}`, addressOf(name)), 'node_modules', name);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE']));
    expect(files.filter((path) => /\.test\.|^src|^dist|\.map$|(^|\/)\./.test(path))).toEqual([]);
    const { messages } = await publint({ pkgDir: folder, pack: false });
    expect(messages.filter(({ type }) => type !== 'suggestion')).toEqual([]);
  });

  it('installs none of our other packages, and names none in its code or types (M35)', () => {
    const modules = join(FOLDER, `alone-${pkg}`, 'node_modules');
    const scoped = join(modules, '@callsign');
    const ours = existsSync(scoped) ? readdirSync(scoped).map((each) => `@callsign/${each}`) : [];
    expect(existsSync(join(modules, 'mcp-callsign')) ? ['mcp-callsign', ...ours] : ours).toEqual([
      name,
    ]);
    const bundle = join(modules, name, 'bundle');
    for (const file of readdirSync(bundle).filter((path) => /\.(js|cjs|d\.ts)$/.test(path))) {
      const text = readFileSync(join(bundle, file), 'utf8');
      expect([
        file,
        /(?:from|import|require)\s*\(?\s*["']@callsign\/[\w/-]+["']/.exec(text),
      ]).toEqual([file, null]);
    }
  });
});

describe('the published command', () => {
  const folder = (): string => join(FOLDER, 'alone-cli');
  const callsign = (...args: string[]): string => answered(0, ...args);
  const answered = (code: number, ...args: string[]): string => {
    const env = { ...registry.env, HOME: folder(), XDG_STATE_HOME: join(folder(), 'state') };
    const bin = join(folder(), 'node_modules/.bin/callsign');
    const { status, stdout, stderr } = spawnSync(bin, args, {
      cwd: folder(),
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([code, expect.any(String)]);
    return stdout;
  };

  it('serves a plain file, and calls a tool (M35)', async () => {
    const server = { command: process.execPath, args: [PLAIN_SERVER] };
    const config = join(folder(), 'mcp.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { kid: server } }));
    const transport = new StdioClientTransport({
      command: join(folder(), 'node_modules/.bin/callsign'),
      args: ['serve', '--stdio', '--config', config],
      env: { PATH: process.env['PATH']!, HOME: folder() },
    });
    const client = new Client({ name: 'my-agent', version: '1.0.0' });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('kid:add');
    const sum = await client.callTool({ name: 'kid:add', arguments: { a: 1, b: 2 } });
    expect(JSON.stringify(sum)).toContain('3');
    await client.close();
    expect(callsign('call', '--config', config, 'kid:add', 'a=1', 'b=2')).toBe('{"sum":3}\n');
    expect(callsign('audit', 'list', '--config', config, '--json')).toContain('kid:add');
  });

  it('judges a condition, and generates an adapter package', () => {
    const server = { command: process.execPath, args: [PLAIN_SERVER] };
    const policy = { rules: [{ when: 'args.a == 7', decision: 'deny' }] };
    const config = join(folder(), 'policy.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { kid: server }, callsign: { policy } }));
    const denied = ['policy', 'test', '--config', config, 'kid:add', '--args', '{"a":7,"b":2}'];
    expect(answered(7, ...denied, '--json')).toContain('args.a == 7');
    const adapter = join(ROOT, 'examples/harbour/harbour.adapter.md');
    callsign('adapter', 'generate', adapter, '--out', join(folder(), 'harbour'));
    expect(existsSync(join(folder(), 'harbour/runtime/runtime.js'))).toBe(true);
  });

  it('generates an adapter package that can be published and installed (M38)', async () => {
    const source = join(folder(), 'generated');
    const adapter = join(ROOT, 'examples/harbour/harbour.adapter.md');
    callsign('adapter', 'generate', adapter, '--out', source);
    const modes = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((path) => {
      const { mode } = statSync(join(source, path));
      return mode & 0o777;
    });
    expect(new Set(modes)).toEqual(new Set([0o666, 0o777].map((mode) => mode & ~process.umask())));
    writeFileSync(join(source, '.npmrc'), registry.settings);
    npm(source, 'install', '--ignore-scripts', '--prefer-offline');
    npm(source, 'test');
    // A generated package is private until a person decides otherwise.
    npm(source, 'pkg', 'delete', 'private');
    npm(source, 'publish', '--ignore-scripts', '--provenance=false', '--registry', registry.url);
    const { name, version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
    };
    const user = installed('harbour-user', `${registry.url}${name}/-/${name}-${version}.tgz`);
    const harbour = await openHarbour();
    const client = new Client({ name: 'my-agent', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({
        command: join(user, 'node_modules/.bin', name),
        env: {
          PATH: process.env['PATH']!,
          HARBOUR_TOKEN: TOKEN,
          MCPAQL_TARGET_BASE_URL: harbour.url,
        },
      }),
    );
    const { tools } = await client.listTools();
    const read = tools.find(({ annotations }) => annotations?.readOnlyHint)!;
    const listed = await client.callTool({
      name: read.name,
      arguments: { operation: 'get_ship', params: { ship_id: 'ship-1' } },
    });
    expect(JSON.stringify(listed)).toContain('Alba');
    await client.close();
  });

  it.each([
    ['@clack/prompts', 'No matches found'],
    ['@modelcontextprotocol/client', 'does not support dynamic client registration'],
    ['jose', 'ERR_JWT_EXPIRED'],
    ['prom-client', 'nodejs_eventloop_lag_seconds'],
  ])('loads a package on demand, not at each start of serve: %s', (_, text) => {
    const bundle = join(folder(), 'node_modules/mcp-callsign/bundle');
    const files = new Map<string, string>();
    for (const file of readdirSync(bundle).filter((name) => name.endsWith('.js'))) {
      files.set(`./${file}`, readFileSync(join(bundle, file), 'utf8'));
    }
    const read = new Set(['./serve.js']);
    for (const file of read) {
      for (const [, next] of files.get(file)!.matchAll(/(?:from|import)"(\.\/[^"]+)"/g)) {
        read.add(next!);
      }
    }
    const having = [...files].filter(([, code]) => code.includes(text)).map(([file]) => file);
    expect(having).not.toEqual([]);
    expect(having.filter((file) => read.has(file))).toEqual([]);
  });

  it('runs a module of a user, which imports none of our packages (K36)', () => {
    writeFileSync(
      join(folder(), 'mine.mjs'),
      `export default {
        name: 'mine',
        create: ({ result }) => ({
          async intercept(call, next) {
            const { result: sum } = await next();
            return result({ ...sum, structuredContent: { ...sum.structuredContent, seen: call.arguments } });
          },
        }),
      };`,
    );
    const config = join(folder(), 'module.json');
    const kid = { command: process.execPath, args: [PLAIN_SERVER] };
    const settings = { modules: [{ use: './mine.mjs' }] };
    writeFileSync(config, JSON.stringify({ mcpServers: { kid }, callsign: settings }));
    const called = callsign('call', '--config', config, 'kid:add', 'a=1', 'b=2', '--json');
    expect(called).toContain('"seen":{"a":1,"b":2}');
  });

  it.each([
    'validate',
    'names',
    'config schema',
    'adapter validate',
    'completion bash',
    'audit list',
  ])('has the command %s in it', (command) => {
    expect(callsign(...command.split(' '), '--help')).toContain('Usage: callsign');
  });
});

describe('the published libraries', () => {
  const TYPES = ['typescript@7.0.2', '@types/node@20'];

  it('the toolkit compiles in a strict project, and its server runs (M35)', () => {
    const folder = installed(
      'author',
      '@callsign/toolkit',
      '@modelcontextprotocol/server',
      'zod',
      ...TYPES,
    );
    const server = readFileSync(join(ROOT, 'examples/write-a-server/server.mjs'), 'utf8');
    writeFileSync(join(folder, 'server.ts'), server);
    writeFileSync(join(folder, 'server.mjs'), server);
    compile(folder, 'server.ts');
    const linted = spawnSync(
      process.execPath,
      [inject('callsignCommand'), 'lint', '--', process.execPath, join(folder, 'server.mjs')],
      { encoding: 'utf8' },
    );
    expect([linted.status, linted.stderr]).toEqual([0, expect.any(String)]);
  });

  // The folder of the founding documents. They are not part of this repository.
  const documents = process.env['CALLSIGN_DOCUMENTS'];

  describe.skipIf(documents === undefined)('the toolkit runs the code of the documents', () => {
    it.each([
      ['1', '@modelcontextprotocol/sdk', 'server/mcp.js', 'client/index.js', 'inMemory.js'],
      ['2', '@modelcontextprotocol/server', '', '@modelcontextprotocol/client', ''],
    ])('as it stands there, on version %s of the SDK (S17, S21)', (version, sdk, ...entries) => {
      const [serverEntry, clientEntry, transportEntry] = entries as [string, string, string];
      const entry = (path: string): string => (path === '' ? sdk : `${sdk}/${path}`);
      const { head, calls, registerCall, defaults } = documentCode(documents!);
      const folder = installed(
        `documents-${version}`,
        '@callsign/toolkit',
        '@modelcontextprotocol/server',
        version === '1' ? sdk : '@modelcontextprotocol/client',
        'zod',
        ...TYPES,
      );
      const client = version === '1' ? entry(clientEntry) : clientEntry;
      const program = `
${head.replace('@modelcontextprotocol/sdk/server/mcp.js', entry(serverEntry))}
import fs from 'node:fs/promises';
import { Client } from '${client}';
import { InMemoryTransport } from '${entry(transportEntry)}';
import { DEFAULT_ANNOTATIONS, registerToolSafe, withToolMethod, type WithToolMethod } from '@callsign/toolkit';

const globFiles = async (folder: string, pattern: string) => [\`\${folder}/\${pattern}.txt\`];
const ran: string[] = [];
const getPendingMigrations = async () =>
  ['one', 'two'].map((name) => ({ name, run: async () => void ran.push(name) }));

function register(server: WithToolMethod<McpServer>): void {
${calls}
}

function registerShort(server: McpServer): void {
  const description = 'Get one chart';
  const inputSchema = { id: z.string() };
  const handler = async ({ id }: { id: string }) => ({ content: [{ type: 'text' as const, text: id }] });
  ${registerCall};
}

register(withToolMethod(server));
registerShort(server);
const [ours, theirs] = InMemoryTransport.createLinkedPair();
const client = new Client({ name: 'my-agent', version: '1.0.0' });
await server.connect(theirs);
await client.connect(ours);
const { tools } = await client.listTools();
await fs.writeFile('gone.txt', '');
const reported: unknown[] = [];
const call = async (name: string, args: Record<string, unknown>) => {
  const onprogress = (step: unknown): void => void reported.push(step);
  const params = { name, arguments: args };
  const { content } = ${version === '1' ? 'await client.callTool(params, undefined, { onprogress })' : 'await client.callTool(params, { onprogress })'};
  return (content as { text: string }[])[0]!.text;
};
const texts = [
  await call('search_files', { pattern: 'a' }),
  await call('delete_file', { path: 'gone.txt' }),
  await call('migrate_database', { dryRun: true }),
  await call('migrate_database', {}),
];
const left = await fs.readdir('.');
process.stdout.write(JSON.stringify({ tools, texts, ran, reported, isDeleted: !left.includes('gone.txt'), defaults: DEFAULT_ANNOTATIONS }));
await client.close();
`;
      writeFileSync(join(folder, 'guide.ts'), program);
      compile(folder, 'guide.ts', '--outDir out');
      const told = JSON.parse(run(folder, process.execPath, ['out/guide.js']));
      expect(told).toMatchObject({
        texts: [
          './a.txt',
          'Deleted: gone.txt',
          'Dry run complete: 2 migrations processed.',
          'Migrations complete: 2 migrations processed.',
        ],
        ran: ['one', 'two'],
        isDeleted: true,
        defaults,
      });
      expect(told.reported).toHaveLength(4);
      expect(told.reported[0]).toMatchObject({
        progress: 0,
        total: 2,
        message: '[DRY RUN] Running: one',
      });
      expect(told.tools).toMatchObject([
        {
          name: 'search_files',
          annotations: { title: 'Search Files', readOnlyHint: true, openWorldHint: false },
        },
        {
          name: 'delete_file',
          annotations: { title: 'Delete File', readOnlyHint: false, destructiveHint: true },
        },
        { name: 'migrate_database', annotations: { destructiveHint: true, idempotentHint: false } },
        { name: 'lightdash_tools__short_name', title: 'Human Title', annotations: defaults },
      ]);
    });
  });

  it('a gateway is embedded in a strict project', () => {
    const folder = installed('embedder', '@callsign/gateway', ...TYPES);
    const text = `
import { createGateway, hub, serve, view, CallsignError, type Module, type Source } from '@callsign/gateway';
const module: Module = { name: 'mine', create: ({ log }) => ({ observe: { end: ({ outcome }) => log('info', outcome) } }) };
export const shapes: readonly unknown[] = [hub, serve, view, CallsignError, module satisfies Module, {} as Source];
const log = (): void => {};
const self = { name: 'mine', version: '1.0.0' };
const gateway = await createGateway(process.argv[2]!, { self, log });
gateway.start();
await gateway.settled();
const listener = serve(gateway.viewFor(undefined), { self }).http({ port: 0 });
const port = await listener.listen();
const { status } = await fetch(\`http://127.0.0.1:\${port}/healthz\`);
process.stdout.write(String(status));
await listener.close();
await gateway.stop();
`;
    writeFileSync(join(folder, 'embed.ts'), text);
    compile(folder, 'embed.ts');
    const erased = join(folder, 'embed.mjs');
    writeFileSync(
      erased,
      text
        .replace(/, type \w+/g, '')
        .replace(/: (Module|void|readonly unknown\[\])/g, '')
        .replace(/ satisfies Module| as Source|!/g, ''),
    );
    const config = join(folder, 'mcp.json');
    const server = { command: process.execPath, args: [PLAIN_SERVER] };
    writeFileSync(config, JSON.stringify({ mcpServers: { kid: server } }));
    expect(run(folder, process.execPath, [erased, config])).toBe('200');
  });

  it('Lightdash has its command', () => {
    const bin = join(FOLDER, 'alone-lightdash/node_modules/.bin/callsign-lightdash');
    expect(run(FOLDER, bin, ['--help'])).toContain('callsign-lightdash');
  });
});
