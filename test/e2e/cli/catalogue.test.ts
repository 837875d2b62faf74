/** Commands about tools: they ask each server once, and store its lists. */

import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { fixtureFile } from '../../testing/fixture.js';
import { faulty, startGateway } from '../gateway-process.js';
import { Home } from './callsign.js';

const GOLDEN = join(ROOT, 'test', 'e2e', 'cli', 'golden');
const plain = fixtureFile('plain-child');
const memory = join(ROOT, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');

/** A server that notes each of its starts in a file. */
function counted(home: Home, script: string, ...args: string[]) {
  const line = `echo start >> "${home.folder}/starts"; exec "$0" "$@"`;
  return { command: 'sh', args: ['-c', line, process.execPath, script, ...args] };
}

function starts(home: Home): number {
  const file = join(home.folder, 'starts');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
}

describe('the remembered tools of servers', () => {
  it('are used without starting servers, until their entries change or --refresh is given', async () => {
    const home = new Home();
    home.configure({ plain: counted(home, plain) });
    for (const args of [['validate'], ['list'], ['get', 'plain'], ['config', 'schema']]) {
      expect(await home.run(args)).toMatchObject({ code: 0 });
    }
    expect(starts(home)).toBe(0);
    expect(await home.run(['tools'])).toMatchObject({ code: 0 });
    expect(starts(home)).toBe(1);
    for (const args of [
      ['names', '--all'],
      ['search', 'add'],
      ['tools', 'show', 'plain:add'],
    ]) {
      expect(await home.run(args)).toMatchObject({ code: 0 });
    }
    expect(starts(home)).toBe(1);
    await home.run(['tools', '--refresh']);
    expect(starts(home)).toBe(2);
    home.configure({ plain: counted(home, plain, '--tools=1') });
    expect(await home.run(['tools', 't_0'])).toMatchObject({
      stdout: expect.stringContaining('plain:t_0') as string,
    });
    expect(starts(home)).toBe(3);
  });

  it('are readable by their owner only, and a broken file loses nothing', async () => {
    const home = new Home();
    home.configure({ plain: counted(home, plain) });
    const first = await home.run(['names']);
    const folder = join(home.folder, 'state', 'callsign', 'offers');
    const [file = ''] = readdirSync(folder).map((name) => join(folder, name));
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    writeFileSync(file, '{"version": 1, "servers": [{"key": 5}]');
    expect(await home.run(['names'])).toEqual(first);
  });

  it('are shared with the gateway, in both directions', async () => {
    const home = new Home();
    home.configure({ plain: counted(home, plain) });
    await home.run(['tools']);
    const folder = join(home.folder, 'state', 'callsign');
    expect(readdirSync(folder)).not.toContain('catalogue');
    const offers = readdirSync(join(folder, 'offers'));
    expect(offers).toHaveLength(1);
    const state = join(home.folder, 'state');
    const config = join(home.work, 'callsign.json');
    const gateway = await startGateway({ servers: {}, config, env: { XDG_STATE_HOME: state } });
    const client = await gateway.connect();
    expect(await client.tools()).toContain('plain:add');
    await gateway.stop();
    expect(readdirSync(join(folder, 'offers'))).toEqual(offers);
  });

  it('do not exist for a server that did not start: it is tried again', async () => {
    const home = new Home();
    home.configure({ plain: counted(home, plain), bad: faulty('exits-at-once') });
    const said = 'Server "bad" did not start: it exited with code 1';
    for (let time = 0; time < 2; time++) {
      const { code, stdout, stderr } = await home.run(['tools', 'add']);
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('plain:add') as string,
      });
      expect(stderr).toContain(said);
    }
    expect(starts(home)).toBe(1);
    expect(await home.run(['tools', 'add', '--quiet'])).toMatchObject({ stderr: '' });
  });

  it('and their problems are named only by commands that ask about them', async () => {
    const home = new Home();
    const fails = { command: process.execPath, args: ['-e', 'process.exit(1)'] };
    const needy = { command: 'x', env: { KEY: '${NOT_SET_HERE}' } };
    home.configure({ plain: counted(home, plain), bad: fails, needy });
    const all = await home.run(['tools']);
    expect(all.stderr).toContain('mcpServers.needy.env.KEY');
    expect(all.stderr).toContain('Server "bad" did not start');
    for (const words of [
      ['tools', 'plain'],
      ['tools', 'plain:e*'],
      ['tools', 'show', 'plain:echo'],
      ['policy', 'test', 'plain:echo'],
    ]) {
      const { code, stderr } = await home.run(words);
      expect(code).toBe(0);
      expect(stderr).not.toMatch(/needy|bad|warning/);
    }
    expect((await home.run(['tools', 'bad:x'])).stderr).toContain('Server "bad" did not start');
  });
});

