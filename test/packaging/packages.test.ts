/** The packages as they would be published: their files, and the command run from them. */

import { spawn, spawnSync } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { removeFolder } from '../testing/remove-folder.js';

/** Inside the repository, so that dependencies are found without another installation. */
const FOLDER = join(ROOT, '.packed-test');
const MODULES = join(FOLDER, 'node_modules');
const NAMES = readdirSync(join(ROOT, 'packages'));

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let packed: readonly Packed[] = [];

beforeAll(() => {
  removeFolder(FOLDER);
  mkdirSync(MODULES, { recursive: true });
  const args = ['pack', '--workspaces', '--json', '--ignore-scripts', '--pack-destination', FOLDER];
  // The console is private: its files are in the bundle of the command.
  packed = (JSON.parse(run('npm', args)) as Packed[]).filter(
    ({ name }) => name !== '@callsign/console',
  );
  for (const { name, filename } of packed) {
    const target = join(MODULES, name);
    mkdirSync(target, { recursive: true });
    run('tar', ['-xzf', join(FOLDER, filename), '-C', target, '--strip-components', '1']);
  }
  // `prepack` would do this in the package's own folder, and other tests would run from there meanwhile.
  run('node', ['scripts/bundle.mjs', join(MODULES, 'mcp-callsign', 'bundle')]);
});

afterAll(() => removeFolder(FOLDER), 120_000);

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout;
}

describe('what would be published', () => {
  it('is every package of the repository', () => {
    expect(packed).toHaveLength(NAMES.length);
  });

  it.each(NAMES)('of %s is what should be in it, and nothing else', async (pkg) => {
    const manifest = JSON.parse(
      readFileSync(join(ROOT, 'packages', pkg, 'package.json'), 'utf8'),
    ) as { name: string };
    const own = packed.find(({ name }) => name === manifest.name)!;
    const paths = own.files.map(({ path }) => path);
    expect(paths).toContain('package.json');
    expect(paths).toContain('README.md');
    expect(paths).toContain('LICENSE');
    // Core publishes what tests of modules need.
    const unwanted =
      pkg === 'core' ? /\.test\.|^src\/|\.map$|\/\./ : /\.test\.|testing\/|^src\/|\.map$|\/\./;
    expect(paths.filter((path) => unwanted.test(path))).toEqual([]);
    const { messages } = await publint({
      pkgDir: join(MODULES, own.name),
      pack: false,
    });
    expect(messages.filter(({ type }) => type !== 'suggestion')).toEqual([]);
  });
});

