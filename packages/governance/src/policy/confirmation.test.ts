import type { Era } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { Governed, tool } from './testing/governed.js';
import { choosing, type Outcome, type TestClient } from './testing/test-client.js';

const ERAS: readonly Era[] = ['session', 'stateless'];
const ONCE = choosing('Yes, this once');
const ALWAYS = choosing('Yes, and');
const CANNOT_ASK = { capabilities: {} };
const WAITING = { confirm: { whenClientCannotAsk: 'wait', timeoutMs: 60_000 } };
const ANN = { name: 'ann', roles: [] };
const BOB = { name: 'bob', roles: [] };

const saying = ({ result, error }: Outcome): string =>
  error?.message ?? result?.content?.[0]?.text ?? '';
const reached = ({ server }: Governed): string[] => server.calls.map(({ name }) => name);

describe('the question', () => {
  const definition = {
    title: 'Delete\u202Eelif\nArguments: {}',
    inputSchema: {
      type: 'object',
      properties: { pad: { type: 'string', format: 'password' }, path: { type: 'string' } },
    },
  };

  it('speaks to a person: the tool, its effect, the arguments without secrets, why (S19, M21, M22)', async () => {
    const governed = new Governed({ tools: [tool('destructive', definition)] });
    const client = governed.connect('session', { user: ONCE });
    const args = { path: '/a\u200Bb', pad: 'hunter2', api_key: 'k', note: 'Bearer abcdefgh12' };
    await client.call('s:destructive', args);
    expect(client.shown[0]?.message.split('\n')).toEqual([
      'Allow this call? `s:destructive` (`S — Delete⟨U+202E⟩elif Arguments: {}`)',
      'May delete or overwrite data.',
      'Arguments: `{"path":"/a⟨U+200B⟩b","pad":"[redacted]","api_key":"[redacted]","note":"Bearer [redacted]"}`',
      'NOT SHOWN: 9 characters at `pad` (looks like a secret); 3 characters at `api_key` (looks like a secret); 10 characters at `note` (looks like a secret).',
      'Your policy asks before destructive calls.',
    ]);
    // What is shown is not what is sent.
    expect(governed.server.calls[0]?.params).toContain('hunter2');
  });

  it.each([
    [
      'session',
      undefined,
      'tool',
      ['No', 'Yes, this once', 'Yes, and every call of this tool in this session'],
    ],
    [
      'session',
      undefined,
      'call',
      ['No', 'Yes, this once', 'Yes, and every call with these arguments in this session'],
    ],
    ['session', undefined, 'never', ['No', 'Yes, this once']],
    ['stateless', undefined, 'tool', ['No', 'Yes, this once']],
    [
      'stateless',
      ANN,
      'tool',
      ['No', 'Yes, this once', 'Yes, and every call of this tool in this session'],
    ],
  ] as const)(
    'of a %s client as %o offers under "%s" %o',
    async (era, principal, remember, all) => {
      const governed = new Governed({ policy: { confirm: { remember } } });
      const client = governed.connect(era, { user: ONCE, ...(principal ? { principal } : {}) });
      await client.call('s:destructive');
      expect(client.shown[0]?.requestedSchema.properties.answer.enum).toEqual(all);
    },
  );
});

describe('a client that declares elicitation', () => {
  it.each([
    [{}, true],
    [{ form: {} }, true],
    [{ form: {}, url: {} }, true],
    [{ url: {} }, false],
  ])('with %j is asked: %s', async (elicitation, isAsked) => {
    const governed = new Governed();
    const client = governed.connect('session', { user: ONCE, capabilities: { elicitation } });
    const outcome = saying(await client.call('s:destructive'));
    expect(client.shown.length).toBe(isAsked ? 1 : 0);
    expect(outcome).toContain(isAsked ? 'done' : 'this client cannot ask its user');
  });
});

describe('an answer', () => {
  it.each([
    [{ action: 'decline' }, 'the user declined'],
    [{ action: 'cancel' }, 'the user dismissed the question'],
    [{ action: 'accept', content: { answer: 'No' } }, 'the user declined'],
    [{ action: 'accept' }, 'the answer is not one of the choices'],
    [{ action: 'accept', content: null }, 'the answer is not one of the choices'],
    [{ action: 'accept', content: { answer: 'yes' } }, 'the answer is not one of the choices'],
    [
      { action: 'other', content: { answer: 'Yes, this once' } },
      'the answer is not one of the choices',
    ],
  ])('%j is a no: %s', async (answer, reason) => {
    const governed = new Governed();
    const client = governed.connect('session', { user: () => answer });
    expect(saying(await client.call('s:destructive'))).toContain(`not approved: ${reason}`);
    expect(reached(governed)).toEqual([]);
  });
});

