/** D4: the instructions of servers reach clients, each under its server's key. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { BIN } from '../command.js';
import { Home } from '../cli/callsign.js';
import { Pipe, PipePeer } from '../clients/pipe-peer.js';
import type { Era } from '../clients/peer.js';
import { HttpPeer } from '../clients/http-peer.js';
import { extended, gatewayWith } from './extended.js';
import { scratch } from '../../testing/scratch.js';

const ERAS: readonly Era[] = ['session', 'stateless'];
const TEXT = 'Look before you write. Ask twice.';

async function greeted(peer: { open(): Promise<{ result: string | undefined }> }) {
  const { result } = await peer.open();
  return (JSON.parse(result!) as { instructions?: string }).instructions;
}

describe('instructions', () => {
  it.each(ERAS)('D4: are those of the server, in the %s era', async (era) => {
    const command = extended('--dual', `--instructions=${TEXT}`);
    const direct = new PipePeer(new Pipe(command), era);
    onTestFinished(() => direct.close());
    expect(await greeted(direct)).toBe(TEXT);
    const gateway = gatewayWith('http', { servers: { one: command, two: extended() } });
    const url = await gateway.url();
    await expect
      .poll(() => greeted(new HttpPeer(url, era)))
      .toBe(`## one\n> ${TEXT}\n\n## two\n> A plain child for tests.`);
  });

  it('D4: can be left out, and follow the configuration', async () => {
    const setup = {
      servers: { one: extended(`--instructions=${TEXT}`), two: extended() },
      settings: { servers: { one: { instructions: false } } },
    };
    const gateway = gatewayWith('http', setup);
    const url = await gateway.url();
    const now = () => greeted(new HttpPeer(url, 'stateless'));
    await expect.poll(now).toBe('## two\n> A plain child for tests.');
    const config = gateway.pipe.process.spawnargs.find((arg) => arg.endsWith('callsign.json'))!;
    const file = JSON.parse(readFileSync(config, 'utf8'));
    file.callsign.servers = { two: { instructions: false } };
    writeFileSync(config, JSON.stringify(file));
    await expect.poll(now, { timeout: 15_000 }).toBe(`## one\n> ${TEXT}`);
  });

  it('D4: are shown only of servers that the caller may see', async () => {
    const gateway = gatewayWith('http', {
      servers: { one: extended(`--instructions=${TEXT}`), two: extended() },
      settings: {
        access: { anonymous: ['reader'] },
        roles: { reader: { allow: ['two:*'] } },
      },
    });
    const url = await gateway.url();
    await expect
      .poll(() => greeted(new HttpPeer(url, 'session')))
      .toBe('## two\n> A plain child for tests.');
  });

  it.each(ERAS)('R10: are there at the very first start, on stdio, %s era', async (era) => {
    const folder = scratch();
    const config = join(folder, 'callsign.json');
    const slow = extended(`--instructions=${TEXT}`, '--delay-start=300');
    const file = { mcpServers: { slow }, callsign: { listWaitMs: 30_000 } };
    writeFileSync(config, JSON.stringify(file));
    const args = [BIN, 'serve', '--config', config, '--stdio'];
    const env = { XDG_STATE_HOME: folder, HOME: folder };
    const first = new PipePeer(new Pipe({ command: process.execPath, args, env }), era);
    onTestFinished(() => first.close());
    expect(await greeted(first)).toBe(`## slow\n> ${TEXT}`);
  });

  it('R10: are not waited for longer than the first list', async () => {
    const folder = scratch();
    const config = join(folder, 'callsign.json');
    const mute = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };
    const file = { mcpServers: { mute, one: extended() }, callsign: { listWaitMs: 300 } };
    writeFileSync(config, JSON.stringify(file));
    const args = [BIN, 'serve', '--config', config, '--stdio'];
    const env = { XDG_STATE_HOME: folder, HOME: folder };
    const peer = new PipePeer(new Pipe({ command: process.execPath, args, env }), 'session');
    onTestFinished(() => peer.close());
    expect(JSON.parse((await peer.open()).result!)).toHaveProperty('serverInfo');
    expect((await peer.request('tools/list')).result).toBeDefined();
  });

  it.each(ERAS)('D4: are there at once at the second start, on stdio too, %s era', async (era) => {
    const folder = scratch();
    const config = join(folder, 'callsign.json');
    const servers = { one: extended(`--instructions=${TEXT}`) };
    writeFileSync(config, JSON.stringify({ mcpServers: servers }));
    const start = (): PipePeer => {
      const args = [BIN, 'serve', '--config', config, '--stdio'];
      const env = { XDG_STATE_HOME: folder, HOME: folder };
      return new PipePeer(new Pipe({ command: process.execPath, args, env }), era);
    };
    const first = start();
    await first.open();
    await first.request('tools/list');
    await expect.poll(() => isCached(folder), { timeout: 15_000 }).toBe(true);
    await first.close();
    const second = start();
    expect(await greeted(second)).toBe(`## one\n> ${TEXT}`);
    await second.close();
    // The file has changed, but the entry of the server has not.
    writeFileSync(config, JSON.stringify({ mcpServers: servers, callsign: { titles: false } }));
    const third = start();
    expect(await greeted(third)).toBe(`## one\n> ${TEXT}`);
    await third.close();
  });

  it('D4: are shown by callsign tools --instructions', async () => {
    const home = new Home();
    home.configure({ one: extended(`--instructions=${TEXT}`), two: extended() });
    const shown = await home.run(['tools', '--instructions']);
    expect(shown.stdout).toBe(`## one\n> ${TEXT}\n\n## two\n> A plain child for tests.\n`);
    const json = await home.run(['tools', '--instructions', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      servers: [{ server: 'one', instructions: TEXT }, { server: 'two' }],
    });
  });
});

function isCached(folder: string): boolean {
  try {
    return readdirSync(join(folder, 'callsign', 'offers')).length > 0;
  } catch {
    return false;
  }
}
