import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { startGateway } from '../gateway-process.js';
import type { Message } from './raw-client.js';

const PUPPET = {
  command: process.execPath,
  args: [join(ROOT, 'test', 'e2e', 'lifecycle', 'puppet-child.mjs')],
};
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** What no client could make sense of. */
const BROKEN = [
  '"result":null',
  '"result":5',
  '"result":"text"',
  '"result":[]',
  '"error":null',
  '"error":"text"',
  '"error":{}',
  '"error":[]',
  '"error":{"code":"1","message":5}',
];
/** What is odd, and yet an answer. */
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

const answerLine = (members: string): string => `{"jsonrpc":"2.0","id":ID,${members}}`;
const isWhole = ({ result, error }: Message): boolean =>
  (typeof result === 'object' && result !== null && !Array.isArray(result)) ||
  (Number.isInteger(error?.code) && typeof error?.message === 'string');

describe('odd answers of a child', () => {
  it.each([
    ['session', {}],
    ['stateless', { _meta: ENVELOPE }],
  ])(
    'and odd notes before them end no gateway, and leave no client of the %s era waiting',
    async (_era, more) => {
      const gateway = await startGateway({ servers: { puppet: PUPPET } });
      const client = await gateway.connect({ capabilities: { elicitation: {}, sampling: {} } });
      await client.tools();
      const call = (lines: readonly string[]): Promise<Message> =>
        client.call('puppet:puppet', { write: lines }, more);
      for (const members of BROKEN) {
        const { error } = await call([answerLine(members)]);
        expect(error?.message).toBe('Server "puppet" answered with neither a result nor an error.');
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
});