describe('a call that waits for its user', () => {
  const policy = { confirm: { timeoutMs: 5_000 } };

  it('is refused when time is up', async () => {
    const governed = new Governed({ policy });
    const client = governed.connect('session');
    const asked = client.asked();
    const outcome = client.call('s:destructive');
    await asked;
    governed.clock.pass(5_000);
    expect(saying(await outcome)).toContain('not approved: the user did not answer within 5 s');
    expect(reached(governed)).toEqual([]);
  });

  it('is refused when the time is up between two requests, with any second request', async () => {
    const governed = new Governed({ policy });
    const client = governed.connect('stateless');
    const asked = await client.request('tools/call', { name: 's:destructive' });
    const { requestState } = asked.result!;
    governed.clock.pass(5_000);
    await client.request('tools/list', {});
    const inputResponses = { q1: { action: 'accept', content: { answer: 'Yes, this once' } } };
    const late = await client.call('s:destructive', undefined, { requestState, inputResponses });
    expect(saying(late)).toContain('not approved: the user did not answer within 5 s');
    expect(reached(governed)).toEqual([]);
  });

  it('is not made when its client disconnects', async () => {
    const governed = new Governed();
    const client = governed.connect('session');
    const asked = client.asked();
    void client.call('s:destructive');
    await asked;
    client.close();
    await expect.poll(() => governed.clock.pending).toBe(0);
    expect(reached(governed)).toEqual([]);
  });

  it('is not made when its client does not come back with the answer', async () => {
    const governed = new Governed({ policy });
    const client = governed.connect('stateless');
    await client.request('tools/call', { name: 's:destructive' });
    client.close();
    governed.clock.pass(5_000);
    expect([governed.clock.pending, reached(governed)]).toEqual([0, []]);
  });
});

describe('a call that its client cancels while the user is asked', () => {
  it('is not made, and nothing is left behind', async () => {
    const governed = new Governed();
    const client = governed.connect('session');
    await client.request('ping', {});
    const asked = client.asked();
    const { id } = client.send('tools/call', { name: 's:destructive' });
    await asked;
    expect(governed.clock.pending).toBe(1);
    client.cancel(id);
    await expect.poll(() => governed.clock.pending).toBe(0);
    expect(reached(governed)).toEqual([]);
  });
});

describe('a yes', () => {
  it('for one call is needed again for the next', async () => {
    const governed = new Governed();
    const client = governed.connect('session', { user: ONCE });
    await client.call('s:destructive');
    await client.call('s:destructive');
    expect([client.shown.length, governed.server.calls.length]).toEqual([2, 2]);
  });

  it('for the tool applies to any arguments in this session, and to no other tool', async () => {
    const governed = new Governed({ policy: { write: 'confirm' } });
    const client = governed.connect('session', { user: ALWAYS });
    await client.call('s:destructive', { a: 1 });
    client.user = choosing('No');
    expect(saying(await client.call('s:destructive', { a: 2 }))).toBe('done');
    expect(saying(await client.call('s:write'))).toContain('was not approved');
    const other = governed.connect('session', { user: choosing('No') });
    expect(saying(await other.call('s:destructive', { a: 1 }))).toContain('was not approved');
  });

  it('for the call applies to the same arguments only', async () => {
    const governed = new Governed({ policy: { confirm: { remember: 'call' } } });
    const client = governed.connect('session', { user: ALWAYS });
    await client.call('s:destructive', { a: 1 });
    client.user = choosing('No');
    expect(saying(await client.call('s:destructive', { a: 1 }))).toBe('done');
    expect(saying(await client.call('s:destructive', { a: 2 }))).toContain('was not approved');
  });

  it('is forgotten when the server changes the tool’s definition', async () => {
    const governed = new Governed();
    const client = governed.connect('session', { user: ALWAYS });
    await client.call('s:destructive');
    client.user = choosing('No');
    governed.server.offers([tool('destructive')]);
    expect(saying(await client.call('s:destructive'))).toBe('done');
    governed.server.offers([tool('destructive', { description: 'Now it does something else.' })]);
    expect(saying(await client.call('s:destructive'))).toContain('was not approved');
  });

  it('of a person applies to all requests of that person for an hour', async () => {
    const governed = new Governed();
    const client = governed.connect('stateless', { user: ALWAYS, principal: ANN });
    await client.call('s:destructive');
    client.user = choosing('No');
    expect(saying(await client.call('s:destructive'))).toBe('done');
    const bob = governed.connect('stateless', { user: choosing('No'), principal: BOB });
    expect(saying(await bob.call('s:destructive'))).toContain('was not approved');
    const elsewhere = { user: choosing('No'), principal: ANN, name: 'another client' };
    const ann = governed.connect('stateless', elsewhere);
    expect(saying(await ann.call('s:destructive'))).toContain('was not approved');
    governed.clock.pass(60 * 60 * 1000);
    expect(saying(await client.call('s:destructive'))).toContain('was not approved');
  });

  it('that was not offered counts as a no', async () => {
    const governed = new Governed({ policy: { confirm: { remember: 'never' } } });
    const answer = 'Yes, and every call of this tool in this session';
    const user = () => ({ action: 'accept', content: { answer } });
    const outcome = await governed.connect('session', { user }).call('s:destructive');
    expect(saying(outcome)).toContain('the answer is not one of the choices');
  });
});

