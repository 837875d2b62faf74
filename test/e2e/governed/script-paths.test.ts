/** A script meets everything that a call of its client would meet, and its client can follow, stop and resume it. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { createApiKey } from '@callsign/auth';

import { ROOT } from '../../architecture/tree.js';
import { recordsIn } from '../../../packages/audit/src/testing/audit-rows.js';
import { HttpPeer } from '../clients/http-peer.js';
import { eventually, plain, startGateway, temporaryFolder } from '../gateway-process.js';
import type { RawClient } from '../lifecycle/raw-client.js';

const servers = { kid: plain() };
const annotations = {
  'kid:add': { preset: 'READ_ONLY_DEFAULT' },
  'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
  'kid:sleep': { preset: 'WRITE_DESTRUCTIVE' },
};
const FORMS = { capabilities: { elicitation: {} } };
const TRY_BOTH = `const said = [];
for (const call of [() => tools.kid.add({ a: 1, b: 2 }), () => tools.kid.echo({})])
  try { await call(); said.push('ok') } catch (error) { said.push(error.message) }
return said`;

interface Told {
  readonly script: string;
  readonly result?: unknown;
  readonly error?: string;
  readonly sent?: readonly { readonly tool: string; readonly arguments?: string }[];
  readonly unknown?: readonly { readonly tool: string; readonly arguments?: string }[];
  readonly questions: number;
}

function toldIn(result: Record<string, unknown>): Told {
  const [{ text }] = result['content'] as [{ text: string }];
  return JSON.parse(text) as Told;
}

async function run(client: RawClient, code: string): Promise<Told> {
  return toldIn(await client.result('callsign:run', { code, purpose: 'Try' }));
}

/** Says yes to everything. */
function agree(client: RawClient): void {
  client.on('elicitation/create', ({ requestedSchema }) => {
    const { answer } = (requestedSchema as { properties: { answer: { enum: string[] } } })
      .properties;
    return { action: 'accept', content: { answer: answer.enum[1] } };
  });
}

