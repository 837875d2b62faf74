/** Calls that wait for an approval: where that is announced, and how it is given. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { shellWord } from '@callsign/config';
import { describe, expect, it, onTestFinished } from 'vitest';

import { BIN } from '../command.js';
import { eventually, plain, startGateway } from '../gateway-process.js';
import { Home } from './callsign.js';

const SETTINGS = {
  annotations: { 'kid:echo': { preset: 'WRITE_DESTRUCTIVE' } },
  policy: { destructive: 'confirm', confirm: { whenClientCannotAsk: 'wait' } },
};
const LONG = 'All of it. '.repeat(600);

interface WaitingCall {
  /** Its whole standard error so far. */
  stderr: string;
  readonly ended: Promise<{ code: number | null; stdout: string }>;
  /** The id that it announced. */
  id(): Promise<string>;
}

/** `callsign call` without a terminal. */
function waitingCall(home: Home, ...flags: string[]): WaitingCall {
  const args = ['call', 'kid:echo', `text=${LONG}`, 'password=hunter2', ...flags];
  const child = spawn(process.execPath, [BIN, ...args], { cwd: home.work, env: home.env() });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end();
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const call: WaitingCall = {
    stderr: '',
    ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout }))),
    async id() {
      const found = (): string => /callsign approvals approve (\w+)/.exec(call.stderr)?.[1] ?? '';
      await eventually(() => found() !== '');
      return found();
    },
  };
  child.stderr.setEncoding('utf8').on('data', (text: string) => (call.stderr += text));
  return call;
}

describe('a call that waits for an approval', () => {
  it('N6: is announced at once by the command, by serve and by status, with the command to type', async () => {
    const home = new Home();
    const config = home.configure({ kid: plain() }, SETTINGS);
    const env = { XDG_STATE_HOME: join(home.folder, 'state'), HOME: home.folder };
    const gateway = await startGateway({ servers: {}, config, listener: 'http', env });
    await eventually(async () => (await home.run(['status'])).code === 0);

    const call = waitingCall(home);
    const id = await call.id();
    expect(call.stderr).toContain('kid:echo waits for an approval.');
    expect(gateway.stderr).toContain(
      `To allow it: callsign --config ${shellWord(config)} approvals approve ${id}`,
    );
    const { stdout: status } = await home.run(['status']);
    expect(status).toMatch(new RegExp(`waiting +kid:echo: callsign approvals show ${id}`));

    const listed = await home.run(['approvals', 'list']);
    expect(listed.stdout).not.toContain(LONG.trim());
    const shown = await home.run(['approvals', 'show', id]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(LONG.trim());
    expect(shown.stdout).toContain('[redacted]');
    expect(shown.stdout).not.toContain('hunter2');

    expect(await home.run(['approvals', 'approve', id])).toMatchObject({ code: 0 });
    expect(await call.ended).toMatchObject({ code: 0 });
    expect(await home.run(['approvals', 'show', id])).toMatchObject({ code: 1 });
  });

  it('N6: can be approved from another terminal where no gateway runs', async () => {
    const home = new Home();
    home.configure({ kid: plain() }, SETTINGS);
    const call = waitingCall(home, '--json');
    const id = await call.id();
    expect(JSON.parse(call.stderr)).toEqual({
      waiting: id,
      tool: 'kid:echo',
      approve: `callsign approvals approve ${id}`,
    });
    // It serves no client, so other commands do not treat it as a running gateway.
    expect(await home.run(['status'])).toMatchObject({ code: 4 });
    expect(await home.run(['approvals', 'approve', id])).toMatchObject({ code: 0 });
    expect(await call.ended).toMatchObject({ code: 0 });
  });

  it('N6: is made without a question with --yes, and refused with advice without', async () => {
    const home = new Home();
    home.configure({ kid: plain() }, { ...SETTINGS, policy: { destructive: 'confirm' } });
    const echo = ['call', 'kid:echo', 'text=hi'];
    expect(await home.run([...echo, '--yes'])).toEqual({
      code: 0,
      stdout: '{"text":"hi"}\n',
      stderr: '',
    });
    expect(await home.run(echo)).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('callsign call --yes') as string,
    });
    const rules = [{ match: 'kid:echo', when: 'args.text == "hi"', decision: 'deny' }];
    home.configure({ kid: plain() }, { ...SETTINGS, policy: { rules } });
    expect(await home.run([...echo, '--yes'])).toMatchObject({ code: 7, stdout: '' });
  });
});
