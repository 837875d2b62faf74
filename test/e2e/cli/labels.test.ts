/** Labels in the output of commands: marks, reasons and counts. Plain servers, no settings. */

import { join } from 'node:path';

import { shellWord } from '@callsign/config';
import { describe, expect, it } from 'vitest';

import { eventually, startGateway } from '../gateway-process.js';
import { Home } from './callsign.js';
import { recorded, written } from './recorded-server.js';

const ODD = [
  { name: 'delete_all', annotations: { readOnlyHint: true } },
  { name: 'list_users' },
  { name: 'zap' },
  { name: 'show', annotations: { readOnlyHint: true } },
];

describe('tools', () => {
  it('marks what is inferred and what is contradicted, and explains the marks', async () => {
    const home = new Home();
    home.configure({ odd: written(home, 'odd', ODD) });
    expect(await home.run(['tools'])).toEqual({
      code: 0,
      stdout: [
        'NAME            TITLE       RISK           HINTS',
        'odd:delete_all  Delete All  destructive !  destructive, open-world',
        'odd:list_users  List Users  read ~         read-only, open-world',
        'odd:zap         Zap         destructive    destructive, open-world',
        'odd:show        Show        read           read-only, open-world',
        '',
      ].join('\n'),
      stderr:
        '~ inferred from its own words; ! its server claims less. Why: callsign tools --why\n',
    });
    expect(await home.run(['tools', 'odd:zap'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('explains the risk to people and to programs', async () => {
    const home = new Home();
    home.configure({ odd: written(home, 'odd', ODD) });
    const { stdout, stderr } = await home.run(['tools', '--why']);
    expect(stderr).toBe('~ inferred from its own words; ! its server claims less.\n');
    const reasons = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/).at(-1));
    expect(reasons).toEqual([
      'WHY',
      'destructive: the server says read-only, but the name says delete',
      'read: the name says list, nothing contradicts',
      'destructive: nothing says otherwise',
      'read: the server says so',
    ]);
    const parsed: unknown = JSON.parse((await home.run(['tools', '--json'])).stdout);
    expect(parsed).toMatchObject({
      tools: [
        {
          canonical: 'odd:delete_all',
          risk: 'destructive',
          evidence: { by: 'contradiction' },
          contradiction: { hint: 'readOnlyHint', claim: true, because: 'the name says delete' },
        },
        {
          risk: 'read',
          evidence: { by: 'words', because: 'the name says list, nothing contradicts' },
        },
        { risk: 'destructive', evidence: { by: 'default', because: 'nothing says otherwise' } },
        { risk: 'read', evidence: { by: 'server', because: 'the server says so' } },
      ],
    });
  });

  it('counts by server below a long list, and only there', async () => {
    const home = new Home();
    home.configure({ github: recorded('github'), fs: recorded('filesystem') });
    const all = await home.run(['tools']);
    const table = all.stderr.slice(all.stderr.indexOf('SERVER'));
    expect(table.split('\n')).toEqual([
      'SERVER  TOOLS  READ         WRITE       DESTRUCTIVE',
      'github  26     14 inferred  7 inferred  5 inferred',
      'fs      14     10 claimed   1 claimed   3 claimed',
      '',
    ]);
    expect((await home.run(['tools', 'fs:*'])).stderr).not.toContain('SERVER');
  });

  it('has one colour per risk', async () => {
    const home = new Home();
    home.configure({ odd: written(home, 'odd', [...ODD, { name: 'create_user' }]) });
    const env = { FORCE_COLOR: '1' };
    const { stdout } = await home.run(['tools'], { env });
    expect(stdout).toContain('\x1b[31mdestructive !');
    expect(stdout).toContain('\x1b[32mread ~');
    expect(stdout).toContain('\x1b[33mwrite ~');
  });
});

describe('serve --read-only', () => {
  it('says once how many tools it withholds, and why', async () => {
    const home = new Home();
    const config = home.configure({ odd: written(home, 'odd', ODD), github: recorded('github') });
    const env = { XDG_STATE_HOME: join(home.folder, 'state'), HOME: home.folder };
    const gateway = await startGateway({ servers: {}, config, env, flags: ['--read-only'] });
    const tools = await (await gateway.connect()).tools();
    expect(tools).toHaveLength(16);
    await eventually(() => gateway.stderr.includes('withholds'));
    const said = gateway.stderr.split('\n').filter((line) => line.includes('--read-only'));
    expect(said).toEqual([
      'warning: --read-only withholds 14 of 30 tools, because they are not labelled read: 7 write, ' +
        `7 destructive (1 of them unlabelled). Why: callsign --config ${shellWord(config)} tools --why`,
    ]);
  });
});

describe('the setting "annotate"', () => {
  interface ListedTool {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, unknown>>;
  }

  async function annotationsUnder(settings: object): Promise<Record<string, unknown>> {
    const home = new Home();
    const gateway = await startGateway({
      servers: { odd: written(home, 'odd', ODD), brave: recorded('brave') },
      settings: { titles: false, ...settings },
    });
    const client = await gateway.connect();
    const { result } = await client.request('tools/list');
    const { tools } = result as { tools: ListedTool[] };
    const listed = tools.map(({ name, annotations }) => [name, annotations]);
    return Object.fromEntries(listed) as Record<string, unknown>;
  }

  it('is off by default: annotations are exactly those of the server', async () => {
    expect(await annotationsUnder({})).toMatchObject({
      'odd:delete_all': { readOnlyHint: true },
      'odd:list_users': undefined,
      'brave:brave_web_search': { openWorldHint: true },
    });
  });

  it('adds what is inferred where the server is silent, and only there', async () => {
    const annotations = await annotationsUnder({ annotate: true });
    expect(annotations).toMatchObject({
      'odd:list_users': { readOnlyHint: true, destructiveHint: false },
      'odd:zap': undefined,
      'brave:brave_web_search': {
        openWorldHint: true,
        readOnlyHint: true,
        destructiveHint: false,
      },
    });
    // A contradicted claim stays as the server wrote it.
    expect(annotations['odd:delete_all']).toEqual({ readOnlyHint: true });
    expect(annotations['odd:show']).toEqual({ readOnlyHint: true });
  });
});

describe('the policy "careful"', () => {
  it.each([
    ['odd:list_users', 'allow: policy.read is "allow"'],
    ['odd:add_user', 'allow: policy.write is "allow"'],
    ['odd:zap', 'confirm: policy.destructive is "confirm"'],
    ['odd:update_user', 'confirm: policy.contradiction is "confirm"'],
  ])('decides about %s', async (name, decision) => {
    const home = new Home();
    const claim = { readOnlyHint: true, destructiveHint: false };
    const tools = [...ODD, { name: 'add_user' }, { name: 'update_user', annotations: claim }];
    home.configure({ odd: written(home, 'odd', tools) }, { policy: 'careful' });
    const { code, stdout } = await home.run(['policy', 'test', name]);
    expect({ code, line: stdout.split('\n')[1] }).toEqual({ code: 0, line: decision });
  });
});

describe('a contradiction', () => {
  const SQL = {
    name: 'run_sql',
    description: 'Run a statement.',
    inputSchema: { type: 'object', properties: { sql: { type: 'string' } } },
    annotations: { readOnlyHint: true },
  };

  it('is a warning of doctor, lint and serve', async () => {
    const home = new Home();
    const config = home.configure({ odd: written(home, 'odd', [SQL]) });
    const reason = 'the server says read-only, but the parameter sql is run';
    const doctor = await home.run(['doctor']);
    expect(doctor.stdout).toContain(
      `warn  label: odd:run_sql: counts as destructive: ${reason}\n` +
        '      → review it: callsign labels review odd\n',
    );
    expect(doctor.stderr).toContain('0 failed, 1 warning.');

    const lint = await home.run(['lint', 'odd']);
    expect(lint.stdout).toContain('States readOnlyHint: true, but the parameter sql is run.');

    const env = { XDG_STATE_HOME: join(home.folder, 'state'), HOME: home.folder };
    const gateway = await startGateway({ servers: {}, config, env });
    const client = await gateway.connect();
    await client.tools();
    await client.tools();
    await eventually(() => gateway.stderr.includes('run_sql'));
    const said = gateway.stderr.split('\n').filter((line) => line.includes('run_sql'));
    expect(said).toEqual([
      `warning: odd:run_sql counts as destructive: ${reason}. ` +
        `To review it: callsign --config ${shellWord(config)} labels review odd`,
    ]);
  });

  it('is gone once the label is accepted', async () => {
    const home = new Home();
    const annotations = { 'odd:run_sql': { readOnlyHint: true, destructiveHint: false } };
    home.configure({ odd: written(home, 'odd', [SQL]) }, { annotations });
    const { stdout } = await home.run(['doctor']);
    expect(stdout).toContain('pass  labels: 1 tool: 1 read, 0 write, 0 destructive\n');
  });
});
