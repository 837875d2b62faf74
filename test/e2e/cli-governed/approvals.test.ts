/**
 * `callsign approvals` and `callsign status`: a running gateway, reached through its admin socket.
 */

import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { Home } from '../cli/callsign.js';
import {
  eventually,
  plain,
  startGateway,
  type GatewayProcess,
  type RawClient,
} from '../gateway-process.js';
import { golden, settled } from './golden.js';

const SETTINGS = {
  annotations: {
    'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
    'kid:add': { preset: 'READ_ONLY_DEFAULT' },
  },
  policy: { destructive: 'confirm', confirm: { whenClientCannotAsk: 'wait' } },
};

interface Waiting {
  readonly id: string;
  readonly tool: string;
  readonly arguments: string;
}

describe('approvals', () => {
  let home: Home;
  let gateway: GatewayProcess;
  let client: RawClient;

  beforeEach(async () => {
    home = new Home();
    const config = home.configure({ kid: plain() }, SETTINGS);
    const env = { XDG_STATE_HOME: join(home.folder, 'state'), HOME: home.folder };
    gateway = await startGateway({ servers: {}, config, listener: 'http', env });
    client = await gateway.connect();
    await client.tools();
    // The admin socket may open a moment later than the listener for clients.
    await eventually(async () => (await home.run(['status'])).code === 0);
  });

  const waiting = async (): Promise<Waiting[]> => {
    const { stdout } = await home.run(['approvals', 'list', '--json']);
    return (JSON.parse(stdout) as { approvals: Waiting[] }).approvals;
  };

  const onlyOne = async (): Promise<Waiting> => {
    await eventually(async () => (await waiting()).length === 1);
    return (await waiting())[0]!;
  };

  it('lists a call without its secrets, and lets it be made', async () => {
    expect(await home.run(['approvals', 'list'])).toMatchObject({
      code: 0,
      stderr: 'No calls are waiting.\n',
    });
    const made = client.call('kid:echo', { path: '/x', password: 'hunter2' });
    const { id, tool } = await onlyOne();
    expect(tool).toBe('kid:echo');
    const listed = await home.run(['approvals', 'list']);
    expect(listed.code).toBe(0);
    expect(listed.stdout).not.toContain('hunter2');
    const table = listed.stdout.replaceAll(id, 'ID'.padEnd(id.length)).replace(/\d+ s\b/, 'SOME s');
    await expect(settled(home, table)).toMatchFileSnapshot(golden('approvals-list'));

    expect(await home.run(['approvals', 'approve', id])).toMatchObject({ code: 0 });
    expect((await made).error).toBeUndefined();
    expect(await waiting()).toEqual([]);
  });

  it('V5: says what it does not show, and shows long keys and deep values whole', async () => {
    const key = `${'A'.repeat(100)} ; rm -rf / --no-preserve-root`;
    const deep = JSON.parse(`${'{"a":'.repeat(20)}"rm -rf /"${'}'.repeat(20)}`) as object;
    const made = client.call('kid:echo', { [key]: 1, deep, note: '[redacted]', pin: 'x y' });
    const { id } = await onlyOne();
    const { stdout: listed } = await home.run(['approvals', 'list']);
    expect(listed).toContain(`${id} NOT SHOWN: 30 characters at \`AAAA`);
    expect(listed).toContain('characters at `deep.a.a');

    const { stdout: shown } = await home.run(['approvals', 'show', id]);
    expect(shown).toContain(`"${key}": 1`);
    expect(shown).toContain('"a": "rm -rf /"');
    expect(shown).toContain('"note": "[redacted]"');
    // The text in `note` is the caller's own: only the other one is hidden.
    expect(shown).toContain('\nNOT SHOWN: 5 characters at `pin` (looks like a secret).\n');
    await home.run(['approvals', 'deny', id]);
    await made;
  });

  it('refuses a call with a reason that its caller gets', async () => {
    const refused = client.call('kid:echo', {});
    const { id } = await onlyOne();
    const denied = await home.run(['approvals', 'deny', id, '--reason', 'not on Fridays']);
    expect(denied).toMatchObject({ code: 0, stderr: 'Denied: kid:echo {}\n' });
    const { error } = await refused;
    expect(error?.message).toContain('not on Fridays');
  });

  it('approves a tool for the session, as far as it is asked to', async () => {
    const first = client.call('kid:echo', { n: 1 });
    const { id } = await onlyOne();
    await home.run(['approvals', 'approve', id, '--scope', 'tool']);
    expect((await first).error).toBeUndefined();
    expect((await client.call('kid:echo', { n: 2 })).error).toBeUndefined();
  });

  it('reports an unknown call or scope', async () => {
    expect(await home.run(['approvals', 'approve', 'ffffff'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No call is waiting under ffffff') as string,
    });
    expect(await home.run(['approvals', 'deny', '../status'])).toMatchObject({ code: 1 });
    expect(await home.run(['approvals', 'approve', 'x', '--scope', 'ever'])).toMatchObject({
      code: 1,
      stderr: '--scope takes once, call, tool, not "ever".\n',
    });
  });

  it('shows the state of the servers in its status', async () => {
    const { code, stdout } = await home.run(['status']);
    expect(code).toBe(0);
    const table = stdout.replace(String(gateway.pid), 'PID');
    const same = settled(home, table)
      .replace(gateway.url, 'URL')
      .replace(/up +(?:\d+ min )?\d+ s/, 'up SOME s');
    await expect(same.replace(/ +/g, ' ')).toMatchFileSnapshot(golden('status'));
    const json = await home.run(['status', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      schemaVersion: 1,
      gateways: [{ pid: gateway.pid, status: { status: 'ok', servers: [{ key: 'kid' }] } }],
    });
    // A named gateway that does not run is not found, even if others run.
    const other = home.write('other/callsign.json', '{"mcpServers":{}}');
    expect(await home.run(['status', '--config', other])).toMatchObject({ code: 4 });
    // A file is where the state folder should be.
    const env = { XDG_STATE_HOME: other };
    expect(await home.run(['status'], { env })).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^No gateway runs\./) as string,
    });
  });
});

describe('without a gateway', () => {
  it.each([['status'], ['approvals', 'list'], ['approvals', 'deny', 'x']])(
    'exits with 4: %s %s',
    async (...args) => {
      const home = new Home();
      expect(await home.run(args)).toMatchObject({
        code: 4,
        stderr:
          'No gateway runs. A client that uses Callsign starts one. To start one yourself: callsign serve --http\n',
      });
      const named = await home.run([...args, '--config', '/x.json']);
      expect(named).toMatchObject({
        code: 4,
        stderr:
          'No gateway runs /x.json. A client that uses Callsign starts one. To start one yourself: callsign --config /x.json serve --http\n',
      });
    },
  );
});
