/** `callsign policy test`: the decision about a call, without making it. */

import { beforeEach, describe, expect, it } from 'vitest';

import { Home } from '../cli/callsign.js';
import { plain } from '../gateway-process.js';

const SETTINGS = {
  annotations: {
    'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
    'kid:add': { preset: 'READ_ONLY_DEFAULT' },
  },
  tools: { deny: ['kid:env'] },
  policy: {
    destructive: 'confirm',
    rules: [
      { match: 'kid:big', decision: 'deny', reason: 'Too big.' },
      { match: 'kid:add', when: 'has(args.a) && args.a > 3', decision: 'deny' },
      {
        match: 'kid:pid',
        when: 'caller.client == "cursor"',
        decision: 'deny',
        reason: 'Not here.',
      },
    ],
  },
  roles: { reader: { allow: ['kid:*'], deny: ['kid:touch'] }, boss: { allow: ['*'] } },
  access: { anonymous: ['reader'] },
};

describe('policy test', () => {
  let home: Home;
  beforeEach(() => {
    home = new Home();
    home.configure({ kid: plain() }, SETTINGS);
  });

  const test = async (...args: string[]): Promise<{ code: number | null; json: unknown }> => {
    const { code, stdout } = await home.run(['policy', 'test', ...args, '--json']);
    return { code, json: stdout === '' ? undefined : JSON.parse(stdout) };
  };

  it('is recommended where roles hide tools from this command', async () => {
    const said = 'callsign.roles hides 1 tool from callers without a key.';
    const advice = 'To see what a role may call: callsign policy test NAME --as ROLE\n';
    const listed = await home.run(['tools']);
    expect(listed.stdout).not.toContain('kid:touch');
    expect(listed.stderr).toContain(`${said} ${advice}`);
    // No longer "No tool matches", with the same word as a suggestion.
    expect(await home.run(['tools', 'touch'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `${said} ${advice}`,
    });
    expect(await home.run(['tools', 'show', 'kid:touch'])).toMatchObject({
      code: 7,
      stderr:
        'callsign.roles hides kid:touch from callers without a key, such as this command.\n' +
        'To see why: callsign policy test kid:touch\n',
    });
  });

  it('shows the decision and the rule, and exits with 7 for a denial', async () => {
    expect(await home.run(['policy', 'test', 'kid:echo'])).toEqual({
      code: 0,
      stdout: 'kid:echo (destructive)\nconfirm: policy.destructive is "confirm"\n',
      stderr: '',
    });
    expect(await home.run(['policy', 'test', 'kid__big'])).toMatchObject({
      code: 7,
      stdout: expect.stringContaining('deny: policy.rules[0] (Too big.)') as string,
    });
  });

  it('says why it knows no tools of a server where callers have their own accounts', async () => {
    const slots = { TOKEN: { label: 'Your token' } };
    home.configure({ kid: plain() }, { servers: { kid: { accounts: { by: 'caller', slots } } } });
    expect(await home.run(['policy', 'test', 'kid:echo'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Each caller has an account of their own at kid. Without one, a command knows only kid:sign_in.\n',
    });
  });

  it('depends on arguments, client and role', async () => {
    expect(await test('kid:add')).toMatchObject({ code: 0, json: { decision: 'allow' } });
    expect(await test('kid:add', '--args', '{"a": 4}')).toMatchObject({
      code: 7,
      json: { decision: 'deny', rule: expect.stringContaining('policy.rules[1]') as string },
    });
    expect(await test('kid:pid', '--client', 'zed')).toMatchObject({ code: 0 });
    expect(await test('kid:pid', '--client', 'cursor')).toMatchObject({ code: 7 });
    expect(await test('kid:touch')).toMatchObject({
      code: 7,
      json: { roles: null, rule: expect.stringContaining('access.anonymous') as string },
    });
    expect(await test('kid:touch', '--as', 'boss')).toMatchObject({ code: 0 });
    expect(await test('kid:touch', '--as', 'boss,reader')).toMatchObject({ code: 7 });
  });

  it('finds tools that are offered to no client, and says why', async () => {
    expect(await test('kid:env')).toMatchObject({
      code: 7,
      json: { rule: 'callsign.tools does not offer it' },
    });
  });

  it('says that the entry of a server switches a tool off', async () => {
    home.configure({ kid: { ...plain(), disabledTools: ['touch'] } }, SETTINGS);
    expect(await test('kid:touch')).toMatchObject({
      code: 7,
      json: { rule: 'mcpServers.kid switches it off' },
    });
  });

  it('decides about the tools behind a view by their own names', async () => {
    home.configure({ kid: plain() }, { ...SETTINGS, servers: { kid: { view: 'crude' } } });
    expect(await test('kid:echo')).toMatchObject({ code: 0, json: { decision: 'confirm' } });
  });

  it('refuses invalid input', async () => {
    expect(await test('kid:add', '--as', 'king')).toMatchObject({ code: 1 });
    expect(await test('kid:add', '--args', '[1]')).toMatchObject({ code: 1 });
    expect(await test('kid:nothing')).toMatchObject({ code: 1 });
  });

  it('allows everything where there is no policy', async () => {
    home.configure({ kid: plain() });
    expect(await test('kid:crash')).toMatchObject({
      code: 0,
      json: { decision: 'allow', rule: 'there is no policy' },
    });
  });
});
