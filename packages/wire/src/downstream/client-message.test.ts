import { describe, expect, it } from 'vitest';

import { longEnds } from '../rpc/message/message-order.js';
import { readClientMessage } from './client-message.js';

const NEST = '['.repeat(2_000_000) + ']'.repeat(2_000_000);
const KEYS = Array.from({ length: 300_000 }, (_, n) => `"k${n.toString(36)}":1`).join(',');
const DEEP = 'Invalid Request: it is nested more than 512 levels deep';
const MANY = 'Invalid Request: it, "params" or "_meta" has more than 1000 members';

/** A call with these parameters, or with these members after them. */
function callWith(params: string, more = ''): string {
  return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a"${params}}${more}}`;
}

describe('a message beyond a limit', () => {
  it.each([
    ['nested arguments', callWith(`,"arguments":${NEST}`), DEEP],
    ['nested parameters', callWith(`,"x":${NEST}`), DEEP],
    ['many parameters', callWith(`,${KEYS}`), MANY],
    ['many entries of _meta', callWith(`,"_meta":{${KEYS}}`), MANY],
    ['many members', callWith('', `,${KEYS}`), MANY],
  ])('is refused as soon as that is known, with its id: %s (W3)', async (_, text, message) => {
    const refused = { code: -32600, message, id: '7' };
    expect(readClientMessage(text, await longEnds(text))).toMatchObject(refused);
    expect(readClientMessage(text)).toMatchObject(refused);
  });

  it('may have arguments of any number', async () => {
    const text = callWith(`,"arguments":{${KEYS}}`);
    const message = readClientMessage(text, await longEnds(text));
    expect(message).toMatchObject({
      id: '7',
      argumentsEnd: `{"name":"a","arguments":{${KEYS}}`.length,
    });
  });
});
