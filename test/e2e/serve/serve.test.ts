import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { BIN } from '../command.js';
import { shows } from '../../requirements/shows.js';
import { CallsignProcess, child, FAULTY, FILESYSTEM, temporaryFolder } from './callsign-process.js';
import { configFile, ONE, patient, tracedConfig } from './config-file.js';
import { HttpClient } from './http-client.js';
import { until } from './until.js';

describe('callsign serve', () => {
  it(
    'reads the servers of any client’s file and passes calls on to them',
    shows('FR-001', 'FR-012', 'FR-013', 'AGG-39', async () => {
      const folder = temporaryFolder();
      const note = join(folder, 'note.txt');
      writeFileSync(note, 'All is well.\n');
      const file = configFile(
        JSON.stringify({
          $schema: './callsign.schema.json',
          mcpServers: { filesystem: child(FILESYSTEM, folder) },
          numberOfOtherThings: 3,
        }),
      );
      const { client, ...callsign } = served(['serve', '--config', file]);
      await client.greet();
      await until(async () => (await client.toolNames()).includes('filesystem:read_file'));
      const { result } = await client.call('filesystem:read_file', { path: note });
      expect(result?.content[0]?.text).toBe('All is well.\n');
      for (const line of client.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
      expect(callsign.running.stderr).toBe('');
    }),
  );

  it(
    'logs only warnings and errors, and the output of servers on request',
    shows('FR-012', 'FR-015', async () => {
      const talkative = { ...child(FAULTY, '--mode=junk-then-works') };
      const file = configFile({
        mcpServers: { talks: talkative, dies: child(FAULTY, '--mode=exits-at-once') },
      });
      const quiet = served(['serve', '--config', file]);
      const verbose = served(['serve', '--config', file, '--verbose']);
      await Promise.all([quiet.client.greet(), verbose.client.greet()]);
      await Promise.all([quiet.client.tools(), verbose.client.tools()]);
      const lines = quiet.running.stderr.trim().split('\n');
      for (const line of lines) expect(line).toMatch(/^(warning|error): \[dies\] /);
      expect(verbose.running.stderr).toMatch(/^\[dies\] faulty-child: there is something/m);
      for (const line of quiet.client.lines)
        expect(() => JSON.parse(line) as unknown).not.toThrow();
    }),
  );

  it.runIf(process.platform === 'linux')(
    'listens on no port when served on stdio',
    shows('FR-014', async () => {
      const { client, running } = served(['serve', '--config', configFile(ONE)]);
      await client.greet();
      await client.tools();
      expect(listeningSockets(running.process.pid!)).toBe(0);
      const http = new CallsignProcess(['serve', '--config', configFile(ONE), '--http', '0']);
      await http.url();
      expect(listeningSockets(http.process.pid!)).toBe(1);
    }),
  );

  it('uses the names of the profile that a flag asks for', async () => {
    const file = configFile(ONE);
    const { client } = served(['serve', '--config', file, '--profile', 'claude-desktop']);
    await client.greet();
    expect((await client.toolNames())[0]).toBe('one__echo');
  });

  it('offers only tools that change nothing with --read-only', async () => {
    const file = configFile(ONE);
    const { client } = served(['serve', '--config', file, '--read-only']);
    await client.greet();
    const names = ['one:echo', 'one:request', 'one:add', 'one:weird', 'one:env'];
    expect(await client.toolNames()).toEqual(names);
  });

  it('refuses to be one of its own servers', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'callsign.json');
    writeFileSync(
      file,
      JSON.stringify(
        patient({ mcpServers: { self: child(BIN, 'serve', '--config', file), ...ONE.mcpServers } }),
      ),
    );
    const { client, running } = served(['serve', '--verbose', '--config', file], folder);
    await client.greet();
    const names = await client.toolNames();
    expect(names).toContain('one:echo');
    expect(names.filter((name) => name.startsWith('self:'))).toEqual([]);
    await until(() => running.stderr.includes('[self] This gateway is one of its own servers'));
    await until(() => running.stderr.includes('[self] it exited with code 6'));
  });
});

describe('the HTTP endpoint', () => {
  it.each([
    ['0', 'http://127.0.0.1:'],
    ['[::1]:0', 'http://[::1]:'],
  ])('opens at %s, on any free port', async (address, start) => {
    const callsign = new CallsignProcess(['serve', '--config', configFile(ONE), '--http', address]);
    expect(await callsign.url()).toMatch(start);
    expect(await callsign.health()).toMatchObject({
      status: 'ok',
      config: { ok: true },
      servers: [{ key: 'one' }],
    });
    expect(callsign.stdout).toBe('');
  });

  it('has a path for each profile, which overrides the announced client', async () => {
    const file = configFile(ONE);
    const callsign = new CallsignProcess(['serve', '--config', file, '--http', '0']);
    const url = await callsign.url();
    const first = async (path: string) => {
      const client = new HttpClient(`${url}${path}`);
      const status = await client.greet('claude-ai');
      return status === 200 ? (await client.toolNames())[0] : status;
    };
    expect(await first('/mcp')).toBe('one__echo');
    expect(await first('/mcp/profile/canonical')).toBe('one:echo');
    expect(await first('/mcp/profile/identity')).toBe('echo');
    expect(await first('/mcp/profile/nobody')).toBe(404);
  });

  it('opens at the configured address, if the flag has none', async () => {
    const file = configFile({ ...ONE, callsign: { http: { host: 'localhost', port: 0 } } });
    const callsign = new CallsignProcess(['serve', '--http', '--config', file]);
    expect(await callsign.url()).toMatch(/^http:\/\/localhost:[1-9]/);
  });

  it('cannot be reached from other machines unless told so, and warns', async () => {
    const file = configFile(ONE);
    const serve = ['serve', '--config', file, '--http', '0.0.0.0:0'];
    const refused = new CallsignProcess(serve);
    expect(await refused.exited).toBe(1);
    expect(refused.stderr).toContain('--allow-unauthenticated');
    const callsign = new CallsignProcess([...serve, '--allow-unauthenticated']);
    await callsign.url();
    await until(() => callsign.stderr.includes('warning: Other machines can reach this address'));
  });

  it('reports a port that is in use and what to do, before any server is started', async () => {
    const first = new CallsignProcess(['serve', '--config', configFile(ONE), '--http', '0']);
    const port = new URL(await first.url()).port;
    const { file, wasStarted } = tracedConfig();
    const second = new CallsignProcess(['serve', '--config', file, '--http', port]);
    expect(await second.exited).toBe(1);
    expect(second.stderr).toBe(
      `Port ${port} of 127.0.0.1 is in use, perhaps by another Callsign. ` +
        'Choose another with --http PORT; --http 0 uses any free port.\n',
    );
    expect(wasStarted()).toBe(false);
  });
});

function served(args: readonly string[], cwd?: string) {
  const running = new CallsignProcess(args, cwd === undefined ? {} : { cwd });
  return { running, client: running.client };
}

/** How many sockets of a process accept connections. */
function listeningSockets(pid: number): number {
  const LISTEN = '0A';
  const listening = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === LISTEN)
      .map((fields) => `socket:[${fields[9]}]`),
  );
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return open.filter((link) => listening.includes(link)).length;
}
