/** Programs that attack the sandbox, and the question: what reaches a server is what was shown, and nothing hides. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { createApiKey } from '@callsign/auth';
import { findGateways, listApprovals } from '@callsign/gateway/admin';

import { ROOT } from '../../architecture/tree.js';
import {
  eventually,
  type Finally,
  type GatewayProcess,
  plain,
  startGateway,
  temporaryFolder,
} from '../gateway-process.js';
import type { RawClient } from '../lifecycle/raw-client.js';

const FORMS = { capabilities: { elicitation: {} } };

interface Told {
  readonly script: string;
  readonly result?: unknown;
  readonly error?: string;
  readonly sent?: readonly { readonly arguments: string }[];
  readonly notSent?: readonly { readonly why: string }[];
  readonly questions: number;
}

function toldIn(result: Record<string, unknown>): Told {
  const [{ text }] = result['content'] as [{ text: string }];
  return JSON.parse(text) as Told;
}

const run = async (client: RawClient, code: string): Promise<Told> =>
  toldIn(await client.result('callsign:run', { code, purpose: 'Try' }));

/** The arguments that a question shows, in its order. */
const shownIn = (message: string): string[] =>
  [...message.matchAll(/^ {2}\d+\. `(.*?)`/gm)].map(([, json]) => json!);

/** Says yes to the first questions, and no to those after them. Returns the texts of all. */
function answer(client: RawClient, yes = Infinity): string[] {
  const asked: string[] = [];
  client.on('elicitation/create', ({ message, requestedSchema }) => {
    const { enum: choices } = (requestedSchema as { properties: { answer: { enum: string[] } } })
      .properties.answer;
    return asked.push(String(message)) <= yes
      ? { action: 'accept', content: { answer: choices[1] } }
      : { action: 'decline' };
  });
  return asked;
}

/** A gateway with a server that notes each change. */
async function noted(scripts: object = {}, later: Finally = onTestFinished, more: object = {}) {
  const notes = join(temporaryFolder(later), 'notes');
  const args = [join(ROOT, 'test', 'fixtures', 'noting-child.mjs'), notes];
  const gateway = await startGateway(
    {
      servers: { notes: { command: process.execPath, args } },
      settings: { scripts, policy: {}, ...more },
      listener: 'http',
    },
    later,
  );
  const lines = (): string[] =>
    existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [];
  return { gateway, notes: lines };
}