describe('a call that continues after a question of its server', () => {
  const more = { resultType: 'input_required', inputRequests: {}, requestState: 'step-2' };
  const resumed = { requestState: 'step-2', inputResponses: {} };

  /** A server that asks once, and a call that was approved up to there. */
  async function begun(): Promise<{ governed: Governed; client: TestClient }> {
    const governed = new Governed();
    governed.server.answer = () => (governed.server.calls.length % 2 === 1 ? more : DONE);
    const client = governed.connect('stateless', { user: ONCE });
    const first = { name: 's:destructive', arguments: { a: 1 } };
    const { result } = await client.request('tools/call', first);
    const { requestState } = result!;
    const inputResponses = { q1: { action: 'accept', content: { answer: 'Yes, this once' } } };
    const second = await client.request('tools/call', { ...first, inputResponses, requestState });
    expect(second.result).toMatchObject(more);
    client.user = choosing('No');
    return { governed, client };
  }
  const DONE = { content: [{ type: 'text', text: 'done' }] };

  it('is not asked about again', async () => {
    const { governed, client } = await begun();
    expect(saying(await client.call('s:destructive', { a: 1 }, resumed))).toBe('done');
    expect(client.shown).toEqual([]);
    expect(reached(governed)).toEqual(['s:destructive', 's:destructive']);
  });

  it('is asked about again if it continues a second time', async () => {
    const { client } = await begun();
    await client.call('s:destructive', { a: 1 }, resumed);
    expect(saying(await client.call('s:destructive', { a: 1 }, resumed))).toContain('not approved');
  });

  it.each([
    ['other arguments', { a: 2 }, resumed, 0],
    ['another state', { a: 1 }, { ...resumed, requestState: 'step-3' }, 0],
    ['no state', { a: 1 }, {}, 0],
    ['no state but answers', { a: 1 }, { inputResponses: {} }, 0],
    ['its state, too late', { a: 1 }, resumed, 10 * 60 * 1000],
  ])('is asked about with %s', async (_, args, members, later) => {
    const { governed, client } = await begun();
    governed.clock.pass(later);
    expect(saying(await client.call('s:destructive', args, members))).toContain('not approved');
    expect(governed.server.calls.length).toBe(1);
  });

  it('is asked about if another client sends its state', async () => {
    const { governed } = await begun();
    const other = governed.connect('stateless', { user: choosing('No'), principal: BOB });
    expect(saying(await other.call('s:destructive', { a: 1 }, resumed))).toContain('not approved');
  });

  it('is asked about if the state belongs to a call that was not confirmed', async () => {
    const governed = new Governed({
      policy: { rules: [{ when: 'args.a == 2', decision: 'allow' }] },
    });
    governed.server.answer = () => more;
    const client = governed.connect('stateless', { user: choosing('No') });
    await client.request('tools/call', { name: 's:destructive', arguments: { a: 2 } });
    expect(saying(await client.call('s:destructive', { a: 1 }, resumed))).toContain('not approved');
  });
});

