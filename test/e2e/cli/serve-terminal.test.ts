/** `callsign serve` on a terminal, and the commands that show it and its servers. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { eventually, faulty, plain, startGateway } from '../gateway-process.js';
import { Home } from './callsign.js';

const noisy = {
  command: process.execPath,
  args: [
    '-e',
    `console.error('cannot reach postgres://ann:hunter2@db/x'); ` +
      `import(${JSON.stringify(plain().args![0])})`,
  ],
};

describe('serve on a terminal', () => {
  it('N20: shows that it is ready, calls, reloads, servers that come back, and its end', async () => {
    const home = new Home();
    home.configure({ kid: plain() });
    const terminal = home.terminal(['serve', '--http', '0'], { columns: 120 });
    await terminal.shows(/listens on http/);
    await terminal.shows(/ready .*http:\/\/127\.0\.0\.1:\d+\/mcp {2}1 server, 20 tools/);
    await eventually(async () => (await home.run(['status'])).code === 0);
    await home.run(['call', 'kid:add', 'a=1', 'b=2']);
    await home.run(['call', 'kid:crash']);
    await terminal.shows(/kid: is ready again/);
    home.configure({ kid: plain(), more: plain() });
    await terminal.shows(/The configuration was reloaded\./);
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(130);
    const { text } = terminal;
    expect(text).toMatch(/\d\d:\d\d:\d\d call +kid:add {2}read {2}ok {2}\d+ ms {2}callsign/);
    expect(text).toMatch(/call +kid:crash .*upstream-closed/);
    expect(text).toMatch(/server +kid: it exited with code 1; starting again/);
    expect(text).toMatch(/goodbye +stopped after .*, 2 calls, 1 without success\n*$/);
  });

  it('N20: does not say that it is ready if it is stopped before that', async () => {
    const home = new Home();
    home.configure({ late: faulty('never-answers') });
    const terminal = home.terminal(['serve', '--http', '0'], { columns: 120 });
    await terminal.shows(/listens on http/);
    await eventually(async () => (await home.run(['status'])).stdout.includes('starting'));
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(130);
    expect(terminal.text).toMatch(/goodbye +stopped/);
    expect(terminal.text).not.toContain('ready');
  });

  it('N20: prints only warnings elsewhere', async () => {
    const home = new Home();
    const config = home.configure({ kid: plain() });
    const env = { XDG_STATE_HOME: join(home.folder, 'state'), HOME: home.folder };
    const gateway = await startGateway({ servers: {}, config, listener: 'http', env });
    const client = await gateway.connect();
    await client.call('kid:add', { a: 1, b: 2 });
    expect(gateway.stderr).toBe(`Callsign listens on ${gateway.url}\n`);

    const { stdout } = await home.run(['status']);
    expect(stdout).toContain(`${gateway.url} (process ${gateway.pid})`);
    expect(stdout).toMatch(/up +\d+ s, since \d{4}-.*Z/);
    expect(stdout).toMatch(/clients +\S+ \S+/);
    expect(stdout).not.toContain('none with a session');
    const { gateways } = JSON.parse((await home.run(['status', '--json'])).stdout) as {
      gateways: { url: string; status: Record<string, unknown> }[];
    };
    expect(gateways).toMatchObject([
      { url: gateway.url, status: { url: gateway.url, waiting: [], clients: [{}] } },
    ]);
  });
});

describe('the servers of a running gateway', () => {
  it('are switched off and on again, with every comment kept', async () => {
    const home = new Home();
    const entry = (key: string): string =>
      `    // ${key} is ours\n    "${key}": {\n      "command": ${JSON.stringify(process.execPath)},\n` +
      `      "args": ${JSON.stringify(plain().args)} // plain\n    }`;
    const text = `{\n  "mcpServers": {\n${entry('a')},\n${entry('b')}\n  }\n}\n`;
    const config = home.write('work/callsign.json', text);
    const env = { XDG_STATE_HOME: join(home.folder, 'state'), HOME: home.folder };
    const gateway = await startGateway({ servers: {}, config, listener: 'http', env });
    await eventually(async () => (await gateway.stateOf('b')) !== undefined);

    expect(await home.run(['disable', 'b'])).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).toContain('// b is ours');
    await eventually(async () => (await gateway.stateOf('b')) === undefined);
    expect(await home.run(['disable', 'b'])).toMatchObject({
      code: 0,
      stderr: 'b is already disabled.\n',
    });
    expect(await home.run(['enable', 'b'])).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).toBe(text);
    await eventually(async () => (await gateway.stateOf('b')) !== undefined);
    expect(await home.run(['disable', 'bb'])).toMatchObject({
      code: 1,
      stderr: 'There is no server "bb". Did you mean: b? Servers: a, b.\n',
    });
  });

  it('have logs, without secrets, and as they are written', async () => {
    const home = new Home();
    const config = home.configure({ noisy });
    expect(await home.run(['logs', 'noisy'])).toMatchObject({ code: 4 });
    const env = { XDG_STATE_HOME: join(home.folder, 'state'), HOME: home.folder };
    await startGateway({ servers: {}, config, listener: 'http', env });
    await eventually(async () => (await home.run(['logs', 'noisy'])).stdout !== '');
    const { code, stdout } = await home.run(['logs', 'noisy']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d{4}-\S+Z cannot reach postgres:\/\/\S*db\/x\n$/) as string,
    });
    expect(stdout).not.toContain('hunter2');

    const terminal = home.terminal(['logs', 'noisy', '--follow']);
    await terminal.shows(/cannot reach/);
    await home.run(['call', 'noisy:crash']);
    await terminal.shows(/cannot reach[\s\S]*cannot reach/);
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(130);
    expect(await home.run(['logs', 'nosy'])).toMatchObject({ code: 1 });
  });
});
