import { describe, expect, it } from 'vitest';

import { readMessage } from './message.js';
import { unreadable } from './unreadable.js';

describe('a text that is not a message', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":5}', 'answer', '5'],
    ['{"jsonrpc":"2.0","id":5,"id":5,"result":{"method":1}}', 'answer', '5'],
    ['{"jsonrpc":"2.0","id":5,"result":{"half":', 'answer', '5'],
    ['{"jsonrpc":"2.0","id":"a","method":{"x":1}}', 'request', '"a"'],
    ['{"id":1,"method":"m","params":{},"params":{}}', 'request', '1'],
    ['{"jsonrpc":"2.0","id":null}', undefined, undefined],
    ['{"method":5}', undefined, undefined],
    ['{}', undefined, undefined],
    ['ping', undefined, undefined],
  ] as const)('%s: %s', (text, is, id) => {
    expect(readMessage(text)).toBeUndefined();
    expect(unreadable(text)).toEqual({ is, id });
  });
});