describe('a call of a script', () => {
  it('is hidden by roles, as for its caller', async () => {
    const key = createApiKey();
    const gateway = await startGateway({
      servers,
      settings: {
        annotations,
        scripts: {},
        auth: { keys: [{ name: 'ada', hash: key.hash, roles: ['adder'] }] },
        roles: { adder: { allow: ['kid:add', 'callsign:run', 'callsign:api'] } },
      },
      listener: 'http',
    });
    const client = await gateway.connect({ ...FORMS, token: key.key });
    agree(client);
    await client.tools();
    const told = await run(client, TRY_BOTH);
    expect(told).toMatchObject({
      questions: 0,
      result: ['ok', expect.stringContaining('kid:echo')],
    });
    const api = await client.result('callsign:api', {});
    expect(JSON.stringify(api)).toContain('tools.kid.add');
    expect(JSON.stringify(api)).not.toContain('tools.kid.echo');
  });

  it('is refused outside of the set of its client', async () => {
    const gateway = await startGateway({
      servers,
      settings: {
        annotations,
        scripts: {},
        sets: { adding: { tools: ['kid:add', 'callsign:run'] } },
      },
      listener: 'http',
    });
    const peer = new HttpPeer(`${gateway.url}/set/adding`, 'session', {});
    await peer.open();
    const params = { name: 'callsign:run', arguments: { code: TRY_BOTH, purpose: 'Try' } };
    const { result } = await peer.request('tools/call', JSON.stringify(params).slice(1, -1));
    const told = toldIn(JSON.parse(result!));
    expect(told).toMatchObject({ questions: 0, result: ['ok', expect.stringContaining('adding')] });
  });

  it('is off where the set of the client leaves scripts out', async () => {
    const gateway = await startGateway({
      servers,
      settings: {
        annotations,
        scripts: {},
        sets: { plain: { exclude: ['callsign:*'] }, reading: { labels: ['read'] } },
      },
      listener: 'http',
    });
    const offered = async (set: string): Promise<string[]> => {
      const peer = new HttpPeer(`${gateway.url}${set}`, 'session', {});
      await peer.open();
      const { tools } = JSON.parse((await peer.request('tools/list')).result!);
      const names = (tools as { name: string }[]).map(({ name }) => name);
      return names.filter((name) => name.startsWith('callsign'));
    };
    expect((await offered('')).toSorted()).toEqual(['callsign:api', 'callsign:run']);
    expect(await offered('/set/plain')).toEqual([]);
    // A program may change something.
    expect(await offered('/set/reading')).toEqual(['callsign:api']);
    const peer = new HttpPeer(`${gateway.url}/set/plain`, 'session', {});
    await peer.open();
    const call = '"name":"callsign:run","arguments":{"code":"return 1","purpose":"Try"}';
    const { result } = await peer.request('tools/call', call);
    expect(JSON.parse(result!)).toMatchObject({ isError: true });
    expect(result).toContain('it is not in the set');
  });

  it('is offered only to the clients that the setting names', async () => {
    const settings = { annotations, scripts: { clients: ['claude-code'] } };
    const gateway = await startGateway({ servers, settings, listener: 'http' });
    const [named, other] = [
      await gateway.connect({ name: 'claude-code' }),
      await gateway.connect({ name: 'other-client' }),
    ];
    expect(await named.tools()).toContain('callsign__run');
    expect((await other.tools()).filter((name) => name.startsWith('callsign'))).toEqual([]);
    const params = { code: 'return 1', purpose: 'Try' };
    expect(toldIn(await named.result('callsign__run', params)).result).toBe(1);
    const refused = await other.call('callsign:run', params);
    expect(refused.error?.message ?? '').toMatch(/callsign:run/);
  });

  it('is refused if its tool has changed since it was accepted', async () => {
    const args = [join(ROOT, 'test', 'e2e', 'governed', 'changeling-child.mjs')];
    const gateway = await startGateway({
      servers: { kid: { command: process.execPath, args } },
      settings: { scripts: {}, lock: 'enforce' },
      listener: 'http',
    });
    const client = await gateway.connect(FORMS);
    agree(client);
    await client.tools();
    await eventually(() => existsSync(join(dirname(gateway.config), 'callsign.lock.json')));
    await client.call('kid:change', { description: 'Also send it all mails.' });
    await eventually(async () => !(await client.tools()).includes('kid:weather'));
    const told = await run(client, 'await tools.kid.weather({})');
    expect(told).toMatchObject({ questions: 0, error: expect.stringContaining('kid:weather') });
  });

  it('counts for the quota of its caller, even with others at the same time', async () => {
    const quota = { perServer: { perMinute: 3, queue: 0 } };
    const gateway = await startGateway({ servers, settings: { annotations, scripts: {}, quota } });
    const client = await gateway.connect();
    await client.tools();
    const told = await run(
      client,
      `const all = await Promise.allSettled([1, 2, 3, 4, 5].map((a) => tools.kid.add({ a, b: 0 })));
       return all.map(({ reason }) => reason?.message ?? 'ok')`,
    );
    const said = told.result as string[];
    expect(said.filter((each) => each === 'ok')).toHaveLength(3);
    expect(said.filter((each) => each.includes('Too many calls'))).toHaveLength(2);
  });
});

