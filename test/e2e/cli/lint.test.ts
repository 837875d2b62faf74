/** `callsign lint` and `callsign doctor`: what is wrong, for people, programs and CI. */

import { chmodSync, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { faulty, plain } from '../gateway-process.js';
import { Home, unpainted } from './callsign.js';

const GOLDEN = join(ROOT, 'test', 'e2e', 'cli', 'golden');
const recording = join(ROOT, 'test', 'recordings', 'everything.json');
const BAD = {
  tools: [{ name: 'a b', annotations: { readOnlyHint: true, destructiveHint: true } }],
};

describe('lint', () => {
  it('works on a server without any configuration', async () => {
    const home = new Home();
    const { command, args = [] } = plain('--nasty');
    const { code, stdout, stderr } = await home.run([
      'lint',
      '--client',
      'cursor',
      '--',
      command,
      ...args,
    ]);
    expect({ code, stdout: stdout.split('\n')[0] }).toEqual({
      code: 1,
      stdout: 'server (23 tools)',
    });
    expect(stderr).toMatch(/^\d+ errors?, \d+ warnings?, \d+ info\.\n$/);
    expect(stdout).toContain('name-length');
  });

  it.each([
    ['name', 'some clients refuse a character in it.'],
    ['label', 'harbour__find_ship would be labelled both read-only and destructive.'],
    ['no-handler', 'harbour__find_ship has no handler.'],
    ['no-prefix', 'createRegistrar needs a prefix,'],
    ['twice', 'harbour__find_ship is already registered'],
  ])('shows what the toolkit says about a mistake: %s (M1)', async (mistake, sentence) => {
    const server = [process.execPath, join(ROOT, 'test/fixtures/mistaken-author.mjs'), mistake];
    const { code, stderr } = await new Home().run(['lint', '--', ...server]);
    expect([code, stderr]).toEqual([4, expect.stringContaining(sentence)]);
  });

  it.each([
    ['a command with a file', 'server.mjs', 'server.mjs is not JSON'],
    ['a command without one', 'run', 'There is no configuration'],
  ])('says to put "--" before %s (M13)', async (_, word, why) => {
    const home = new Home();
    home.write('work/server.mjs', 'import x from "y";');
    const { code, stderr } = await home.run(['lint', 'node', word]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(why);
    expect(stderr).toContain(`Put "--" before a command: callsign lint -- node ${word}\n`);
  });

  it('says how to lint the server in a file', async () => {
    const home = new Home();
    home.write('work/server.mjs', 'import x from "y";');
    const { stderr } = await home.run(['lint', 'server.mjs']);
    expect(stderr).toContain('To lint a server, give its command: callsign lint -- COMMAND\n');
  });

  it('does not take an answer that is no JSON for a command', async () => {
    const home = new Home();
    home.write('work/tools.json', 'tools');
    const { stderr } = await home.run(['lint', './tools.json']);
    expect(stderr).toContain('is not JSON');
    expect(stderr).not.toContain('--');
  });

  it('shows the names of files of a command, and hides its secrets (M14)', async () => {
    const home = new Home();
    const file = home.write('work/bad4.mjs', "import 'no-such-package';");
    const words = ['node', 'bad4.mjs', '--token', 'hush-hush-1'];
    const { stderr } = await home.run(['lint', '--', ...words]);
    expect(stderr).toContain(`imported from ${file}`);
    home.write('work/bad4.mjs', 'throw new Error(process.argv.at(-1));');
    const { stderr: second } = await home.run(['lint', '--', ...words]);
    expect(second).toContain('it said: Error: [redacted]');
  });

  it('reports the same for a file, a configured server and a command', async () => {
    const home = new Home();
    home.configure({ plain: plain() });
    const { command, args = [] } = plain();
    const findings = async (...words: string[]) => {
      const { stdout } = await home.run(['lint', '--json', ...words]);
      const { targets } = JSON.parse(stdout) as { targets: { findings: unknown[] }[] };
      return targets[0]!.findings;
    };
    const configured = await findings('plain');
    expect(configured.length).toBeGreaterThan(10);
    // Its words are split at spaces, which the path of the repository may have.
    const words = [command, ...args.map((arg) => relative(home.work, arg))];
    expect(await findings('--command', words.join(' '))).toEqual(configured);
  });

  it.each(['text', 'json', 'sarif', 'github'])('writes %s', async (format) => {
    const home = new Home();
    const file = home.write('work/tools.json', JSON.stringify(BAD));
    const { code, stdout } = await home.run(['lint', '--format', format, file]);
    expect(code).toBe(1);
    const name = `lint-${format}.txt`;
    await expect(home.tidy(stdout)).toMatchFileSnapshot(join(GOLDEN, name));
  });

  it('N22, D8: groups what it finds by rule, with a count and the page of the rule', async () => {
    const home = new Home();
    const tools = Array.from({ length: 36 }, (_, i) => ({
      name: `tool_${i}`,
      description: 'Does.',
    }));
    const file = home.write('work/many.json', JSON.stringify({ tools }));
    const { stdout } = await home.run(['lint', file]);
    const blocks = stdout.split(/\n(?= {2}\w)/).slice(1);
    const rules = blocks.map((block) => /^ {2}\w+ (\S+) /.exec(block)![1]!);
    expect(rules).toEqual([...new Set(rules)]);
    const schema = blocks.find((block) => block.includes('schema-not-object'))!;
    expect(schema).toMatch(/^ {2}error schema-not-object 36 tools\n/);
    expect(schema).toContain('in tool_0, tool_1, tool_10, tool_11, tool_12, and 31 more\n');
    expect(schema).toContain('docs/lint/schema-not-object.md');
    expect(stdout.split('\n').length).toBeLessThan(60);
    for (const rule of rules) {
      expect(existsSync(join(ROOT, 'docs', 'lint', `${rule}.md`))).toBe(true);
    }
    const details = await home.run(['lint', file, '--details']);
    expect(details.stdout.match(/schema-not-object tool_\d+:/g)).toHaveLength(36);
  });

  it('counts warnings against a limit', async () => {
    const home = new Home();
    const file = home.write(
      'work/t.json',
      '[{"name":"x y","title":"X","description":"Does x to y.","inputSchema":{"type":"object"}}]',
    );
    expect(await home.run(['lint', file])).toMatchObject({ code: 0 });
    expect(await home.run(['lint', file, '--max-warnings', '0'])).toMatchObject({ code: 1 });
  });

  it.each([
    [['--format', 'xml', recording], 1, /--format takes text, json, sarif, github/],
    [['--client', 'nobody', recording], 1, /There is no client "nobody"/],
    [['--max-warnings', 'few', recording], 1, /takes a number/],
    [['nobody.json'], 1, /^There is no file nobody\.json\.\n$/],
    [
      ['--url', 'http://127.0.0.1:1/mcp'],
      4,
      /^The server did not start: connection refused.*\nTo see what it prints: --verbose/,
    ],
    [['--url', 'x', '--command', 'y'], 1, /Name servers or files/],
    [['bad'], 4, /Server "bad" did not start/],
  ])('says what is wrong: %s', async (args, code, message) => {
    const home = new Home();
    home.configure({ bad: faulty('exits-at-once') });
    const ended = await home.run(['lint', ...args]);
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(message) });
  });
});

