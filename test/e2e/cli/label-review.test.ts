/**
 * `labels`, `labels review` and `trust`: counting labels, accepting them, and trusting a server.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { shellWord } from '@callsign/config';
import { describe, expect, it } from 'vitest';

import { startGateway } from '../gateway-process.js';
import { Home } from './callsign.js';
import { recorded, written } from './recorded-server.js';

const ODD = [
  { name: 'delete_all', annotations: { readOnlyHint: true } },
  { name: 'list_users', description: 'Lists users.' },
  { name: 'zap' },
  { name: 'show', annotations: { readOnlyHint: true } },
];
const RETOLD = ODD.map((tool) =>
  tool.name === 'list_users' ? { ...tool, description: 'Lists users, and more.' } : tool,
);

/** A configuration with comments, and one server `odd`. */
function commented(home: Home): string {
  const odd = JSON.stringify(written(home, 'odd', ODD));
  return home.write(
    'work/callsign.json',
    `{
  // Mine.
  "mcpServers": { "odd": ${odd} }, // one
  "callsign": {
    "titles": true // as it is
  }
}
`,
  );
}

const config = (home: Home) => readFileSync(join(home.work, 'callsign.json'), 'utf8');

interface Listed {
  readonly tools: readonly { canonical: string; risk: string; evidence: { by: string } }[];
}

async function labelOf(home: Home, name: string): Promise<string> {
  const { stdout } = await home.run(['tools', name, '--json', '--refresh']);
  const [tool] = (JSON.parse(stdout) as Listed).tools;
  return `${tool!.risk} by ${tool!.evidence.by}`;
}

describe('labels', () => {
  it('counts tools by risk and evidence, for each server', async () => {
    const home = new Home();
    home.configure({ odd: written(home, 'odd', ODD), brave: recorded('brave') });
    expect(await home.run(['labels'])).toEqual({
      code: 0,
      stdout: [
        'SERVER  TOOLS  READ                      WRITE  DESTRUCTIVE',
        'odd     4      2: 1 claimed, 1 inferred         2: 1 by default, 1 contradicted',
        'brave   8      8 inferred',
        '',
      ].join('\n'),
      stderr: '11 labels can be reviewed: callsign labels review\n',
    });
    expect(JSON.parse((await home.run(['labels', '--json'])).stdout)).toMatchObject({
      toReview: 11,
      servers: [
        {
          server: 'odd',
          tools: 4,
          labels: [
            { risk: 'read', evidence: 'server', tools: 1 },
            { risk: 'read', evidence: 'words', tools: 1 },
            { risk: 'destructive', evidence: 'default', tools: 1 },
            { risk: 'destructive', evidence: 'contradiction', tools: 1 },
          ],
        },
        { server: 'brave', labels: [{ risk: 'read', evidence: 'words', tools: 8 }] },
      ],
    });
  });
});

