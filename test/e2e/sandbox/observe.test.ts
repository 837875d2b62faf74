import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { Home } from '../cli/callsign.js';
import { describeObserved, ordinaryFolder, SCRIPT } from './sandboxes.js';

/** A server that keeps its data in a folder. Returns that folder. */
function configured(home: Home): string {
  const cwd = join(ordinaryFolder(), 'work');
  mkdirSync(cwd);
  home.configure({ s: { command: process.execPath, args: [SCRIPT, 'data'], cwd } });
  return cwd;
}

describeObserved('a server under observation', () => {
  it('gets a sandbox suggested in which it starts', async () => {
    const home = new Home();
    const cwd = configured(home);
    const { code, stdout, stderr } = await home.run([
      'sandbox',
      'suggest',
      's',
      '--write',
      '--json',
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      sandbox: { network: ['example.com:443'] },
      tools: 4,
    });
    const written = JSON.parse(readFileSync(join(home.work, 'callsign.json'), 'utf8')) as {
      callsign: { servers: object };
    };
    expect(written.callsign.servers).toEqual({ s: { sandbox: { network: ['example.com:443'] } } });
    home.accept(join(home.work, 'callsign.json'));
    const listed = await home.run(['tools', 's', '--refresh', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      tools: expect.arrayContaining([expect.anything()]) as unknown,
    });
    expect(existsSync(join(cwd, 'data', 'state.json'))).toBe(true);
  });

  it('is linted by what its tools try, and fails the CI of its author', async () => {
    const home = new Home();
    const cwd = join(ordinaryFolder(), 'work');
    mkdirSync(cwd);
    home.configure({ s: { command: process.execPath, args: [SCRIPT], cwd } });
    const { code, stdout } = await home.run(['lint', '--observe', '--json', 's']);
    expect(code).toBe(1);
    const observed = findingsIn(stdout).filter(({ rule }) => rule === 'claim-against-observation');
    expect(observed.map(({ tool }) => tool)).toEqual(['get_note', 'get_page']);
    expect(observed[0]!.message).toMatch(/^Claims to be read-only, but tried to write .*last-note/);
    expect(existsSync(join(cwd, 'last-note'))).toBe(false);

    const args = ['lint', '--observe', '--', process.execPath, SCRIPT];
    const { stdout: text, stderr } = await home.run([
      ...args.slice(0, 2),
      '--details',
      ...args.slice(2),
    ]);
    expect(text).toContain('Claims to reach no other system, but tried to reach example.com:443');
    expect(text + stderr).toContain('Called 3 tools of server in a sandbox.');
    // Without it, nothing is called.
    const without = await home.run(['lint', '--json', ...args.slice(2)]);
    const rules = findingsIn(without.stdout).map(({ rule }) => rule);
    expect(rules).not.toContain('claim-against-observation');

    const file = join(home.work, 'tools.json');
    writeFileSync(file, '{"tools":[]}');
    const { stderr: refused } = await home.run(['lint', '--observe', file]);
    expect(refused).toContain('--observe needs a server to start');
  });

  it('has its claims contradicted by what its tools tried', async () => {
    const home = new Home();
    const cwd = join(ordinaryFolder(), 'work');
    mkdirSync(cwd);
    home.configure({ s: { command: process.execPath, args: [SCRIPT], cwd } });
    const { code, stdout } = await home.run(['labels', 'observe', 's', '--json']);
    expect(code).toBe(0);
    const { tools } = JSON.parse(stdout) as {
      tools: { tool: string; contradictions: string[]; version: string }[];
    };
    const said = Object.fromEntries(
      tools.map(({ tool, contradictions }) => [tool, contradictions]),
    );
    const note = join(cwd, 'last-note');
    expect(said).toEqual({
      list_notes: [],
      get_note: [`It claims to be read-only, but it tried to write ${note} when it was observed.`],
      get_page: [
        'It claims to reach no other system, but it tried to reach example.com:443 when it was observed.',
      ],
    });
    expect(tools[0]?.version).toBe('1.4.0');
    expect(existsSync(note)).toBe(false);
    const labels = JSON.parse((await home.run(['tools', 's', '--json'])).stdout) as {
      tools: { canonical: string; risk: string; evidence: { by: string } }[];
    };
    const get = labels.tools.find(({ canonical }) => canonical === 's:get_note');
    expect(get).toMatchObject({ risk: 'destructive', evidence: { by: 'contradiction' } });
    expect((await home.run(['tools', 'show', 's:get_note'])).stdout).toContain('what was observed');
  });

  it('is called with the arguments of recorded calls, even for tools that are not said to read', async () => {
    const home = new Home();
    const cwd = join(ordinaryFolder(), 'work');
    mkdirSync(cwd);
    home.configure(
      { s: { command: process.execPath, args: [SCRIPT], cwd } },
      { audit: { arguments: 'redacted' } },
    );
    const none = await home.run(['labels', 'observe', 's', '--records']);
    expect(none.code).toBe(1);
    const written = join(cwd, 'written');
    const code = `fs.writeFileSync(${JSON.stringify(written)}, 'x'); return 'done'`;
    expect(
      await home.run(['call', 's:run', '--args', JSON.stringify({ code }), '--yes']),
    ).toMatchObject({
      code: 0,
    });
    rmSync(written);
    const { stdout } = await home.run(['labels', 'observe', 's', 'run', '--records', '--json']);
    const { tools } = JSON.parse(stdout) as { tools: { tool: string; changed: string[] }[] };
    expect(tools).toMatchObject([{ tool: 'run', changed: [written] }]);
    expect(existsSync(written)).toBe(false);
  });

  it('is called with the arguments of a person, unless it is said to read', async () => {
    const home = new Home();
    const cwd = join(ordinaryFolder(), 'work');
    mkdirSync(cwd);
    home.configure({ s: { command: process.execPath, args: [SCRIPT], cwd } });
    const without = await home.run(['labels', 'observe', 's', 'run']);
    expect(without.code).toBe(1);
    expect(without.stderr).toContain('--args');
    const args = JSON.stringify({
      code: `childProcess.execFileSync('true'); fs.rmSync('x', { force: true })`,
    });
    const { stdout } = await home.run(['labels', 'observe', 's', 'run', '--args', args, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      tools: [{ tool: 'run', ran: ['true'], changed: [] }],
    });
    expect((await home.run(['labels', 'observe', 's', 'nothing'])).stderr).toContain(
      'has no tool "nothing"',
    );
    expect((await home.run(['labels', 'observe', 's', 'run', '--args', '[]'])).stderr).toContain(
      'takes a JSON object',
    );
  });
});

interface LintFinding {
  readonly rule: string;
  readonly tool: string;
  readonly message: string;
}

function findingsIn(json: string): readonly LintFinding[] {
  const { targets } = JSON.parse(json) as { targets: { findings: LintFinding[] }[] };
  return targets.flatMap(({ findings }) => findings);
}