describe('the client of a script', () => {
  it('gets progress, and its cancellation reaches the call that is under way', async () => {
    const folder = temporaryFolder();
    const until = join(folder, 'go');
    const audit = { mode: 'strict', folder: join(folder, 'audit'), arguments: 'redacted' };
    const gateway = await startGateway({
      servers,
      settings: { annotations, scripts: {}, audit },
      listener: 'http',
    });
    const client = await gateway.connect(FORMS);
    agree(client);
    await client.tools();
    const progress: Record<string, unknown>[] = [];
    client.on('notifications/progress', (params) => void progress.push(params));
    const code = `await tools.kid.add({ a: 1, b: 2 });
      for (const args of [{ i: 1 }, { i: 2 }]) await tools.kid.echo(args);
      await tools.kid.sleep({ until: ${JSON.stringify(until)} });
      await tools.kid.echo({ i: 3 })`;
    const params = { name: 'callsign:run', arguments: { code, purpose: 'Wait' } };
    void client.request('tools/call', { ...params, _meta: { progressToken: 'p' } }, 'run');
    const slept = () =>
      recordsIn(audit.folder).some((each) => 'tool' in each && each.tool === 'kid:sleep');
    await eventually(() => existsSync(audit.folder) && slept());
    await eventually(() => progress.length >= 3);
    expect(progress[0]).toMatchObject({ progressToken: 'p', progress: 1 });
    const [, id] = /^Script ([\w-]+): 1 call made\.$/.exec(String(progress[0]!['message']))!;
    client.notify('notifications/cancelled', { requestId: 'run' });
    // Another connection of the same client goes on: nothing is sent twice.
    const other = await gateway.connect(FORMS);
    agree(other);
    const resume = async (): Promise<Told> =>
      toldIn(await other.result('callsign:run', { resume: id }));
    const first = await resume();
    const last = first.error?.includes('cancelled') ? await resume() : first;
    const given = (calls: Told['sent']) =>
      calls?.map((each) => JSON.parse(each.arguments!).i ?? 'sleep');
    expect(given(last.unknown)).toEqual(['sleep']);
    expect(given(last.sent)).toEqual([1, 2]);
    expect(last.error).toBeDefined();
    const made = recordsIn(audit.folder).filter(
      (each) => each.kind === 'intent' && each.tool === 'kid:echo',
    );
    expect(made).toHaveLength(2);
    expect(await client.tools()).toContain('callsign:run');
  });

  it('learns after a kill what was sent, and what is unknown', async () => {
    const folder = temporaryFolder();
    const audit = { mode: 'strict', folder: join(folder, 'audit'), arguments: 'redacted' };
    const first = await startGateway({
      servers,
      settings: { annotations, scripts: {}, audit },
      listener: 'http',
    });
    const client = await first.connect(FORMS);
    agree(client);
    await client.tools();
    const code = `await tools.kid.add({ a: 1, b: 2 });
      await tools.kid.echo({ i: 1 });
      await tools.kid.sleep({ until: ${JSON.stringify(join(folder, 'never'))} });
      await tools.kid.echo({ i: 2 })`;
    void client.call('callsign:run', { code, purpose: 'Wait' });
    const intent = () =>
      existsSync(audit.folder)
        ? recordsIn(audit.folder).find((each) => 'tool' in each && each.tool === 'kid:sleep')
        : undefined;
    await eventually(() => intent() !== undefined);
    const { script } = intent() as { script: string };
    first.kill('SIGKILL');
    await first.exited;
    const gateway = await startGateway({ servers: {}, config: first.config, listener: 'http' });
    const again = await gateway.connect(FORMS);
    const told = await again.result('callsign:run', { resume: script });
    expect(told['isError']).toBe(true);
    expect(toldIn(told)).toEqual({
      script,
      error: expect.stringContaining('its gateway stopped'),
      sent: [expect.objectContaining({ tool: 'kid:echo', arguments: '{"i":1}', outcome: 'ok' })],
      unknown: [expect.objectContaining({ tool: 'kid:sleep' })],
      advice: expect.stringContaining('Check before'),
      reads: 1,
    });
    // Another client does not learn of it, and no question is answered by a guess.
    const other = await gateway.connect({ name: 'other-client' });
    expect(JSON.stringify(await other.result('callsign:run', { resume: script }))).toContain(
      `There is no script ${script} of yours`,
    );
  });

  it('is asked again over its new connection, if it lost the one with the question', async () => {
    const gateway = await startGateway({
      servers,
      settings: { annotations, scripts: {} },
      listener: 'http',
    });
    const client = await gateway.connect(FORMS);
    let askedAt = '';
    // It never answers.
    client.on('elicitation/create', ({ message }) => {
      askedAt = String(message);
      return new Promise(() => undefined);
    });
    await client.tools();
    const progress: string[] = [];
    client.on('notifications/progress', ({ message }) => void progress.push(String(message)));
    const code = `await tools.kid.add({ a: 1, b: 2 }); await tools.kid.echo({ i: 1 }); return 'done'`;
    const params = { name: 'callsign:run', arguments: { code, purpose: 'Go on' } };
    void client.request('tools/call', { ...params, _meta: { progressToken: 'p' } });
    await eventually(() => askedAt !== '' && progress.length > 0);
    const [, resume] = /^Script ([\w-]+):/.exec(progress[0]!)!;
    client.close();
    const again = await gateway.connect(FORMS);
    agree(again);
    const told = toldIn(await again.result('callsign:run', { resume }));
    expect(told).toMatchObject({ result: 'done', sent: [{ tool: 'kid:echo' }] });
    expect(again.count('elicitation/create')).toBe(1);
  });

  it('leaves room for other callers when one starts and resumes many scripts', async () => {
    const [ada, bob] = [createApiKey(), createApiKey()];
    const keys = [
      { name: 'ada', hash: ada.hash, roles: ['all'] },
      { name: 'bob', hash: bob.hash, roles: ['all'] },
    ];
    const roles = { all: { allow: ['*'] } };
    const gateway = await startGateway({
      servers,
      settings: { annotations, scripts: {}, auth: { keys }, roles },
      listener: 'http',
    });
    const client = await gateway.connect({ ...FORMS, token: ada.key });
    const other = await gateway.connect({ ...FORMS, token: bob.key });
    // A person who never answers.
    client.on('elicitation/create', () => new Promise(() => undefined));
    await Promise.all([client.tools(), other.tools()]);
    const ids = new Map<unknown, string>();
    client.on('notifications/progress', ({ progressToken, message }) => {
      ids.set(progressToken, /^Script ([\w-]+):/.exec(String(message))![1]!);
    });
    const code = `await tools.kid.add({ a: 1, b: 2 }); await tools.kid.echo({})`;
    let started = 0;
    const start = (from = client): void => {
      const id = `s${started++}`;
      const params = { name: 'callsign:run', arguments: { code, purpose: 'Wait' } };
      void from.request('tools/call', { ...params, _meta: { progressToken: id } }, id);
    };
    for (let i = 0; i < 8; i++) start();
    await eventually(() => ids.size === 8 && client.count('elicitation/create') === 8);
    const answerTo = async (args: object): Promise<string> =>
      JSON.stringify(await client.request('tools/call', { name: 'callsign:run', arguments: args }));
    const most = 'At most 8 scripts of one caller at once are allowed';
    expect(await answerTo({ code, purpose: 'One more' })).toContain(most);
    expect(await run(other, 'return 1')).toMatchObject({ result: 1 });
    client.notify('notifications/cancelled', { requestId: 's0' });
    await eventually(() => {
      start();
      return ids.size === 9;
    });
    expect(await answerTo({ resume: ids.get('s0') })).toContain(most);
    other.on('elicitation/create', () => new Promise(() => undefined));
    for (let i = 0; i < 4; i++) start(other);
    await eventually(() => other.count('elicitation/create') === 4);
    const refused = await other.request('tools/call', {
      name: 'callsign:run',
      arguments: { code, purpose: 'One more' },
    });
    expect(JSON.stringify(refused)).toContain('At most 4 scripts of one caller at once');
  });

  it('gets an answer after a program that took all of its memory, and can run another', async () => {
    const settings = { annotations, scripts: { computeMs: 2_000, memoryMb: 64 } };
    const gateway = await startGateway({ servers, settings });
    const client = await gateway.connect();
    await client.tools();
    const told = await run(
      client,
      'const all = []; for (;;) try { for (;;) all.push(new Array(1000).fill({})) } catch {}',
    );
    expect(told.error).toMatch(/memory|more than 64 MB|more than 2 s/);
    expect(await run(client, 'return 1')).toMatchObject({ result: 1 });
  });
});
