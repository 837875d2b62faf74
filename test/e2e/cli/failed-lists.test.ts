/** A server that starts but cannot list its tools is a failure, for people and for scripts. */

import { describe, expect, it } from 'vitest';

import { eventually, faulty, plain, startGateway } from '../gateway-process.js';
import { Home } from './callsign.js';

const FAILED = /Server "moody" started, but tools\/list failed: .*No list today/;

describe('a tools/list that fails', () => {
  it.each([
    ['lint', ['lint', 'moody'], 4],
    ['tools --refresh', ['tools', '--refresh'], 4],
  ])('F4: is a failure of %s', async (_, args, code) => {
    const home = new Home();
    home.configure({ moody: faulty('lists-fail'), fine: plain() });
    const ended = await home.run(args);
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(FAILED) as string });
  });

  it('F4, N26: is a failure of doctor, which names each server once and shows its last output', async () => {
    const home = new Home();
    const file = home.configure({
      moody: faulty('lists-fail'),
      broken: faulty('exits-at-once'),
      unset: { ...plain(), env: { API_TOKEN: '${NOWHERE_SET}' } },
      one: { ...plain(), env: { API_TOKEN: 'literal-secret-one' } },
      two: { ...plain(), env: { API_TOKEN: 'literal-secret-two' } },
    });
    const { code, stdout } = await home.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /fail {2}moody: start: started, but tools\/list failed: .*No list today/,
    );
    expect(stdout).toMatch(
      /fail {2}broken: start: did not start: it exited with code 1\n +it said: \S+/,
    );
    expect(stdout).toMatch(/fail {2}unset: entry: .*NOWHERE_SET/);
    expect(stdout).toMatch(/pass {2}one: start: answers, with \d+ tools/);
    expect(stdout).toMatch(/secrets: other users can read .*, which contains secrets of one, two/);
    expect(stdout.match(new RegExp(`chmod 600 ${file}`, 'g'))).toHaveLength(1);
    expect(stdout).not.toContain('literal-secret');
  });

  it('F4: is a failure of serve --strict and of status', async () => {
    const servers = { moody: faulty('lists-fail'), fine: plain() };
    const strict = await startGateway({ servers, flags: ['--strict'] });
    expect(await strict.exited).toMatchObject({ code: 4 });
    expect(strict.stderr).toMatch(FAILED);

    const gateway = await startGateway({ servers, listener: 'http' });
    const stateOf = async (): Promise<string> =>
      JSON.stringify((await gateway.stateOf('moody'))?.['state']);
    await eventually(async () => (await stateOf()).includes('ready'));
    expect(await stateOf()).toMatch(/"failures":\["tools\/list failed: .*No list today/);
    const home = new Home();
    const env = { XDG_STATE_HOME: process.env['XDG_STATE_HOME']! };
    const { stdout } = await home.run(['status', '--config', gateway.config], { env });
    expect(stdout).toMatch(/moody +ready .*tools\/list failed/);
  });
});

describe('a state folder that cannot be written', () => {
  it.each([[['tools']], [['call', 'plain:add', 'a=1', 'b=2']], [['doctor']]])(
    'F7: does not affect %j, except that nothing is remembered',
    async (args) => {
      const home = new Home();
      const settings = { audit: { mode: 'off' }, http: { port: 0 } };
      const config = home.configure({ plain: plain() }, settings);
      const env = { XDG_STATE_HOME: '/dev/null' };
      // Named with `--config`, because the acceptance of the folder's file cannot be stored.
      const { code, stderr } = await home.run([...args, '--config', config], { env });
      expect(stderr).not.toContain('should not happen');
      expect(code).toBe(0);
    },
  );
});
