/** Tables, colours and JSON on terminals of different widths. */

import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { plain } from '../gateway-process.js';
import { Home, unpainted } from './callsign.js';

const everything = {
  command: process.execPath,
  args: [join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
};
const LONGEST = 'everything:trigger-long-running-operation';

describe('on a terminal', () => {
  it('N9: names are whole at 60 and at 120 columns, and words wrap', async () => {
    const home = new Home();
    home.configure({ everything, kid: plain() });
    await home.run(['tools']);
    for (const columns of [60, 120]) {
      for (const args of [['tools'], ['tools', '--why'], ['names'], ['search', 'operation']]) {
        const { stdout } = await home.run(args, { columns });
        const text = unpainted(stdout);
        expect(text).toContain(LONGEST);
        for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
      }
    }
    const why = unpainted((await home.run(['tools', '--why'], { columns: 60 })).stdout);
    // The reason is complete, on several lines if it is long.
    expect(why.replace(/\s+/g, ' ')).toContain('the server says so');
    expect(why).not.toContain('…');
  });

  it('what a label means wraps at words', async () => {
    const home = new Home();
    home.configure(
      { kid: plain() },
      { annotations: { 'kid:add': { preset: 'WRITE_DESTRUCTIVE_OPEN_WORLD' } } },
    );
    await home.run(['tools']);
    const { stdout } = await home.run(['tools', 'show', 'kid:add'], { columns: 60 });
    const text = unpainted(stdout);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
    expect(text.replace(/\s+/g, ' ')).toContain(
      'data, and may reach other systems; ask before each call; do not retry.',
    );
  });

  it('N17: JSON is readable, and compact in a pipe', async () => {
    const home = new Home();
    home.configure({ kid: plain() });
    const args = ['call', 'kid:echo', 'a:={"b":[1,12345678901234567890]}'];
    const shown = await home.run(args, { columns: 100 });
    expect(shown.code).toBe(0);
    expect(unpainted(shown.stdout)).toContain(
      '{\n  "a": {\n    "b": [\n      1,\n      12345678901234567890\n    ]\n  }\n}\n',
    );
    const raw = await home.run([...args, '--json'], { columns: 100 });
    expect(unpainted(raw.stdout)).toContain('\n  "content": [\n');
    expect((await home.run(args)).stdout).toBe('{"a":{"b":[1,12345678901234567890]}}\n');
  });

  it('N21: a colour has one meaning in tools and in audit, and times are local', async () => {
    const home = new Home();
    home.configure({ kid: plain() });
    await home.run(['call', 'kid:crash_after', 'ms=0', '--yes']);
    const env = { FORCE_COLOR: '1', TZ: 'Asia/Kolkata' };
    const shown = async (...args: string[]): Promise<string> => {
      const terminal = home.terminal(args, { env, columns: 120 });
      if (args[1] === 'tail') {
        await terminal.shows(/ok/);
        terminal.type('\u0003');
      }
      await terminal.ended;
      return terminal.screen;
    };
    const red = '\x1b[31mdestructive\x1b[39m';
    const green = '\x1b[32mok\x1b[39m';
    expect((await home.run(['tools'], { env, columns: 120 })).stdout).toContain(red);
    const listed = await shown('audit', 'list');
    expect(listed).toContain(red);
    expect(listed).toContain(green);
    const tail = await shown('audit', 'tail');
    expect(tail).toContain(red);
    expect(tail).toContain(green);
    const { stdout } = await home.run(['audit', 'list']);
    const [, utc = ''] = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)/.exec(stdout) ?? [];
    const kolkata = new Date(Date.parse(utc) + 5.5 * 3_600_000).toISOString();
    expect(listed).toContain(kolkata.replace('T', ' ').slice(0, 19));
  });
});
