import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { startGateway } from '../gateway-process.js';
import type { Message } from './raw-client.js';
import { ENVELOPE } from '../stateless-envelope.js';

const PUPPET = {
  command: process.execPath,
  args: [join(ROOT, 'test', 'e2e', 'lifecycle', 'puppet-child.mjs')],
};
/** Answers that no client could read. */
const BROKEN = [
  '"result":null',
  '"result":5',
  '"result":"text"',
  '"result":[]',
  '"error":null',
  '"error":""',
  '"error":{}',
  '"error":{"code":1}',
  '"error":{"message":text}',
  '"error":[]',
  '"error":{"code":"1","message":5}',
];
/** Errors without a valid number, whose words are kept. */
const WORDED: readonly (readonly [string, object])[] = [
  ['"error":"text"', { code: -32000, message: 'text' }],
  ['"error":{"message":"text"}', { code: -32000, message: 'text' }],
  [
    '"error":{"code":"EFAIL","message":"text","data":[1]}',
    { code: -32000, message: 'text', data: [1] },
  ],
];
/** Unusual but valid answers. */
const ODD = [
  '"result":{}',
  '"result":{"_meta":5}',
  '"result":{"_meta":null,"content":[]}',
  '"result":{"resultType":5}',
];
const NOTES = [
  '"method":"notifications/progress","params":null',
  '"method":"notifications/progress","params":{"progressToken":{}}',
  '"method":"notifications/progress","params":[1]',
  '"method":"notifications/resources/updated","params":{"uri":5}',
  '"method":"notifications/resources/updated","params":[]',
  '"method":"notifications/message","params":7',
  '"method":"notifications/message","params":{"level":9}',
  '"method":"notifications/tools/list_changed","params":"x"',
  '"method":"notifications/cancelled","params":{"requestId":"nobody"}',
  '"id":"q","method":"elicitation/create"',
  '"id":{},"method":"sampling/createMessage","params":null',
  '"id":1.5,"method":"nothing/known","params":[]',
  '"id":null,"method":"ping"',
].map((members) => `{"jsonrpc":"2.0",${members}}`);

/** Unreadable answers whose request is known. */
const DEEP = `{"deep":${'['.repeat(1_000)}${']'.repeat(1_000)}}`;
const UNREADABLE = [
  `{"jsonrpc":"2.0","id":ID,"result":${DEEP}}`,
  `{"result":${DEEP},"jsonrpc":"2.0","id":ID}`,
  '{"jsonrpc":"2.0","id":ID,"result":{"half":',
  '{"jsonrpc":"2.0","id":ID,"result":{},"result":{}}',
  '{"jsonrpc":"2.0","id":ID}',
  '{"jsonrpc":"2.0","id":ID,"id":ID,"result":{}}',
];

const answerLine = (members: string): string => `{"jsonrpc":"2.0","id":ID,${members}}`;
const isWhole = ({ result, error }: Message): boolean =>
  (typeof result === 'object' && result !== null && !Array.isArray(result)) ||
  (Number.isInteger(error?.code) && typeof error?.message === 'string');

describe('odd answers of a child', () => {
  it.each([
    ['session', {}],
    ['stateless', { _meta: ENVELOPE }],
  ])(
    'and odd notifications do not end the gateway, and leave no client of the %s era waiting',
    async (_era, more) => {
      const gateway = await startGateway({ servers: { puppet: PUPPET } });
      const client = await gateway.connect({ capabilities: { elicitation: {}, sampling: {} } });
      await client.tools();
      const call = (lines: readonly string[]): Promise<Message> =>
        client.call('puppet:puppet', { write: lines }, more);
      for (const members of BROKEN) {
        const { error } = await call([answerLine(members)]);
        expect(error).toMatchObject({ code: -32603, data: { code: 'answer-unreadable' } });
      }
      for (const [members, expected] of WORDED) {
        expect((await call([answerLine(members)])).error).toEqual(expected);
      }
      for (const line of UNREADABLE) {
        const { error } = await call([line]);
        expect(error).toMatchObject({ code: -32603, data: { code: 'answer-unreadable' } });
      }
      for (const members of ODD)
        expect(isWhole(await call([...NOTES, answerLine(members)]))).toBe(true);
      expect(
        (await call([answerLine('"error":{"code":7,"message":"own","data":[1]}')])).error,
      ).toEqual({
        code: 7,
        message: 'own',
        data: [1],
      });
      expect(gateway.stderr).toBe('');
    },
  );

  it.each([
    ['session', {}],
    ['stateless', { _meta: ENVELOPE }],
  ])('to requests that were not made yet answer none, in the %s era (G6)', async (_era, more) => {
    const gateway = await startGateway({ servers: { puppet: PUPPET } });
    const client = await gateway.connect();
    await client.tools();
    const early = '{"jsonrpc":"2.0","id":NEXT,"result":{"n":"early"}}';
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        client.call('puppet:puppet', { write: [answerLine(`"result":{"n":${n}}`), early] }, more),
      ),
    );
    expect(answers.map(({ result }) => result?.['n'])).toEqual(answers.map((_, n) => n));
  });

  it('may spell the id and the progress token in another way', async () => {
    const gateway = await startGateway({ servers: { puppet: PUPPET } });
    const client = await gateway.connect();
    await client.tools();
    for (const id of ['"ID"', 'ID.0', 'IDe0']) {
      const params = `{"progressToken":${id},"progress":1}`;
      const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`;
      const answer = `{"jsonrpc":"2.0","id":${id},"result":{"ok":1}}`;
      const meta = { _meta: { progressToken: id } };
      const { result } = await client.call('puppet:puppet', { write: [progress, answer] }, meta);
      expect(result).toEqual({ ok: 1 });
      const { params: heard } = client.received.at(-1)!;
      expect(heard).toEqual({ progressToken: id, progress: 1 });
    }
  });

  it('that are too long fail only their call, and other answers arrive', async () => {
    const settings = { limits: { maxMessageBytes: 100_000 } };
    const gateway = await startGateway({ servers: { puppet: PUPPET }, settings });
    const client = await gateway.connect();
    await client.tools();
    const long = '{"result":{"text":"LONG"},"jsonrpc":"2.0","id":ID}';
    const refused = await client.call('puppet:puppet', { write: [long] });
    expect(refused.error).toMatchObject({
      code: -32000,
      data: { code: 'result-too-large', tool: 'puppet:puppet', limit: 100_000 },
    });
    const fine = await client.call('puppet:puppet', { write: [answerLine('"result":{"ok":1}')] });
    expect(fine.result).toEqual({ ok: 1 });
    const tooMuch = await client.call('puppet:puppet', { write: ['x'.repeat(100_000)] });
    expect(tooMuch.error?.message).toBe('Invalid Request: a message may have at most 100000 bytes');
    expect(gateway.stderr).toBe('');
  });
});