describe('labels review', () => {
  it('accepts what is inferred without a terminal, and keeps comments', async () => {
    const home = new Home();
    commented(home);
    const { code, stderr } = await home.run(['labels', 'review', '--accept-inferred']);
    expect({ code, stderr: home.tidy(stderr) }).toEqual({
      code: 0,
      stderr: 'Accepted 1 label: 1 read. 2 left. Configuration: /HOME/work/callsign.json\n',
    });
    const text = config(home);
    for (const comment of ['// Mine.', '// one', '// as it is']) expect(text).toContain(comment);
    expect(text).toMatch(
      /"annotations": \{\s+"odd:list_users": \{\s+"readOnlyHint": true,\s+"destructiveHint": false,\s+"accepted": "sha256:[\da-f]{64}"/,
    );
    expect(await labelOf(home, 'odd:list_users')).toBe('read by you');
    expect(await labelOf(home, 'odd:delete_all')).toBe('destructive by contradiction');
    expect(await labelOf(home, 'odd:zap')).toBe('destructive by default');
  });

  it('lets a label lapse with a warning when the definition changes, and takes it again', async () => {
    const home = new Home();
    const file = commented(home);
    await home.run(['labels', 'review', 'odd', '--accept-inferred']);
    written(home, 'odd', RETOLD);
    expect(await labelOf(home, 'odd:list_users')).toBe('read by words');
    const lapsed =
      'warning: The accepted label of odd:list_users has expired, because its definition has ' +
      'changed. To review it: callsign';
    expect((await home.run(['tools'])).stderr).toContain(`${lapsed} labels review odd\n`);

    const env = { XDG_STATE_HOME: join(home.folder, 'state'), HOME: home.folder };
    const gateway = await startGateway({ servers: {}, config: file, env });
    await (await gateway.connect()).tools();
    // Label warnings come when the servers have started.
    await expect
      .poll(() => gateway.stderr)
      .toContain(`${lapsed} --config ${shellWord(file)} labels review odd\n`);

    await home.run(['labels', 'review', '--accept-inferred']);
    expect(config(home).match(/"accepted"/g)).toHaveLength(1);
    expect(await labelOf(home, 'odd:list_users')).toBe('read by you');
    expect((await home.run(['tools'])).stderr).not.toContain('expired');
  });

  it('asks about each tool in a terminal, and writes what was chosen', async () => {
    const home = new Home();
    commented(home);
    const terminal = home.terminal(['labels', 'review']);
    await terminal.shows(/1\/3 odd:delete_all: destructive, the server says read-only/);
    terminal.type('\r');
    await terminal.shows(/2\/3 odd:list_users: read, the name says list/);
    // From "read (as it is)" down to "write".
    terminal.type('\x1b[B\r');
    await terminal.shows(/3\/3 odd:zap: destructive, nothing says otherwise/);
    // Down over three risks to "skip".
    terminal.type('\x1b[B\x1b[B\x1b[B\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.text).toContain('Accepted 2 labels: 1 write, 1 destructive. 1 left.');
    expect(await labelOf(home, 'odd:delete_all')).toBe('destructive by you');
    expect(await labelOf(home, 'odd:list_users')).toBe('write by you');
    expect(await labelOf(home, 'odd:zap')).toBe('destructive by default');
  });

  it('keeps the answers that were given before Ctrl-C', async () => {
    const home = new Home();
    commented(home);
    const terminal = home.terminal(['labels', 'review']);
    await terminal.shows(/1\/3 odd:delete_all/);
    terminal.type('\r');
    await terminal.shows(/2\/3 odd:list_users/);
    terminal.type('\x03');
    expect(await terminal.ended).toBe(130);
    expect(terminal.text).toContain('Accepted 1 label: 1 destructive. 2 left.');
    expect(await labelOf(home, 'odd:delete_all')).toBe('destructive by you');
    expect(await labelOf(home, 'odd:list_users')).toBe('read by words');
  });

  it('keeps what else is written about a tool', async () => {
    const home = new Home();
    const annotations = { 'odd:list_users': { title: 'People', idempotentHint: true } };
    home.configure({ odd: written(home, 'odd', ODD) }, { annotations });
    await home.run(['labels', 'review', '--accept-inferred']);
    expect(JSON.parse(config(home))).toMatchObject({
      callsign: {
        annotations: {
          'odd:list_users': { title: 'People', idempotentHint: true, readOnlyHint: true },
        },
      },
    });
    expect((await home.run(['tools', 'odd:list_users'])).stdout).toContain('People');
  });

  it.each([
    [['labels', 'review'], 1, 'A review needs a terminal. To accept what is inferred'],
    [['labels', 'review', 'even', '--accept-inferred'], 1, 'There is no server "even"'],
  ])('says what is wrong: %s', async (args, code, message) => {
    const home = new Home();
    commented(home);
    const before = config(home);
    const ended = await home.run(args);
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(message) as string });
    expect(config(home)).toBe(before);
  });
});

describe('trust', () => {
  it('N3: is written for a server, comments kept, and changes its labels', async () => {
    const home = new Home();
    commented(home);
    expect(await labelOf(home, 'odd:show')).toBe('read by server');
    const { code, stderr } = await home.run(['trust', 'odd', 'none']);
    expect({ code, stderr: home.tidy(stderr) }).toEqual({
      code: 0,
      stderr:
        'odd has trust "none" in /HOME/work/callsign.json: its claims count only where they raise the risk.\n',
    });
    expect(config(home)).toContain('"titles": true, // as it is');
    expect(config(home)).toMatch(/"servers": \{\s+"odd": \{\s+"trust": "none"/);
    expect(await labelOf(home, 'odd:show')).toBe('destructive by default');
    expect(await labelOf(home, 'odd:list_users')).toBe('destructive by default');
    await home.run(['trust', 'odd', 'full']);
    expect(await labelOf(home, 'odd:delete_all')).toBe('read by server');
    await home.run(['trust', 'odd', 'checked', '--json']);
    expect(await labelOf(home, 'odd:delete_all')).toBe('destructive by contradiction');
  });

  it.each([
    [['trust', 'odd', 'some'], 'Trust is checked, full, none, not "some".'],
    [['trust', 'even', 'full'], 'There is no server "even". Servers: odd.'],
  ])('says what is wrong: %s', async (args, message) => {
    const home = new Home();
    commented(home);
    const before = config(home);
    const ended = await home.run(args);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(message) as string });
    expect(config(home)).toBe(before);
  });
});