describe('a call whose client cannot ask', () => {
  it.each(ERAS)(
    'waits for the operator in the %s era, and is made after the approval',
    async (era) => {
      const governed = new Governed({ policy: WAITING });
      const client = governed.connect(era, { ...CANNOT_ASK, principal: ANN, name: 'curl' });
      const outcome = client.call('s:destructive', {
        token: 't',
        id: 9007199254740993n.toString(),
      });
      await expect.poll(() => governed.approvals.pending.length).toBe(1);
      const [pending] = governed.approvals.pending;
      expect(pending).toMatchObject({
        tool: 's:destructive',
        arguments: '{"token":"[redacted]","id":"9007199254740993"}',
        caller: { name: 'ann', client: 'curl' },
        remainingMs: 60_000,
      });
      expect(reached(governed)).toEqual([]);
      governed.approvals.decide(pending!.id, { approve: true });
      expect(saying(await outcome)).toBe('done');
      expect(governed.server.calls[0]?.context.verdict?.rule).toContain('approved by the operator');
    },
  );

  it('V5: can be shown whole, with a list of the secrets', async () => {
    const marked = { inputSchema: { properties: { command: { writeOnly: true } } } };
    const governed = new Governed({ policy: WAITING, tools: [tool('destructive', marked)] });
    const key = 'k'.repeat(1_000);
    const deep = `${'['.repeat(100)}1${']'.repeat(100)}`;
    const args = { [key]: JSON.parse(deep) as unknown, command: { a: 'rm -rf /' } };
    const outcome = governed.connect('session', CANNOT_ASK).call('s:destructive', args);
    await expect.poll(() => governed.approvals.pending.length).toBe(1);
    const { id } = governed.approvals.pending[0]!;
    expect(governed.approvals.whole(id)).toMatchObject({
      arguments: `{"${key}":${deep},"command":"[redacted]"}`,
      hidden: [{ at: 'command', characters: 16, because: 'secret' }],
    });
    governed.approvals.decide(id, { approve: false });
    await outcome;
  });

  it('is refused when the operator denies it, with the reason', async () => {
    const governed = new Governed({ policy: WAITING });
    const outcome = governed.connect('session', CANNOT_ASK).call('s:destructive');
    await expect.poll(() => governed.approvals.pending.length).toBe(1);
    const { id } = governed.approvals.pending[0]!;
    governed.approvals.decide(id, { approve: false, reason: 'not on Fridays' });
    expect(saying(await outcome)).toContain('the operator denied it: not on Fridays');
    expect(reached(governed)).toEqual([]);
  });

  it('is refused when the operator does not answer', async () => {
    const governed = new Governed({ policy: WAITING });
    const outcome = governed.connect('session', CANNOT_ASK).call('s:destructive');
    await expect.poll(() => governed.approvals.pending.length).toBe(1);
    governed.clock.pass(60_000);
    expect(saying(await outcome)).toContain('the operator did not answer within 60 s');
    expect(governed.approvals.pending).toEqual([]);
  });

  it.each(ERAS)('leaves the list when the %s client cancels it', async (era) => {
    const governed = new Governed({ policy: WAITING });
    const client = governed.connect(era, CANNOT_ASK);
    if (era === 'session') await client.request('ping', {});
    const { id } = client.send('tools/call', { name: 's:destructive' });
    await expect.poll(() => governed.approvals.pending.length).toBe(1);
    client.cancel(id);
    await expect.poll(() => governed.approvals.pending.length).toBe(0);
    expect(reached(governed)).toEqual([]);
  });

  it('can be approved for the rest of its session', async () => {
    const governed = new Governed({ policy: WAITING });
    const client = governed.connect('session', CANNOT_ASK);
    const outcome = client.call('s:destructive', { a: 1 });
    await expect.poll(() => governed.approvals.pending.length).toBe(1);
    governed.approvals.decide(governed.approvals.pending[0]!.id, { approve: true, scope: 'tool' });
    await outcome;
    expect(saying(await client.call('s:destructive', { a: 2 }))).toBe('done');
  });
});

describe('arguments that a person cannot judge', () => {
  const MOST = 256 * 1024;
  const sized = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) });

  it('are refused before anyone is asked', async () => {
    const governed = new Governed();
    const client = governed.connect('session', { user: ALWAYS });
    const refused = saying(await client.call('s:destructive', sized(MOST + 1)));
    expect(refused).toContain('its arguments have 262145 characters');
    expect([client.shown, governed.server.calls]).toEqual([[], []]);
    expect(saying(await client.call('s:destructive', sized(MOST)))).toBe('done');
    // After a yes for the tool no person has to judge them.
    expect(saying(await client.call('s:destructive', sized(MOST + 1)))).toBe('done');
  });

  it('are refused if they have very many keys, even after a yes for the tool', async () => {
    const governed = new Governed();
    const client = governed.connect('session', { user: ALWAYS });
    await client.call('s:destructive');
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`k${i}`, 0]));
    const refused = saying(await client.call('s:destructive', many));
    expect(refused).toContain('its arguments are not clear: there are more than 10000 keys');
  });
});

