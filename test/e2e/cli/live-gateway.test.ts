/** Commands that ask the running gateway of their configuration instead of starting servers. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { openHarbour, served } from '../adapter/harbour.js';
import { BIN } from '../command.js';
import {
  eventually,
  faulty,
  plain,
  startGateway,
  type GatewayProcess,
} from '../gateway-process.js';
import { Home, type Ended } from './callsign.js';

type Listening = 'http' | 'stdio';

/** A gateway with the configuration of the home, once commands can reach it. */
async function running(home: Home, listener: Listening = 'http'): Promise<GatewayProcess> {
  const env = { XDG_STATE_HOME: join(home.folder, 'state'), HOME: home.folder };
  const config = join(home.work, 'callsign.json');
  const gateway = await startGateway({ servers: {}, config, listener, env });
  await eventually(async () => (await pids(home)).includes(gateway.pid));
  return gateway;
}

async function pids(home: Home): Promise<number[]> {
  const { stdout } = await home.run(['status', '--json']);
  if (stdout === '') return [];
  const { gateways } = JSON.parse(stdout) as { gateways: { pid: number }[] };
  return gateways.map(({ pid }) => pid);
}

const text = async (ended: Promise<Ended>): Promise<string> => (await ended).stdout.trim();

describe('a command beside a running gateway', () => {
  it('N4: calls its servers, which keep their state between calls', async () => {
    const home = new Home();
    home.configure({ kid: plain() });
    const alone = await text(home.run(['call', 'kid:pid']));
    const gateway = await running(home);
    const first = await text(home.run(['call', 'kid:pid']));
    const second = await text(home.run(['call', 'kid:pid']));
    expect(second).toBe(first);
    expect(second).not.toBe(alone);
    expect(gateway.processes()).toContain(Number(/\d+/.exec(first)![0]));
  });

  it('N4: a deletion is confirmed once and then done', async () => {
    const home = new Home();
    const harbour = await openHarbour();
    home.configure({ harbour: served(harbour) });
    await running(home);
    const call = (endpoint: string, operation: string, params: object): Promise<Ended> => {
      const name = `harbour:harbour_logbook_mcpaql_${endpoint}`;
      return home.run(['call', name, '--args', JSON.stringify({ operation, params }), '--json']);
    };
    const berth = { berth_id: 'b2', ship_id: 'ship-5', arrives: '2026-06-01T08:00:00Z' };
    const booked = await call('create', 'create_booking', berth);
    const [, booking_id = ''] = /\\"id\\":\s*\\"([^"\\]+)/.exec(booked.stdout) ?? [];
    const remove = (more: object): Promise<Ended> =>
      call('delete', 'delete_booking', { booking_id, ...more });
    const asked = await remove({});
    const [, token = ''] = /confirmation_token\\?":\s*\\?"([^"\\]+)/.exec(asked.stdout) ?? [];
    expect(asked.stdout).toContain('CONFIRMATION_REQUIRED');
    const done = await remove({ _confirmation: token });
    expect(done).toMatchObject({ code: 0 });
    expect(harbour.requests.filter((request) => request.startsWith('DELETE'))).toHaveLength(1);
  });

  it.each([
    ['at a terminal, where the policy asks', true],
    ['in advance, with --yes', false],
  ])('N4: a deletion of an adapter needs one yes, %s', async (_, isAsked) => {
    const home = new Home();
    const harbour = await openHarbour();
    home.configure({ harbour: served(harbour) }, { policy: { destructive: 'confirm' } });
    await running(home);
    const call = (endpoint: string, operation: string, params: object): string[] => [
      'call',
      `harbour:harbour_logbook_mcpaql_${endpoint}`,
      '--args',
      JSON.stringify({ operation, params }),
    ];
    const berth = { berth_id: 'b2', ship_id: 'ship-5', arrives: '2026-06-01T08:00:00Z' };
    const booked = await home.run([...call('create', 'create_booking', berth), '--json']);
    const [, booking_id = ''] = /\\"id\\":\s*\\"([^"\\]+)/.exec(booked.stdout) ?? [];
    const remove = call('delete', 'delete_booking', { booking_id });
    if (isAsked) {
      const terminal = home.terminal(remove);
      await terminal.shows(/Yes, this once/);
      terminal.type('\x1b[B\r');
      expect(await terminal.ended).toBe(0);
      expect(terminal.text.match(/Question:/g)).toHaveLength(1);
    } else expect(await home.run([...remove, '--yes'])).toMatchObject({ code: 0, stderr: '' });
    expect(harbour.requests.filter((request) => request.startsWith('DELETE'))).toHaveLength(1);
  });

  it('answers as it does without one', async () => {
    const home = new Home();
    const settings = {
      renamed: { old: 'kid' },
      restart: { initialMs: 50, maxMs: 50, giveUpAfter: 2 },
      policy: { rules: [{ match: 'kid:big', decision: 'deny', reason: 'Too big.' }] },
    };
    home.configure({ kid: plain(), broken: faulty('exits-at-once') }, settings);
    const commands = [
      ['call', 'kid:add', 'a=1', 'b=2'],
      ['call', 'kid__add', 'a=1', 'b=2'],
      ['call', 'old:add', 'a=1', 'b=2'],
      ['call', 'kid:weird', '--json'],
      ['call', 'kid:fail'],
      ['call', 'kid:fail', '--json'],
      ['call', 'kid:rpc_error'],
      ['call', 'kid:big', 'bytes=1'],
      ['call', 'kid:big', 'bytes=1', '--json'],
      ['call', 'kid:ad'],
      ['call', 'broken:x'],
      ['tools'],
      ['tools', '--json'],
      ['tools', 'show', 'kid:add'],
      ['names', '--all'],
      ['search', 'add'],
    ];
    const answers = async (): Promise<Ended[]> => {
      const ended: Ended[] = [];
      for (const args of commands) ended.push(await home.run(args));
      return ended;
    };
    const alone = await answers();
    const gateway = await running(home);
    await eventually(async () => {
      const { state } = ((await gateway.stateOf('broken')) ?? {}) as { state?: { is: string } };
      return state?.is === 'failed';
    });
    const advice = /(?:\n|\. )To start it again: callsign reload/g;
    const live = await answers();
    expect(live[commands.findIndex(([, name]) => name === 'broken:x')]!.stderr).toMatch(
      /^Server "broken" did not start: .*\nTo find out why: .*\nTo start it again: callsign reload\n$/,
    );
    const plainly = live.map((each) => ({ ...each, stderr: each.stderr.replace(advice, '') }));
    expect(plainly).toEqual(alone);
    expect(await text(home.run(['status']))).toMatch(
      /\n\nTo find out why: callsign --config .+ doctor\nTo start it again: callsign --config .+ reload$/,
    );
  });

  it('sees a change of the file at once', async () => {
    const home = new Home();
    home.configure({ kid: plain() });
    await running(home);
    home.configure({ kid: plain(), more: plain() });
    expect(await home.run(['call', 'more:add', 'a=1', 'b=2'])).toMatchObject({ code: 0 });
    expect((await home.run(['tools', 'more'])).stdout).toContain('more:add');
  });

  it('knows servers whose variables are set at the gateway alone', async () => {
    const home = new Home();
    const needy = { ...plain(), env: { TOKEN: '${ONLY_THERE}' } };
    home.configure({ kid: plain(), needy }, { servers: { needy: { trust: 'full' } } });
    const env = { XDG_STATE_HOME: join(home.folder, 'state'), HOME: home.folder, ONLY_THERE: 'x' };
    const config = join(home.work, 'callsign.json');
    await startGateway({ servers: {}, config, listener: 'http', env });
    await eventually(async () => (await pids(home)).length === 1);
    expect(await home.run(['call', 'needy:add', 'a=1', 'b=2'])).toMatchObject({ code: 0 });
  });

  it('chooses the gateway with an HTTP listener, else the newest, else the one of --pid', async () => {
    const home = new Home();
    home.configure({ kid: plain() });
    const asked = async (...flags: string[]): Promise<number> => {
      const answer = await text(home.run(['call', 'kid:pid', ...flags]));
      return Number(/\d+/.exec(answer)![0]);
    };
    const askedOne = async (gateway: GatewayProcess, ...flags: string[]): Promise<void> => {
      const pid = await asked(...flags);
      expect(gateway.processes()).toContain(pid);
    };
    const old = await running(home, 'stdio');
    const young = await running(home, 'stdio');
    await askedOne(young);
    const http = await running(home, 'http');
    const newest = await running(home, 'stdio');
    await askedOne(http);
    await askedOne(old, '--pid', String(old.pid));
    await askedOne(newest, '--pid', String(newest.pid));
    const noGateway = await home.run(['call', 'kid:pid', '--pid', '1']);
    expect(noGateway).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Running:') as string,
    });
  });

  it('asks the questions of the server and the policy at the terminal, and shows progress', async () => {
    const home = new Home();
    home.configure(
      { kid: plain() },
      { policy: { rules: [{ match: 'kid:add', decision: 'confirm' }] } },
    );
    await running(home);
    const asked = home.terminal(['call', 'kid:ask', 'kind=elicitation', 'message=Sure?']);
    await asked.shows(/Question: Sure\?/);
    await asked.shows(/◆/);
    asked.type('indeed\r');
    expect(await asked.ended).toBe(0);
    expect(asked.text).toMatch(/"action": "accept"[\s\S]*indeed/);

    const confirmed = home.terminal(['call', 'kid:add', 'a=1', 'b=2']);
    await confirmed.shows(/Yes, this once/);
    confirmed.type('\x1b[B\x1b[B\r');
    expect(await confirmed.ended).toBe(0);
    // The approval was for this tool or call in this session, and the next command is in the same session.
    const again = home.terminal(['call', 'kid:add', 'a=1', 'b=2']);
    expect(await again.ended).toBe(0);
    expect(again.text).not.toContain('Allow this call?');

    const until = join(home.folder, 'enough');
    const slow = home.terminal(['call', 'kid:progress', 'steps=3', 'ms=300', `until=${until}`]);
    await slow.shows(/\[#+\.*\]/);
    home.write('enough', '');
    expect(await slow.ended).toBe(0);
  });

  it('cancels its call at the server when it is interrupted', async () => {
    const home = new Home();
    home.configure({ kid: plain() });
    await running(home);
    const child = spawn(process.execPath, [BIN, 'call', 'kid:sleep', 'ms=600000'], {
      cwd: home.work,
      env: home.env(),
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // The tool counts its own calls too.
    let asked = 0;
    const others = async (): Promise<number> =>
      Number(/\d+/.exec(await text(home.run(['call', 'kid:calls'])))![0]) - ++asked;
    await eventually(async () => (await others()) > 0);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    await eventually(async () => /\d/.test(await text(home.run(['call', 'kid:cancelled']))));
  });
});
