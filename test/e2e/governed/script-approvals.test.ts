/** Yes to some calls of a script: by the operator's commands, as a task, and in the question of a stateless client. */

import { describe, expect, it } from 'vitest';

import type { Home } from '../cli/callsign.js';
import { type ClientOptions, complete, type Era, type Peer } from '../clients/peer.js';
import { begin, CLIENT, ended, governed, outcome, WAIT } from '../extensions/waiting-calls.js';
import { recordsOf } from '../extensions/journal-records.js';
import { plain } from '../gateway-process.js';

const PROGRAM = `const failed = [];
for (let i = 1; i <= 3; i++) try { await tools.kid.echo({ i }) } catch (error) { failed.push(error.message) }
return failed`;
const RUN = { code: PROGRAM, purpose: 'Echo what is left' };
const REFUSED =
  'The call to kid:echo was not approved: a person approved other calls of the script, but not this one';

interface Told {
  readonly result?: unknown;
  readonly error?: string;
  readonly sent?: readonly unknown[];
  readonly notSent?: readonly unknown[];
  readonly reads: number;
  readonly questions: number;
}

/** What every way to say yes to the second call alone must lead to. */
const SECOND_ONLY: Told = {
  sent: [{ tool: 'kid:echo', arguments: '{"i":2}' }],
  notSent: [
    { tool: 'kid:echo', arguments: '{"i":1}', why: expect.stringContaining('not this one') },
    { tool: 'kid:echo', arguments: '{"i":3}', why: expect.stringContaining('not this one') },
  ],
  result: [REFUSED, REFUSED],
  reads: 0,
  questions: 1,
};

/** One intent: nothing else was about to be sent. */
const recordsAre = (home: Home) =>
  expect
    .poll(async () => (await recordsOf(home, 'kid:echo')).toSorted(), WAIT)
    .toEqual([
      'call tools/call not-approved',
      'call tools/call not-approved',
      'call tools/call ok',
      'intent tools/call',
    ]);

async function run(peer: Peer, client: ClientOptions = {}): Promise<Told> {
  const members = JSON.stringify({ name: 'callsign:run', arguments: RUN }).slice(1, -1);
  const { result } = await complete(peer, client, ['tools/call', members]);
  const { content } = JSON.parse(result!) as { content: readonly { text: string }[] };
  return JSON.parse(content[0]!.text) as Told;
}

describe('yes to some calls of a script', () => {
  it('is given with a command, which shows each call and takes only their numbers', async () => {
    const { connect, here, waiting, home } = await governed(plain(), { scripts: {} });
    const peer = await connect('session', undefined, { capabilities: '{}' });
    const told = run(peer);
    await expect.poll(async () => (await waiting()).length, WAIT).toBe(1);
    const { id } = (await waiting())[0]!;
    const { stdout } = await here('approvals', 'show', id);
    for (const i of [1, 2, 3]) expect(stdout).toContain(`\n${i}. kid:echo (destructive)`);
    expect(stdout).toContain('"i": 3');
    const approve = (...words: string[]) => here('approvals', 'approve', id, '--only', ...words);
    expect(await approve('4')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${id} asks about the calls 1 to 3`),
    });
    expect(await approve('two')).toMatchObject({ code: 1 });
    expect(await waiting()).toHaveLength(1);
    expect(await approve('2')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Approved: 1 of 3 calls of Script /),
    });
    expect(await told).toMatchObject(SECOND_ONLY);
    await recordsAre(home);
    const { stdout: tree } = await here('audit', 'list', '--risk', 'destructive');
    const [root, ...calls] = tree.trim().split('\n').slice(1);
    const { script } = (await told) as Told & { script: string };
    expect(root).toContain(`callsign:run ${script}`);
    expect(calls.map((each) => /[├└] kid:echo/.exec(each)?.[0])).toEqual([
      '├ kid:echo',
      '├ kid:echo',
      '└ kid:echo',
    ]);
    const { stdout: own } = await here('audit', 'list', '--script', script, '--json');
    const { records } = JSON.parse(own) as { records: { tool: string; script: string }[] };
    expect(records.map((each) => [each.tool, each.script])).toEqual(
      ['callsign:run', 'kid:echo', 'kid:echo', 'kid:echo'].map((tool) => [tool, script]),
    );
    // The same decision again is confirmed, and another one is not.
    expect(await approve('2')).toMatchObject({ code: 0 });
    expect(await approve('1,2')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already approved (only 2)'),
    });
  });

  it('is no answer about a single call', async () => {
    const { connect, here, waiting } = await governed(plain());
    const peer = await connect('session', undefined, { capabilities: '{}' });
    const made = peer.request('tools/call', '"name":"kid:echo","arguments":{}');
    await expect.poll(async () => (await waiting()).length, WAIT).toBe(1);
    const { id } = (await waiting())[0]!;
    expect(await here('approvals', 'approve', id, '--only', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is one call'),
    });
    expect(await here('approvals', 'deny', id)).toMatchObject({ code: 0 });
    expect((await made).error).toContain('denied');
  });

  it.each(['session', 'stateless'] as const)('is given to a task, %s era', async (era: Era) => {
    const { connect, decide, home } = await governed(plain(), { scripts: {} });
    const peer = await connect(era);
    const { taskId } = await begin(peer, 'callsign:run', RUN);
    await decide('approve', '--only', '2');
    await ended(peer, taskId, 'completed');
    expect(JSON.parse((await outcome(peer, taskId))!)).toMatchObject(SECOND_ONLY);
    await recordsAre(home);
  });

  it('is given in the question of a stateless client', async () => {
    const { connect, home } = await governed(plain(), { scripts: {} });
    const asked: string[] = [];
    const client: ClientOptions = {
      ...CLIENT,
      capabilities: '{"elicitation":{}}',
      answer: ({ params }) => {
        asked.push(params ?? '');
        const content = { answer: 'Yes, but only the calls in "only"', only: '2' };
        return JSON.stringify({ action: 'accept', content });
      },
    };
    const peer = await connect('stateless', undefined, client);
    expect(await run(peer, client)).toMatchObject(SECOND_ONLY);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('3 × `kid:echo` (destructive)');
    await recordsAre(home);
  });
});