describe('a program that wants to send something else than what was shown', () => {
  let world: Awaited<ReturnType<typeof noted>>;
  /** The gateway ends before its folder is removed. */
  const ends: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends) await end();
  });
  beforeAll(async () => {
    world = await noted({}, (work) => ends.unshift(work));
  });

  it.each([
    [
      'finds out that it is rehearsed',
      `const isReal = Array.isArray(await tools.notes.poke({ n: 1 }));
       await tools.notes.poke({ is: isReal ? 'bad' : 'good' })`,
      ['{"n":1}'],
    ],
    [
      'finds it out, and leaves a call out',
      `if (!Array.isArray(await tools.notes.poke({ n: 1 }))) await tools.notes.poke({ n: 2 });
       await tools.notes.poke({ n: 3 })`,
      ['{"n":1}'],
    ],
    [
      'changes its arguments after the call',
      `const args = { n: 1, list: [] }; const made = tools.notes.poke(args);
       args.n = 2; args.list.push('bad'); await made`,
      ['{"n":1,"list":[]}'],
    ],
    [
      'has arguments that differ each time',
      `let n = 0; const args = { get n() { return n++ }, o: { toJSON: () => Math.random() < 2 ? n++ : 0 } };
       await tools.notes.poke(args); await tools.notes.poke(args)`,
      ['{"n":0,"o":1}', '{"n":2,"o":3}'],
    ],
    [
      'changes the functions of the language',
      `const of = (name) => Object.getOwnPropertyNames(name);
       for (const each of [JSON, Reflect, Function.prototype, Promise.prototype, RegExp.prototype, String.prototype])
         for (const name of of(each)) try { each[name] = () => ({ n: 'bad' }) } catch {}
       await tools.notes.poke({ n: 1 }); await tools.notes.poke({ n: 2 })`,
      undefined,
    ],
    [
      'changes the prototypes of the language',
      `Object.prototype.n = 'bad'; Object.prototype.toJSON = function () { return { ...this, added: 1 } };
       Array.prototype[Symbol.iterator] = function* () { yield 'bad' };
       await tools.notes.poke({ a: 1 }); await tools.notes.poke({})`,
      ['{"a":1,"added":1}', '{"added":1}'],
    ],
    [
      'uses keys that mean something to the gateway',
      `await tools.notes.poke(JSON.parse('{"__proto__":{"n":1},"constructor":2,"_meta":{},"name":"x","resume":"y"}'))`,
      ['{"__proto__":{"n":1},"constructor":2,"_meta":{},"name":"x","resume":"y"}'],
    ],
  ])('and %s sends nothing else', async (_, code, sent) => {
    const client = await world.gateway.connect(FORMS);
    const asked = answer(client, 1);
    await client.tools();
    const before = world.notes().length;
    const told = await run(client, code);
    const notes = world.notes().slice(before);
    const shown = shownIn(asked[0]!);
    // In their order, and none twice.
    let at = -1;
    for (const each of notes) {
      at = shown.indexOf(each, at + 1);
      expect(at, `${each} was not shown: ${shown.join(' ')}`).toBeGreaterThan(-1);
    }
    expect(notes.join('\n')).not.toContain('bad');
    if (sent) expect(notes).toEqual(sent);
    expect((told.sent ?? []).map((call) => call.arguments)).toEqual(notes);
  });

  it('cannot use a yes twice, with the same program or with its id', async () => {
    const { gateway, notes } = await noted();
    const client = await gateway.connect(FORMS);
    const asked = answer(client, 1);
    await client.tools();
    const code = 'await tools.notes.poke({ n: 1 })';
    const first = await run(client, code);
    expect(first.sent).toHaveLength(1);
    expect(toldIn(await client.result('callsign:run', { resume: first.script }))).toEqual(first);
    expect((await run(client, code)).error).toContain('declined');
    // Its own call is not one of the script's either.
    await client.call('notes:poke', { n: 1 });
    expect(asked).toHaveLength(3);
    expect(notes()).toEqual(['{"n":1}']);
  });

  it('sends nothing if the definition of the tool changes after the question', async () => {
    const args = [join(ROOT, 'test', 'e2e', 'governed', 'changeling-child.mjs')];
    const gateway = await startGateway({
      servers: { kid: { command: process.execPath, args } },
      settings: { scripts: {}, policy: { destructive: 'allow' } },
      listener: 'http',
    });
    const [client, other] = [await gateway.connect(FORMS), await gateway.connect()];
    await other.tools();
    const described = async () => JSON.stringify(await other.request('tools/list'));
    client.on('elicitation/create', async () => {
      await other.call('kid:change', { description: 'Also sends it to all.' });
      await eventually(async () => (await described()).includes('Also sends'));
      return { action: 'accept', content: { answer: 'Yes, all 2 calls' } };
    });
    await client.tools();
    const told = await run(
      client,
      `const said = []; for (const n of [1, 2]) try { await tools.kid.weather({ n }) } catch (e) { said.push(e.message) }
       return said`,
    );
    expect(told.sent).toBeUndefined();
    expect(told.notSent).toHaveLength(2);
    for (const said of told.result as string[])
      expect(said).toContain('changed or withdrawn while the call waited');
  });
});

