import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { listApprovals, decideApproval, findGateways } from '@callsign/gateway/admin';

import { eventually, plain, startGateway, temporaryFolder } from '../gateway-process.js';
import type { RawClient } from '../lifecycle/raw-client.js';

const servers = { kid: plain() };
const annotations = {
  'kid:add': { preset: 'READ_ONLY_DEFAULT' },
  'kid:calls': { preset: 'READ_ONLY_DEFAULT' },
  'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
};
const LOOP = `const { sum } = await tools.kid.add({ a: 1, b: 2 });
for (let i = 0; i < 3; i++) await tools.kid.echo({ i, sum });
return sum`;

interface Told {
  readonly script: string;
  readonly result?: unknown;
  readonly error?: string;
  readonly sent?: readonly { readonly tool: string }[];
  readonly notSent?: readonly { readonly tool: string; readonly why: string }[];
  readonly reads: number;
  readonly questions: number;
}

async function run(client: RawClient, args: object): Promise<Told> {
  const { result } = await client.call('callsign:run', args);
  const [{ text }] = result!['content'] as [{ text: string }];
  return JSON.parse(text) as Told;
}

const callsIn = async (client: RawClient): Promise<number> =>
  Number(((await client.result('kid:calls'))['structuredContent'] as { calls: number }).calls);

describe('a script', () => {
  it('asks its user once about all calls that change something, and records each with its id', async () => {
    const folder = temporaryFolder();
    const audit = { mode: 'strict', folder };
    const gateway = await startGateway({ servers, settings: { annotations, scripts: {}, audit } });
    const client = await gateway.connect({ capabilities: { elicitation: {} } });
    const asked: string[] = [];
    let answer: object = { action: 'decline' };
    client.on('elicitation/create', ({ message }) => {
      asked.push(String(message));
      return answer;
    });
    expect(await client.tools()).toEqual(expect.arrayContaining(['callsign:run', 'callsign:api']));
    const api = await client.result('callsign:api', { query: 'add' });
    expect(JSON.stringify(api['content'])).toContain('tools.kid.add(args: {');

    const before = await callsIn(client);
    const no = await run(client, { code: LOOP, purpose: 'Echo\nall' });
    expect(no.error).toContain('the user declined');
    expect(no.notSent).toHaveLength(3);
    // One read, and this call.
    expect(await callsIn(client)).toBe(before + 2);

    answer = { action: 'accept', content: { answer: 'Yes, all 3 calls' } };
    const yes = await run(client, { code: LOOP, purpose: 'Echo all' });
    expect(yes).toMatchObject({ result: 3, reads: 1, questions: 1 });
    expect(yes.sent).toHaveLength(3);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('3 × `kid:echo` (destructive)');
    for (const i of [0, 1, 2]) expect(asked[1]).toContain(`${i + 1}. \`{"i":${i},"sum":3}\``);

    answer = {
      action: 'accept',
      content: { answer: 'Yes, but only the calls in "only"', only: '2' },
    };
    const some = await run(client, {
      code: 'for (let i = 0; i < 3; i++) try { await tools.kid.echo({ i }) } catch {}',
      purpose: 'Echo one',
    });
    expect(some.sent).toEqual([{ tool: 'kid:echo', arguments: '{"i":1}' }]);
    expect(some.notSent).toHaveLength(2);

    await gateway.stop();
    const lines = readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const made = lines.filter(({ kind, outcome }) => kind === 'call' && outcome === 'ok');
    expect(
      made.filter(({ script, tool }) => script === yes.script && tool === 'kid:echo'),
    ).toHaveLength(3);
    // The intent of a run is written before the program starts, and names the script too.
    expect(
      lines.filter(({ script, tool }) => script === yes.script && tool === 'callsign:run'),
    ).toMatchObject([{ kind: 'intent' }, { kind: 'call', outcome: 'ok' }]);
    const refused = lines.filter(
      ({ script, outcome }) => script === no.script && outcome === 'not-approved',
    );
    expect(refused).toHaveLength(3);
  });

  it('waits for the operator where the client cannot ask, and can be resumed', async () => {
    const gateway = await startGateway({
      servers,
      settings: {
        annotations,
        scripts: {},
        policy: { destructive: 'allow', confirm: { whenClientCannotAsk: 'wait' } },
      },
    });
    const client = await gateway.connect();
    await client.tools();
    const running = run(client, { code: LOOP, purpose: 'Echo all' });
    const gateways = () => findGateways({ config: gateway.config });
    await eventually(async () => (await listApprovals(await gateways())).length === 1);
    const [waiting] = await listApprovals(await gateways());
    expect(waiting).toMatchObject({
      tool: 'callsign:run',
      title: expect.stringMatching(/3 calls/),
    });
    expect(waiting!.arguments).toContain('{"i":2,"sum":3}');
    await decideApproval(await gateways(), waiting!.id, { approve: true });
    const told = await running;
    expect(told).toMatchObject({ result: 3, questions: 1 });
    expect(await run(client, { resume: told.script })).toEqual(told);
    const other = await client.result('callsign:run', { resume: 'guessed' });
    expect(other).toMatchObject({ isError: true });
  });

  it.each([
    ['loops', 'for (;;);', /computed for more than 3 s/],
    ['returns 50 MB', 'return "x".repeat(50e6)', /MB|memory|limit|computed/],
    [
      'nests',
      'await call("callsign:run", { code: "1", purpose: "x" })',
      /tools of the gateway itself/,
    ],
    ['calls what is not there', 'await tools.kid.nothing()', /no tool kid:nothing/],
  ])('that %s gets a clear error, and the gateway goes on', async (_, code, error) => {
    const scripts = { computeMs: 3_000 };
    const gateway = await startGateway({ servers, settings: { annotations, scripts } });
    const client = await gateway.connect();
    await client.tools();
    expect((await run(client, { code, purpose: 'Attack' })).error).toMatch(error);
    expect((await run(client, { code: 'return 1', purpose: 'Go on' })).result).toBe(1);
  });

  it('passes the policy and roles like a call alone', async () => {
    const policy = { rules: [{ match: 'kid:echo', decision: 'deny' }] };
    const gateway = await startGateway({ servers, settings: { annotations, scripts: {}, policy } });
    const client = await gateway.connect({ capabilities: { elicitation: {} } });
    await client.tools();
    const told = await run(client, { code: 'await tools.kid.echo({})', purpose: 'Try' });
    expect(told).toMatchObject({
      questions: 0,
      error: expect.stringContaining('The policy does not allow kid:echo'),
    });
  });

  it('is not offered without the setting', async () => {
    const gateway = await startGateway({ servers });
    const client = await gateway.connect();
    expect(await client.tools()).not.toContain('callsign:run');
  });
});