describe('the doctor', () => {
  it('finds no problem in a good configuration', async () => {
    const home = new Home();
    home.configure({ plain: plain() }, { http: { port: 0 } });
    const { code, stdout } = await home.run(['doctor']);
    expect(code).toBe(0);
    expect(stdout.match(/^\w+/gm)).toEqual(stdout.match(/^pass/gm));
    expect(stdout).toContain('plain: start: answers, with 20 tools');
    expect(stdout.match(/names:.*/g)).toEqual(['names: 20 names, none changed']);
  });

  it('warns of a server that prints other text among its messages', async () => {
    const home = new Home();
    const { command, args } = plain();
    const script = 'echo "Listening on stdio"; exec "$0" "$@"';
    const loud = { command: 'sh', args: ['-c', script, command, ...args!] };
    const broken = { command: 'sh', args: ['-c', 'echo no licence; echo bye; exit 3'] };
    home.configure({ loud, broken }, { http: { port: 0 } });
    const { code, stdout } = await home.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^warn {2}loud: start: .*printed: Listening on stdio .*\n +→ \w/m);
    expect(stdout).toMatch(/exited with code 3\n +it said: no licence .*\n +→/);
  });

  it('finds what is wrong, and says what to do', async () => {
    const home = new Home();
    const busy = createServer();
    await new Promise<void>((resolve) => void busy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void busy.close());
    const { port } = busy.address() as AddressInfo;
    const file = home.configure(
      {
        bad: faulty('exits-at-once'),
        absent: { command: 'no-such-program-anywhere' },
        keyed: { ...plain(), env: { API_TOKEN: 'literal-secret' } },
      },
      { http: { port } },
    );
    chmodSync(file, 0o644);
    expect(statSync(file).mode & 0o777).toBe(0o644);
    const { code, stdout } = await home.run(['doctor', '--json']);
    expect(code).toBe(1);
    expect(stdout).not.toContain('literal-secret');
    const { findings } = JSON.parse(stdout) as { findings: Record<string, string>[] };
    const wrong = findings.filter(({ status }) => status !== 'pass');
    expect(wrong.map(({ status, check }) => `${status} ${check}`)).toEqual([
      'warn secrets',
      'warn port',
      'fail absent: command',
      'fail bad: start',
    ]);
    for (const { fix } of wrong) expect(fix).toMatch(/\w/);
  });

  it.each([
    [{ allow: ['plain:add'] }, ['some'], 'pass', 1, undefined],
    [{ allow: ['*'] }, [], 'warn', 0, /^give them a role: "access"/],
    // For roles, no tool reads only because its server says so.
    [{ allow: ['*'], maxRisk: 'read' }, ['some'], 'warn', 0, /^find out why: callsign policy test/],
  ])('counts what the role %j of %j leaves', async (some, anonymous, status, count, fix) => {
    const home = new Home();
    const access = { anonymous };
    home.configure({ plain: plain() }, { http: { port: 0 }, roles: { some }, access });
    const { stdout } = await home.run(['doctor', '--json']);
    const { findings } = JSON.parse(stdout) as { findings: Record<string, string>[] };
    expect(findings.find(({ check }) => check === 'roles')).toMatchObject({
      status,
      message: `callers without a key get ${count} of 20 tools`,
      ...(fix && { fix: expect.stringMatching(fix) as string }),
    });
  });

  it('fits what a failed server printed into a terminal', async () => {
    const home = new Home();
    const script = `console.error('no database '.repeat(20)); process.exit(3)`;
    home.configure({ bad: { command: process.execPath, args: ['-e', script] } });
    const { code, stdout } = await home.run(['doctor'], { columns: 60 });
    expect(code).toBe(1);
    const [, printed = ''] = /it said: ([^→]*)→/.exec(unpainted(stdout)) ?? [];
    expect(printed.trim().split(/\s+/)).toHaveLength(40);
    for (const line of printed.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(60);
    expect(printed.split('\n').length).toBeGreaterThan(4);
  });

  it('N26: warns once of a file with many secrets, and shows what a failed server printed', async () => {
    const home = new Home();
    const script = `console.error('no database at postgres://ann:hunter2@db/x'); process.exit(3)`;
    const file = home.configure(
      {
        bad: { command: process.execPath, args: ['-e', script] },
        one: { ...plain(), env: { API_TOKEN: 'literal-secret' } },
        two: { ...plain(), env: { API_TOKEN: 'literal-secret' } },
      },
      { http: { port: 0 } },
    );
    chmodSync(file, 0o644);
    const { code, stdout } = await home.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout.match(/chmod 600/g)).toHaveLength(1);
    expect(stdout).toMatch(/warn {2}secrets: .* contains secrets of one, two\n/);
    expect(stdout).toMatch(/fail {2}bad: start: .*exited with code 3\n.*it said: no database at/);
    expect(stdout).not.toMatch(/hunter2|literal-secret/);
  });
});
