/** `callsign adapter validate|tools|call|check`: an adapter is shown, called and checked against the protocol. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { startTarget } from '../../adapters/target.js';
import { ROOT } from '../../architecture/tree.js';
import { BIN } from '../command.js';
import { Home } from '../cli/callsign.js';
import { plain } from '../gateway-process.js';
import { ADAPTER, openHarbour, renamed, TOKEN, type Harbour } from './harbour.js';

const golden = (name: string): string =>
  join(ROOT, 'test', 'e2e', 'adapter', 'golden', `${name}.txt`);

let home: Home;
beforeEach(() => {
  home = new Home();
});

describe('adapter validate and tools', () => {
  it('finds the harbour in order, and lists its tools with their labels', async () => {
    const { code, stderr } = await home.run(['adapter', 'validate', ADAPTER]);
    expect({ code, stderr: home.tidy(stderr) }).toEqual({
      code: 0,
      stderr:
        '/ROOT/examples/harbour/harbour.adapter.md is valid: harbour-logbook, 13 operations.\n',
    });
    const { stdout } = await home.run(['adapter', 'tools', ADAPTER]);
    await expect(stdout).toMatchFileSnapshot(golden('tools'));
    const json = await home.run(['adapter', 'tools', ADAPTER, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      schemaVersion: 1,
      tools: [
        { name: 'harbour_logbook_mcpaql_create', endpoint: 'create', risk: 'write' },
        {},
        {},
        {},
        {},
      ],
    });
  });

  it('says everything that is wrong, where, and what to do', async () => {
    const broken = renamed('Harbour Logbook').replace(
      'maps_to: GET /berths\n',
      'maps_to: FETCH /berths\n',
    );
    const file = home.write('work/broken.adapter.md', broken);
    const { code, stderr } = await home.run(['adapter', 'validate', file]);
    expect(code).toBe(6);
    await expect(home.tidy(stderr)).toMatchFileSnapshot(golden('broken'));
    const json = await home.run(['adapter', 'validate', file, '--json']);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'invalid-adapter' } });
    expect(await home.run(['adapter', 'tools', 'none.md'])).toMatchObject({ code: 6 });
  });
});

describe('A7: adapter call --downloads', () => {
  it('saves a binary answer in the folder, and prints where', async () => {
    const target = await startTarget((_, response) => {
      const named = { 'content-disposition': 'attachment; filename="../chart.png"' };
      response.writeHead(200, { 'content-type': 'image/png', ...named }).end('PNG');
    });
    home.write(
      'work/charts.yaml',
      JSON.stringify({
        name: 'charts',
        type: 'adapter',
        version: '1.0.0',
        description: 'Sea charts',
        target: { transport: 'http', base_url: target.origin },
        operations: {
          read: [{ name: 'get_chart', maps_to: 'GET /chart', response: { format: 'binary' } }],
        },
      }),
    );
    const call = ['adapter', 'call', 'charts.yaml', 'get_chart'];
    const saved = await home.run([...call, '--downloads', 'saved']);
    const path = join(home.work, 'saved', 'chart.png');
    expect(JSON.parse(saved.stdout)).toEqual({ content_type: 'image/png', size: 3, path });
    expect(readFileSync(path, 'utf8')).toBe('PNG');
    const { stdout } = await home.run(call);
    expect(JSON.parse(stdout)).toMatchObject({ base64: Buffer.from('PNG').toString('base64') });
  });
});

describe('adapter serve', () => {
  it('refuses names without the adapter beside another adapter (S9)', async () => {
    const text = readFileSync(ADAPTER, 'utf8');
    const bare = text.replace(/^---\n/, '---\ntool_names:\n  pattern: "mcpaql_{endpoint}"\n');
    const file = home.write('bare.adapter.md', bare);
    const { code, stderr } = await home.run(['adapter', 'serve', file, ADAPTER]);
    expect(code).toBe(1);
    expect(stderr).toContain('works for a single adapter only');
  });
});

describe('adapter call', () => {
  let harbour: Harbour;
  beforeEach(async () => {
    harbour = await openHarbour();
  });

  const call = (...args: string[]) =>
    home.run(['adapter', 'call', ADAPTER, ...args, '--base-url', harbour.url], {
      env: { HARBOUR_TOKEN: TOKEN },
    });

  it('N17: reads and writes with words that the adapter gives a type, compact in a pipe', async () => {
    expect(await call('get_ship', 'ship_id=ship-1', 'fields=["name"]')).toEqual({
      code: 0,
      stdout: '{"name":"Alba"}\n',
      stderr: '',
    });
    const made = await call('register_ship', 'name=Fulmar', 'flag=IS', 'length_m=33.5', '--json');
    expect(JSON.parse(made.stdout)).toMatchObject({ success: true, data: { length_m: 33.5 } });
    expect((await call('introspect', '--args', '{"query":"types"}')).stdout).toContain('Ship');
  });

  it('asks before it destroys something, and does nothing without a confirmation', async () => {
    expect(await call('delete_booking', 'booking_id=booking-1')).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/booking-1.*To confirm: --yes/) as string,
    });
    expect(harbour.requests).toEqual([]);
    expect(await call('delete_booking', 'booking_id=booking-1', '--yes')).toMatchObject({
      code: 0,
    });
    expect(harbour.requests).toEqual(['DELETE /api/v1/bookings/booking-1']);
  });

  it('asks a person at a terminal for what is missing, and for a yes', async () => {
    const args = ['adapter', 'call', ADAPTER, 'delete_booking', '--base-url', harbour.url];
    const terminal = home.terminal(args, { env: { HARBOUR_TOKEN: TOKEN } });
    await terminal.shows(/booking_id/);
    terminal.type('booking-2\r');
    await terminal.shows(/Yes/);
    expect(harbour.requests).toEqual([]);
    terminal.type('y');
    expect(await terminal.ended).toBe(0);
    expect(harbour.requests).toEqual(['DELETE /api/v1/bookings/booking-2']);
  });

  it('exits with the code of the failure', async () => {
    expect(await call('get_ship', 'ship_id=none')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('NOT_FOUND_RESOURCE') as string,
    });
    expect(await call('open_sluice', 'sluice_id=north')).toMatchObject({ code: 7 });
    expect(await call('sail')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'There is no operation "sail". Operations: introspect,',
      ) as string,
    });
    expect(await home.run(['adapter', 'call', ADAPTER, 'list_ships'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('HARBOUR_TOKEN') as string,
    });
    await harbour.close();
    const { code, stdout, stderr } = await call('get_ship', 'ship_id=ship-1');
    expect(code).toBe(4);
    expect(stdout + stderr).not.toContain(TOKEN);
  });
});

describe('adapter check', () => {
  it('finds that the harbour keeps the protocol, rule by rule', async () => {
    const command = [process.execPath, BIN, 'adapter', 'serve', ADAPTER];
    const { code, stdout, stderr } = await home.run(['adapter', 'check', '--', ...command]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'It conforms: 20 passed, 0 failed, 0 skipped.\n',
    });
    await expect(stdout).toMatchFileSnapshot(golden('check'));
  });

  it('exits with 1 for a server that is not MCPAQL, and with 4 for one that does not start', async () => {
    const { command, args = [] } = plain();
    const other = await home.run(['adapter', 'check', '--json', '--', command, ...args]);
    expect(other.code).toBe(1);
    expect(JSON.parse(other.stdout)).toMatchObject({ conforms: false });
    const dead = ['--', process.execPath, '-e', 'process.exit(1)'];
    expect(await home.run(['adapter', 'check', ...dead])).toMatchObject({ code: 4 });
    expect(await home.run(['adapter', 'check'])).toMatchObject({ code: 1 });
  });
});