describe('every export of a published package', () => {
  const entries = NAMES.flatMap((pkg) => {
    const { name, exports } = JSON.parse(
      readFileSync(join(ROOT, 'packages', pkg, 'package.json'), 'utf8'),
    ) as { name: string; exports: Record<string, unknown> };
    const modules = Object.keys(exports).filter((key) => typeof exports[key] === 'object');
    return modules.map((key) => join(name, key));
  });

  it('can be imported', () => {
    const script = `for (const each of ${JSON.stringify(entries)}) await import(each);`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: FOLDER,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it.each([
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('has types that compile without our sources: %s, %s', (module, resolution) => {
    const lines = entries.map((each, i) => `export type * as e${i} from '${each}';\n`);
    writeFileSync(join(FOLDER, 'types.ts'), lines.join(''));
    writeFileSync(join(FOLDER, 'package.json'), '{ "type": "module" }');
    const modules = `--module ${module} --moduleResolution ${resolution} --target es2023 --types node`;
    const strict = '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess';
    const flags = `--ignoreConfig --noEmit ${modules} ${strict}`;
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...flags.split(' '), 'types.ts'], {
      cwd: FOLDER,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, '']);
  });
});

describe('the published command', () => {
  const bin = join(MODULES, 'mcp-callsign', 'bin', 'callsign.cjs');
  const callsign = (...args: string[]) =>
    spawnSync(process.execPath, [bin, ...args], { cwd: FOLDER, encoding: 'utf8' });

  it('runs from its bundle, and calls a tool', () => {
    expect(callsign('--version').stdout).toBe('0.1.0\n');
    const server = {
      command: process.execPath,
      args: [join(ROOT, 'test/fixtures/plain-child.mjs')],
    };
    writeFileSync(join(FOLDER, 'callsign.json'), JSON.stringify({ mcpServers: { kid: server } }));
    expect(callsign('config', 'accept').status).toBe(0);
    const called = callsign('call', 'kid:add', 'a=1', 'b=2');
    expect([called.status, called.stdout]).toEqual([0, '{"sum":3}\n']);
    const recorded = callsign('audit', 'list', '--json');
    expect(recorded.stdout).toContain('kid:add');
  });

  it.each([
    ['clack-prompts', 'confirm'],
    ['jose', 'jwtVerify'],
    ['modelcontextprotocol-client', 'refreshAuthorization'],
    ['prom-client', 'Registry'],
  ])('has a file of its own for a package that is loaded on demand: %s', (file, member) => {
    const folder = join(MODULES, 'mcp-callsign', 'bundle', 'serve');
    const script = `process.stdout.write(typeof require('./${file}.cjs').${member})`;
    const { stdout } = spawnSync(process.execPath, ['-e', script], { cwd: folder });
    expect(stdout.toString()).toBe('function');
    expect(readFileSync(join(folder, 'serve-code.cjs'), 'latin1')).toContain(`"./${file}.cjs"`);
  });

  it('serves from its bundle, judges conditions, and records', async () => {
    const kid = { command: process.execPath, args: [join(ROOT, 'test/fixtures/plain-child.mjs')] };
    const folder = join(FOLDER, 'audit');
    const policy = { destructive: 'allow', rules: [{ when: 'args.a == 7', decision: 'deny' }] };
    const settings = { audit: { folder }, policy };
    const config = join(FOLDER, 'served.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { kid }, callsign: settings }));
    const served = spawn(process.execPath, [bin, 'serve', '--config', config], { cwd: FOLDER });
    const lines = createInterface({ input: served.stdout });
    const ask = async (id: number, method: string, params: object): Promise<string> => {
      served.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      for await (const [line] of on(lines, 'line') as AsyncIterable<[string]>) {
        if (line.includes(`"id":${id}`)) return line;
      }
      return '';
    };
    const clientInfo = { name: 'packed', version: '1.0.0' };
    await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    const add = (id: number, a: number): Promise<string> =>
      ask(id, 'tools/call', { name: 'kid:add', arguments: { a, b: 2 } });
    expect(await add(2, 1)).toContain('"sum":3');
    expect(await add(3, 7)).toContain('args.a == 7');
    served.stdin.end();
    await once(served, 'close');
    const recorded = callsign('audit', 'list', '--json', '--config', config);
    expect(recorded.stdout).toContain('policy-denied');
  });

  it('generates an adapter package, the same as the packed library does', () => {
    const out = join(FOLDER, 'harbour');
    const adapter = join(ROOT, 'examples/harbour/harbour.adapter.md');
    const made = callsign('adapter', 'generate', adapter, '--out', out);
    expect([made.status, made.stderr]).toEqual([0, expect.any(String)]);
    const script = `
      import { loadAdapter } from '@callsign/mcpaql';
      import { generateAdapter } from '@callsign/mcpaql/authoring';
      const { adapter } = await loadAdapter(process.argv[1]);
      console.log(JSON.stringify([...generateAdapter(adapter)]));`;
    const packedAlone = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', script, adapter],
      { cwd: FOLDER, encoding: 'utf8' },
    );
    expect(packedAlone.stderr).toBe('');
    const files = JSON.parse(packedAlone.stdout) as [path: string, text: string][];
    expect(files.map(([path]) => path)).toContain('runtime/runtime.js');
    for (const [path, text] of files) expect(readFileSync(join(out, path), 'utf8')).toBe(text);
  });

  it('has every command in it', () => {
    const help = callsign('--help').stdout;
    expect(help).toContain('adapter');
    const commands = [
      'validate',
      'list',
      'names',
      'config schema',
      'adapter validate',
      'completion bash',
    ];
    for (const command of commands) {
      const { status, stderr } = callsign(...command.split(' '), '--help');
      expect([command, status, stderr]).toEqual([command, 0, '']);
    }
  });
});
