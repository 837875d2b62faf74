/**
 * Every command of the README works, and prints what the README says. Run by `npm run test:clone` in a fresh clone.
 */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { Home } from '../e2e/cli/callsign.js';
import { LineClient } from '../e2e/serve/line-client.js';
import { until } from '../e2e/serve/until.js';
import { fencesOf } from '../docs/testing/markdown.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const README = read('README.md');
const SHOWCASE = 'examples/showcase/callsign.json';
const commands = new Set([
  ...(README.match(/(?<=^|`)npm (?:run )?[a-z:-]+/gm) ?? []),
  ...(README.match(/^npx callsign.*$/gm) ?? []),
]);

const running: ChildProcess[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(ended));
});

/** Starts a command of the README and waits for a line that it prints. */
function untilPrinted(command: string, pattern: RegExp, env: Record<string, string> = {}) {
  const [program = '', ...args] = command.split(' ');
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    detached: true,
  });
  running.push(child);
  return new Promise<string>((resolve, reject) => {
    let printed = '';
    const take = (chunk: Buffer) => {
      printed += chunk.toString();
      if (pattern.test(printed)) resolve(printed);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}:\n${printed}`)));
  });
}

interface TerminalState {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Types a line into a terminal, and an answer to each question. Fails unless it ends with 0. */
function typed(
  line: string,
  { cwd, env }: TerminalState,
  answers: readonly (readonly [RegExp, string])[],
): Promise<void> {
  const child = spawn('script', ['-qec', `stty cols 100 rows 40; ${line}`, '/dev/null'], {
    cwd,
    env: { ...env, SHELL: '/bin/sh', TERM: 'xterm' },
  });
  const open = [...answers];
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
    const [next] = open;
    if (!next?.[0].test(screen)) return;
    open.shift();
    child.stdin.write(next[1]);
  });
  return new Promise((resolve, reject) => {
    child.once('close', (code) =>
      code === 0 && open.length === 0
        ? resolve()
        : reject(new Error(`${line} ended with ${code}:\n${screen}`)),
    );
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGTERM');
  await exit;
}

/** Commands that are run unchanged and end by themselves. */
const plain = [...commands].filter(
  (each) => each.startsWith('npx ') && !/ serve |^npx callsign (?:setup|uninstall)/.test(each),
);

describe('README.md', () => {
  it('names no command that is not shown to work here or by CI', () => {
    const others = [...commands].filter((each) => !plain.includes(each));
    expect(others.toSorted()).toEqual([
      'npm run bench',
      'npm run check',
      'npm run conformance',
      'npm run recording',
      'npm run setup',
      'npm run test:clone',
      'npm run test:slow',
      'npm start',
      'npm test',
      'npx callsign serve --config examples/showcase/callsign.json --http 3918',
      'npx callsign setup',
      'npx callsign uninstall --all',
    ]);
    expect(plain.length).toBeGreaterThan(5);
  });

  it.each(plain)('%s works', (command) => {
    const [program = '', ...args] = command.split(' ');
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    expect(stdout + stderr).not.toBe('');
  });

  it('npm start serves six servers, says how to connect, and what to try', async () => {
    const printed = await untilPrinted('npm start', /Stop with Ctrl-C/, { PORT: '0' });
    const [, url] = /one endpoint: (\S+)/.exec(printed)!;
    for (const line of ['6 servers, 56 tools', 'filesystem   14 tools', 'thinking     1 tool']) {
      expect(printed).toContain(line);
      expect(README).toContain(line);
    }
    for (const client of ['Claude Code', 'Cursor', 'VS Code', 'Codex', 'Claude Desktop']) {
      expect(printed).toContain(client);
    }
    expect(printed).not.toContain('\u001b');
    const health = await fetch(url!.replace('/mcp', '/healthz'));
    expect(health.status).toBe(200);
    const tries = printed.match(/^ {2}npx callsign .*$/gm) ?? [];
    expect(tries.length).toBeGreaterThan(6);
    // All except the one that asks first, which needs an answer.
    for (const line of tries.filter((each) => !each.includes('delete'))) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      expect(status, `${line}\n${stderr}`).toBe(0);
      expect(stdout).not.toBe('');
    }
    // N4: after one confirmation, it is deleted.
    const graph = () =>
      spawnSync('sh', ['-c', `npx callsign call memory:read_graph --config ${SHOWCASE}`], {
        cwd: ROOT,
        encoding: 'utf8',
      }).stdout;
    expect(graph()).toContain('pier 9');
    const deleting = tries.find((each) => each.includes('delete'))!;
    // The first answer is no.
    const yes = [/Yes, this once/, '\x1b[B\r'] as const;
    await typed(deleting.trim(), { cwd: ROOT, env: process.env }, [yes]);
    expect(graph()).not.toContain('pier 9');
  });

  it('leads from a clone to a client that works, and back, by typing what it says', async () => {
    const [, section = ''] = README.split('## Use it with your clients\n');
    const lines = fencesOf({ path: 'README.md', text: section.split('\n## ')[0]! }).flatMap(
      ({ text }) => text.trim().split('\n'),
    );
    expect(lines).toEqual(['npm run setup', 'npx callsign setup', 'npx callsign uninstall --all']);
    const home = new Home();
    const memory = join(ROOT, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');
    const before = `${JSON.stringify({ mcpServers: { memory: { command: 'node', args: [memory] } } })}\n`;
    const file = home.write('.cursor/mcp.json', before);
    const state = { env: home.env(), cwd: ROOT };
    await typed(lines[0]!, state, []);
    await typed(lines[1]!, state, [
      [/Which servers should Callsign serve\?/, '\r'],
      [/Which clients should use Callsign\?/, '\r'],
      [/from the files of clients\?/, 'y'],
      [/There is no policy yet/, 'y'],
    ]);
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as {
      mcpServers: Record<string, { command: string; args: string[] }>;
    };
    expect(Object.keys(mcpServers)).toEqual(['callsign']);
    const { command, args } = mcpServers['callsign']!;
    const started = spawn(command, args, { cwd: '/', env: home.env() });
    onTestFinished(() => void started.kill());
    const client = new LineClient(started.stdout, started.stdin);
    await client.greet();
    await until(async () => (await client.toolNames()).includes('memory:read_graph'));
    started.stdin.end();
    await typed(lines[2]!, state, []);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('npx callsign serve answers on standard input and output', () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      },
    };
    const { status, stdout } = spawnSync(
      'npx',
      ['callsign', 'serve', '--config', 'examples/showcase/callsign.json'],
      { cwd: ROOT, encoding: 'utf8', input: `${JSON.stringify(initialize)}\n` },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      id: 1,
      result: { serverInfo: { name: 'callsign' } },
    });
    expect(status).toBe(0);
  });

  it('npx callsign serve --http listens where it was told', async () => {
    const command = 'npx callsign serve --config examples/showcase/callsign.json --http 3918';
    await expect(untilPrinted(command, /listens on \S+:3918\/mcp/)).resolves.toContain(
      'http://127.0.0.1',
    );
  });

  it('the recording shows what its commands print', () => {
    const script = join(ROOT, 'scripts/recording/run.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  });
});