describe('arguments that parsers read differently', () => {
  it.each([
    [
      'a key twice',
      '"arguments":{"path":"/etc","path":"/tmp"}',
      'its arguments are not clear: one key occurs twice',
    ],
    [
      'a key twice, deep down',
      '"arguments":{"a":[{"b":1,"\\u0062":2}]}',
      'its arguments are not clear: one key occurs twice',
    ],
    [
      'a key twice, once shouting',
      '"arguments":{"path":1,"Path":2}',
      'its arguments are not clear: two keys differ only in case',
    ],
    ['no object', '"arguments":[1]', 'arguments must be an object'],
  ])('are not shown to anyone: %s', async (_, member, reason) => {
    const governed = new Governed();
    const client = governed.connect('session', { user: ONCE });
    await client.request('ping', {});
    const { sent } = client.sendRaw(
      `"method":"tools/call","params":{"name":"s:destructive",${member}}`,
    );
    expect(saying(await sent)).toContain(reason);
    expect([client.shown.length, governed.server.calls.length]).toEqual([0, 0]);
  });

  it.each([
    '"arguments":{"a":1},"arguments":{"a":2}',
    '"arguments":{"a":1},"Arguments":{"a":2}',
    '"ARGUMENTS":{"a":2}',
  ])('are refused as a message: %s', async (member) => {
    const governed = new Governed();
    const client = governed.connect('session', { user: ONCE });
    await client.request('ping', {});
    client.sendRaw(`"method":"tools/call","params":{"name":"s:destructive",${member}}`);
    await client.request('ping', {});
    expect([client.shown.length, governed.server.calls.length]).toEqual([0, 0]);
  });
});

it('shows keys that differ in case, where no server confuses them', async () => {
  const governed = new Governed();
  const client = governed.connect('session', { user: ONCE });
  await client.call('s:destructive', { env: { http_proxy: 'a', HTTP_PROXY: 'b' } });
  expect(client.shown[0]?.message).toContain('{"env":{"http_proxy":"a","HTTP_PROXY":"b"}}');
});

describe('a reload', () => {
  it('while the user is asked applies to the call: a call that is denied now is not made', async () => {
    const governed = new Governed();
    const client = governed.connect('session');
    for (const [policy, sentence] of [
      [{ destructive: 'deny' }, 'The policy does not allow'],
      [{ destructive: 'dry-run' }, 'was not called'],
      [{ destructive: 'allow' }, 'done'],
    ] as const) {
      governed.adopt({});
      client.user = (form) => {
        governed.adopt(policy);
        return ONCE(form);
      };
      expect(saying(await client.call('s:destructive'))).toContain(sentence);
    }
    expect(governed.server.calls.length).toBe(1);
  });

  it('while the user is asked does not ask twice if a confirmation is still enough', async () => {
    const governed = new Governed();
    const client = governed.connect('session');
    client.user = (form) => {
      governed.adopt({ write: 'deny' });
      return ONCE(form);
    };
    expect(saying(await client.call('s:destructive'))).toBe('done');
    expect(client.shown.length).toBe(1);
  });

  it('keeps approvals of the session, as far as they may still be remembered', async () => {
    const governed = new Governed();
    const client = governed.connect('session', { user: ALWAYS });
    await client.call('s:destructive');
    client.user = choosing('No');
    governed.adopt({ write: 'deny' });
    expect(saying(await client.call('s:destructive'))).toBe('done');
    for (const remember of ['call', 'never']) {
      governed.adopt({ confirm: { remember } });
      expect(saying(await client.call('s:destructive'))).toContain('not approved');
    }
  });
});

it('notes for the record who approved', async () => {
  const governed = new Governed();
  await governed.connect('session', { user: ONCE }).call('s:destructive');
  expect(governed.server.calls[0]?.context.verdict).toEqual({
    decision: 'confirm',
    rule: 'policy.destructive is "confirm"; approved by the user',
  });
});
