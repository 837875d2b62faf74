/** The files of the folder `deploy`: what can be checked without Docker and without a running systemd (M37). */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { BIN } from '../e2e/command.js';
import { ROOT } from '../architecture/tree.js';
import { temporaryFolder } from '../e2e/gateway-process.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const dockerfile = read('deploy/Dockerfile');
/** The words after an instruction, from all of its lines. */
const instructions = (name: string): string[] =>
  Array.from(dockerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm')), ([, words]) => words!);

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
}

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly depends_on?: object;
}

const compose = parse(read('deploy/compose.yaml')) as Compose;

describe('deploy/Dockerfile', () => {
  it('makes and installs the package with commands that exist (M37)', () => {
    const [build = '', install = ''] = instructions('RUN');
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    expect(build).toMatch(/^npm run setup && mkdir \/packed && npm pack /);
    expect(scripts).toHaveProperty('setup');
    const manifest = JSON.parse(read('packages/cli/package.json'));
    expect(manifest).toMatchObject({ name: 'mcp-callsign', bin: { callsign: expect.anything() } });
    // Only this package is needed: it needs none of the others.
    const workspace = /--workspace (\S+)/.exec(build)?.[1];
    expect(workspace).toBe(manifest.name);
    expect(install).toContain(`npm install --global /packed/${workspace}-*.tgz`);
  });

  it('runs a Node that the command supports', () => {
    const { engines } = JSON.parse(read('packages/cli/package.json'));
    const versions = instructions('FROM').map((from) => Number(/^node:(\d+)/.exec(from)![1]));
    expect(Math.min(...versions)).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)![0]));
  });

  it('starts the command with flags that it has', () => {
    const [words] = instructions('CMD').map((line) => JSON.parse(line) as string[]);
    const [name, ...flags] = words!;
    expect([name, JSON.parse(instructions('ENTRYPOINT')[0]!)]).toEqual(['serve', ['callsign']]);
    const used = flags.filter((word) => word.startsWith('--'));
    expect(used).toEqual(['--config', '--http']);
    const { stdout: help } = spawnSync(process.execPath, [BIN, 'serve', '--help'], {
      encoding: 'utf8',
    });
    for (const flag of used) expect(help).toContain(`${flag} `);
  });

  it('has a health check that fails if nothing listens', () => {
    const [check = ''] = instructions('HEALTHCHECK');
    const [program, ...args] = JSON.parse(check.slice(check.indexOf('['))) as string[];
    expect(program).toBe('node');
    const script = args[1]!.replace(':3917/', ':1/');
    expect(spawnSync(process.execPath, ['-e', script]).status).toBe(1);
  });

  it('leaves out what is for another system, and nothing that the build needs', () => {
    const ignored = read('deploy/Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(ignored).toEqual(expect.arrayContaining(['.git', '**/node_modules', 'deploy/.env']));
    const tracked = spawnSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' });
    // A copy without git has no list of its files.
    if (tracked.status !== 0) return;
    const patterns = ignored.map(
      (line) =>
        new RegExp(
          `^${line
            .replaceAll('.', '\\.')
            .replaceAll('**/', '(?:.*/)?')
            .replaceAll(/(?<!\.)\*/g, '[^/]*')}(?:/|$)`,
        ),
    );
    const lost = tracked.stdout
      .split('\n')
      .filter((path) => path !== '' && patterns.some((pattern) => pattern.test(path)));
    expect(lost).toEqual([]);
  });
});

describe('deploy/compose.yaml', () => {
  it('gives the gateway every variable that its configuration names', () => {
    const { gateway, database } = compose.services;
    const text = read('deploy/config.example/callsign.json');
    const names = Array.from(text.matchAll(/\$\{(\w+)\}/g), ([, name]) => name!);
    expect(names).toEqual(['DATABASE_URL', 'CALLSIGN_STORAGE_SECRET']);
    expect(Object.keys(gateway!.environment)).toEqual(names);
    const { pathname, hostname, username } = new URL(
      gateway!.environment['DATABASE_URL']!.replace(/\$\{\w+\}/, 'secret'),
    );
    expect(compose.services).toHaveProperty(hostname);
    expect(database!.environment).toMatchObject({
      POSTGRES_DB: pathname.slice(1),
      POSTGRES_USER: username,
    });
    const example = read('deploy/env.example');
    const needed = Array.from(
      JSON.stringify(compose).matchAll(/\$\{(\w+):\?/g),
      ([, name]) => name!,
    );
    expect(needed).toEqual(['POSTGRES_PASSWORD', 'CALLSIGN_STORAGE_SECRET']);
    for (const name of needed) expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
  });

  it('builds the Dockerfile, mounts what it declares, and listens for this machine only', () => {
    const { gateway } = compose.services;
    const { context, dockerfile: path } = gateway!.build!;
    expect(read(join('deploy', context, path))).toBe(dockerfile);
    const port = instructions('EXPOSE')[0]!;
    expect(gateway!.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(gateway!.volumes).toEqual(['./config:/config:ro', `state:${instructions('VOLUME')[0]}`]);
    expect(Object.keys(compose.volumes)).toEqual(['records', 'state']);
  });

  it('has a configuration that can be served', () => {
    const file = join(temporaryFolder(), 'callsign.json');
    writeFileSync(file, read('deploy/config.example/callsign.json'));
    const args = [BIN, 'validate', '--offline', file];
    const { status, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '' },
    });
    expect(status, stderr).toBe(0);
  });
});

describe('deploy/callsign.service', () => {
  const unit = read('deploy/callsign.service');
  const isThere = spawnSync('systemd-analyze', ['--version']).error === undefined;

  it.skipIf(!isThere)('is a unit that systemd accepts', () => {
    const file = join(temporaryFolder(), 'callsign.service');
    writeFileSync(file, unit.replace('/usr/bin/callsign', process.execPath));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    const ours = stderr.split('\n').filter((line) => line.includes('callsign.service'));
    expect([status, ours]).toEqual([0, []]);
  });

  it('runs with flags that the command has, and reloads with a signal', () => {
    expect(unit).toMatch(/^ExecStart=\S+ serve --config \S+ --http$/m);
    expect(unit).toMatch(/^ExecReload=\S*kill -HUP \$MAINPID$/m);
  });
});