describe('a server that needs a sign-in', () => {
  it('is named with the command for it, and with what doctor advises', async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const home = new Home();
    home.configure({ away: { type: 'http', url: `http://127.0.0.1:${port}/mcp` } });
    const advice = 'callsign login away, or put a token into its "headers"';
    const { stderr } = await home.run(['tools']);
    expect(stderr).toContain(`warning: Server "away" needs credentials. Sign in: ${advice}.\n`);
    const { stdout } = await home.run(['doctor']);
    expect(stdout).toContain('fail  away: start: did not start: sign in with: callsign login away');
    expect(stdout).toContain(`→ sign in: ${advice}\n`);
  });
});

describe('tools show', () => {
  it('says once why the server of a tool did not start', async () => {
    const home = new Home();
    home.configure({ bad: faulty('exits-at-once') });
    const { code, stderr } = await home.run(['tools', 'show', 'bad:x']);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^Server "bad" did not start: it exited with code 1; .*\nTo find out why: callsign doctor\n$/,
    );
  });
});

describe('a tool of a server with a bad entry', () => {
  it.each(['call', 'tools show', 'policy test'])('is not unknown to %s', async (command) => {
    const words = command.split(' ');
    const home = new Home();
    home.configure({ plain: counted(home, plain), bad: { command: '${NO_SUCH_VARIABLE}' } });
    const { code, stderr } = await home.run([...words, 'bad:x']);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^Server "bad" cannot be started, because its entry has a problem\.$/m);
    expect(stderr).not.toContain('not found');
    const other = await home.run([...words, 'nobody']);
    expect(other.stderr).toContain('so their tools are not known: "bad"');
  });
});

describe('tools', () => {
  it('are listed with labels, explained, and found by words', async () => {
    const home = new Home();
    home.configure({
      memory: { command: process.execPath, args: [memory] },
      'a-b': { command: process.execPath, args: [plain] },
    });
    const lines: string[] = [];
    const commands = [
      ['tools', 'memory:*'],
      ['tools', 'memory:read_graph', '--why', '--profile', 'cursor'],
      ['tools', 'show', 'memory__create_entities'],
      ['names', '--profile', 'cursor'],
      ['names', '--profile', 'portable', '--rename', 'memory=mem__ory'],
      ['search', 'delte', 'entities'],
    ];
    for (const args of commands) {
      const { code, stdout, stderr } = await home.run(args);
      lines.push(`$ callsign ${args.join(' ')}`, stdout + stderr, `(${code})`, '');
    }
    await expect(home.tidy(lines.join('\n'))).toMatchFileSnapshot(join(GOLDEN, 'tools.txt'));
  });

  it('are data for programs', async () => {
    const home = new Home();
    home.configure({ plain: { command: process.execPath, args: [plain] } });
    const parsed = async (...args: string[]) =>
      JSON.parse((await home.run([...args, '--json'])).stdout) as unknown;
    expect(await parsed('tools', 'plain:add')).toMatchObject({
      schemaVersion: 1,
      tools: [
        { name: 'plain:add', server: 'plain', tool: 'add', risk: 'read' },
        { name: 'plain:add_tool' },
      ],
    });
    expect(await parsed('tools', 'show', 'plain:add')).toMatchObject({
      schemaVersion: 1,
      canonical: 'plain:add',
      names: expect.arrayContaining([
        expect.objectContaining({
          profile: 'openai',
          name: 'plain__add',
          exact: true,
          maxLength: 64,
        }),
      ]) as unknown,
      definition: { name: 'add' },
    });
    expect(await parsed('names', '--all')).toMatchObject({
      schemaVersion: 1,
      profiles: expect.arrayContaining([expect.objectContaining({ profile: 'cursor' })]) as unknown,
    });
  });

  it('explain each problem of names once, with the clients that have it', async () => {
    const home = new Home();
    const server = { command: process.execPath, args: [plain] };
    const aliases = { x: 'c:nothing' };
    home.configure({ c: server, 'd-e': server, d_e: server }, { aliases });
    const { stdout, stderr } = await home.run(['names', '--all']);
    const nothing = 'warning: Alias "x" stands for c:nothing, which no server offers.\n  → Correct';
    expect(stdout.split(`\n${nothing}`)).toHaveLength(2);
    expect(stdout).toMatch(/\nwarning in 12 of 13 profiles: d-e:add and d_e:add look alike\.\n/);
    expect(stdout.match(/\n {2}→ /g)).toHaveLength(10);
    expect(stderr).toMatch(
      /\d+ more problems\. To see those of one client: callsign names --profile/,
    );
    expect(stderr).toContain('MARKED: names that end in a short mark, such as _h1,');
    // No name has one.
    expect(`${stdout}${stderr}`).not.toContain('FINGERPRINT');
    const some = await home.run(['names', 'd-e:add', '--profile', 'cursor']);
    expect(some.stdout).toMatch(
      /^NAME.*\nd_e__add_h +\d+\/50 +d-e:add +characters\nd_e__add_tool_h1 .*\n(?!d_e)/,
    );
  });

  it.each([
    [['tools', 'show', 'plain:ad'], 1, /^Tool not found: plain:ad\nDid you mean: plain:add\?\n/],
    [['tools', '--profile', 'nobody'], 1, /There is no profile "nobody"/],
    [['names', '--profile', 'cursor', '--all'], 1, /not both/],
    [['names', '--rename', 'plain'], 1, /--rename takes OLD=NEW/],
    [['names', '--rename', 'x=y'], 1, /There is no server "x"/],
    [['names', 'plan'], 1, /^No tool matches "plan"\. Did you mean: callsign names plain\?\n/],
  ])('report errors: %s', async (args, code, message) => {
    const home = new Home();
    home.configure({ plain: { command: process.execPath, args: [plain] } });
    const ended = await home.run(args);
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(message) as string });
  });
});