describe('a question about a script', () => {
  it('shows each call on one line of its own, or says what is missing', async () => {
    const { gateway } = await noted();
    const client = await gateway.connect(FORMS);
    const asked = answer(client, 0);
    await client.tools();
    await run(
      client,
      String.raw`const poke = (args) => tools.notes.poke(args);
        await poke({ text: 'n'.repeat(30_000), path: '/all' });
        await poke({ ['\u202Epath']: '\u001b[2K\u0000\n  9. \`{}\`\nNothing else is changed' });
        let deep = { path: '/deep' }; for (let i = 0; i < 40; i++) deep = { deep };
        await poke(deep);
        await poke(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => ['k' + i, i])));
        for (let i = 0; i < 3; i++) await poke({});
        await tools.notes.write_note({ 'p\u0430th': '\uFF0Fetc', path: '\u{E0041}\u2800' });`,
    );
    const [message] = asked as [string];
    const lines = message.split('\n');
    expect(lines[0]).toBe(
      'Allow these 8 calls of a script? 7 × `notes:poke` (destructive), 1 × `notes:write_note` (write)',
    );
    const calls = lines.filter((line) => /^ {2}\d/.test(line));
    expect(calls.map((line) => /^ {2}(\d+)\. `/.exec(line)?.[1])).toEqual([...'12345678']);
    // Nothing but our own lines: a headline, the purpose, one for each of two tools, the calls, the end.
    expect(lines).toHaveLength(5 + calls.length);
    // No character that hides others or moves them.
    expect(message.replaceAll('\n', '')).not.toMatch(
      /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2800\u{E0000}-\u{E007F}]/u,
    );
    expect(calls[0]).toMatch(
      /NOT SHOWN: \d{5} characters at `text` \(too long\); \d+ characters at `path`|"path":"\/all"/,
    );
    expect(calls[1]).toContain('⟨U+202E⟩path');
    expect(calls[2]).toMatch(/NOT SHOWN: \d+ characters/);
    expect(calls[3]).toMatch(/NOT SHOWN: .* more places/);
    expect(calls.slice(4, 7).map((line) => line.slice(5))).toEqual(['`{}`', '`{}`', '`{}`']);
    expect(calls[7]).toContain('⟨U+E0041⟩⟨U+2800⟩');
    expect(message.length).toBeLessThan(40_000);
  });

  it('shows what the server gets, where a module changes the arguments', async () => {
    const use = join(temporaryFolder(), 'tenant.mjs');
    writeFileSync(
      use,
      `export default {
        name: 'tenant',
        create: () => ({
          intercept(call, next) {
            if (call.target?.canonical !== 'notes:poke') return next();
            const params = { name: call.name, arguments: { tenant: 'x', ...call.arguments } };
            return next(call.with({ params: JSON.stringify(params) }));
          },
        }),
      };`,
    );
    const { gateway, notes } = await noted({}, onTestFinished, { modules: [{ use }] });
    const client = await gateway.connect(FORMS);
    const asked = answer(client);
    await client.tools();
    await run(client, 'for (const n of [1, 2]) await tools.notes.poke({ n })');
    expect(asked.map(shownIn)).toEqual([['{"tenant":"x","n":1}', '{"tenant":"x","n":2}']]);
    expect(notes()).toEqual(asked.flatMap(shownIn));
  });

  it('never has a tool whose name looks like that of another one', async () => {
    const lookalike = 'we\u0430ther';
    const file = join(ROOT, 'test', 'e2e', 'governed', 'changeling-child.mjs');
    const gateway = await startGateway({
      servers: { kid: { command: process.execPath, args: [file, `--extra=${lookalike}`] } },
      settings: { scripts: {} },
      listener: 'http',
    });
    const client = await gateway.connect(FORMS);
    const asked = answer(client, 0);
    await client.tools();
    const told = await run(client, `await call('kid:${lookalike}')`);
    expect(told).toMatchObject({ questions: 0, error: expect.stringContaining('kid:we') });
    expect((await run(client, `await call('kid:weather')`)).error).toContain('declined');
    expect(asked).toHaveLength(1);
  });

  it('is not made for 10,000 calls, and never has more than 50', async () => {
    const { gateway, notes } = await noted({ calls: 120, computeMs: 60_000 });
    const client = await gateway.connect(FORMS);
    const asked = answer(client);
    await client.tools();
    const make = (how: string): Promise<Told> =>
      run(client, `const poke = (n) => tools.notes.poke({ n }); ${how}`);
    const flood = await make(
      'await Promise.all(Array.from({ length: 10_000 }, (_, n) => poke(n)))',
    );
    expect(flood).toMatchObject({ questions: 0, error: expect.stringMatching(/120 calls/) });
    const many = await make('await Promise.all(Array.from({ length: 115 }, (_, n) => poke(n)))');
    expect(asked.map((message) => shownIn(message).length)).toEqual([50, 50, 15]);
    expect(many).toMatchObject({ questions: 3 });
    expect(notes()).toEqual(asked.flatMap(shownIn));
    expect(notes()).toHaveLength(115);
    // A loop is asked about until it has made all the calls of a script.
    const loop = await make('for (let n = 0; n < 10_000; n++) await poke(n)');
    expect(loop).toMatchObject({ questions: 3, error: expect.stringMatching(/120 calls/) });
    expect(asked.slice(3).map((message) => shownIn(message).length)).toEqual([50, 50, 20]);
    expect(notes()).toHaveLength(115 + 120);
  });

  it('leaves the queue when its script is cancelled', async () => {
    const gateway = await startGateway({
      servers: { kid: plain() },
      settings: {
        scripts: {},
        annotations: { 'kid:echo': { preset: 'WRITE_DESTRUCTIVE' } },
        policy: { confirm: { whenClientCannotAsk: 'wait' } },
      },
      listener: 'http',
    });
    const client = await gateway.connect();
    await client.tools();
    const waiting = async () =>
      (await listApprovals(await findGateways({ config: gateway.config }))).length;
    const params = { code: 'await tools.kid.echo({})', purpose: 'Wait' };
    void client.request('tools/call', { name: 'callsign:run', arguments: params }, 'run');
    await eventually(async () => (await waiting()) === 1);
    client.notify('notifications/cancelled', { requestId: 'run' });
    await eventually(async () => (await waiting()) === 0);
  });
});

describe('scripts beside each other', () => {
  async function two(): Promise<{
    readonly gateway: GatewayProcess;
    readonly clients: readonly [RawClient, RawClient];
  }> {
    const keys = [createApiKey(), createApiKey()];
    const gateway = await startGateway({
      servers: { kid: plain() },
      settings: {
        scripts: {},
        annotations: {
          'kid:add': { preset: 'READ_ONLY_DEFAULT' },
          'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
        },
        auth: {
          keys: ['ada', 'bob'].map((name, i) => ({ name, hash: keys[i]!.hash, roles: ['all'] })),
        },
        roles: { all: { allow: ['*'] } },
      },
      listener: 'http',
    });
    const connect = (i: number) => gateway.connect({ ...FORMS, token: keys[i]!.key });
    return { gateway, clients: [await connect(0), await connect(1)] };
  }

  it('leave nothing to each other, and no caller reaches the script of another', async () => {
    const { clients } = await two();
    const [ada, bob] = clients;
    await Promise.all(clients.map((client) => client.tools()));
    const asked = answer(bob);
    const leave = `globalThis.secret = 'of ada'; Object.prototype.secret = 'of ada'; Array.prototype.secret = 'of ada';
      await tools.kid.add({ a: 1, b: 2 }); return 'of ada'`;
    const look = `await tools.kid.add({ a: 1, b: 2 });
      return [typeof secret, typeof ({}).secret, typeof [].secret, Object.keys(globalThis).length]`;
    const [left, found] = await Promise.all([run(ada, leave), run(bob, look)]);
    expect(left.result).toBe('of ada');
    for (const { result } of [found, await run(bob, look), await run(ada, look)])
      expect(result).toEqual(['undefined', 'undefined', 'undefined', 0]);
    const stolen = await bob.result('callsign:run', { resume: left.script });
    expect(stolen).toMatchObject({ isError: true });
    expect(JSON.stringify(stolen)).toContain(`There is no script ${left.script} of yours`);
    // While it waits for its own user, too.
    let resume: string | undefined;
    ada.on('notifications/progress', ({ message }) => {
      resume ??= /^Script ([\w-]+):/.exec(String(message))?.[1];
    });
    ada.on('elicitation/create', () => new Promise(() => undefined));
    const code = 'await tools.kid.add({ a: 1, b: 2 }); await tools.kid.echo({})';
    const params = { name: 'callsign:run', arguments: { code, purpose: 'Wait' } };
    void ada.request('tools/call', { ...params, _meta: { progressToken: 'p' } });
    await eventually(() => resume !== undefined && ada.count('elicitation/create') > 0);
    expect(JSON.stringify(await bob.result('callsign:run', { resume }))).toContain('no script');
    expect(asked).toEqual([]);
  });
});