describe('callsign tools --tokens', () => {
  it('shows tools, servers and views, the most expensive first', async () => {
    const home = new Home();
    home.configure({
      plain: { command: process.execPath, args: [plain] },
      memory: { command: process.execPath, args: [memory] },
    });
    const { code, stdout } = await home.run(['tools', '--tokens', '--json']);
    expect(code).toBe(0);
    const { tools, tokens } = JSON.parse(stdout) as {
      tools: { server: string; tokens: number }[];
      tokens: {
        servers: { server: string; tools: number; flat: number; crude: number; search: number }[];
        total: { flat: number; crude: number; search: number };
      };
    };
    const [first, second] = tokens.servers;
    expect([first!.server, second!.server]).toEqual(['memory', 'plain']);
    const sum = (server?: string): number => {
      const own = tools.filter((tool) => server === undefined || tool.server === server);
      return own.reduce((all, tool) => all + tool.tokens, 0);
    };
    expect(first!.flat).toBe(sum('memory'));
    expect(tokens.total.flat).toBe(sum());
    expect(tokens.total.crude).toBe(first!.crude + second!.crude);
    expect(first!.crude).toBeLessThan(first!.flat / 2);
    expect(tokens.total.search).toBeLessThan(tokens.total.flat / 2);

    const shown = await home.run(['tools', '--tokens', 'memory']);
    expect(shown.stdout).toContain(first!.flat.toLocaleString('en'));
    expect(shown.stdout).not.toContain('plain');
    expect(shown.stdout).toMatch(/SERVER +TOOLS +TOKENS +AS FIVE TOOLS +AS TWO TOOLS/);
  });

  it('and a search narrowed by risk say what they leave out', async () => {
    const home = new Home();
    home.configure({ memory: { command: process.execPath, args: [memory] } });
    const narrowed = await home.run(['search', 'delete', '--risk', 'read', '--json']);
    const { tools } = JSON.parse(narrowed.stdout) as { tools: { risk: string }[] };
    expect(tools.every(({ risk }) => risk === 'read')).toBe(true);
    const wrong = await home.run(['search', 'delete', '--risk', 'safe']);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('destructive') });
    const none = await home.run(['search', 'zzzzzz']);
    expect(none.stderr).toContain('other words');
  });
});
