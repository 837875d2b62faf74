import { describe, expect, it } from 'vitest';

import { BadMessage } from '../client-message.js';
import { readPosted } from './streamable-http.js';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

function methodsIn(text: string): readonly string[] | undefined {
  const posted = readPosted({ text });
  return posted instanceof BadMessage
    ? undefined
    : posted.messages.map(({ method }) => method ?? '');
}

describe('a posted text', () => {
  it('is one message or a batch', () => {
    expect(methodsIn(PING)).toEqual(['ping']);
    expect(methodsIn(` [${PING},${PING}]`)).toEqual(['ping', 'ping']);
    expect(readPosted({ text: `[${PING}]` })).toMatchObject({ isBatch: true });
  });

  it('may begin with a byte order mark', () => {
    expect(methodsIn(`\uFEFF${PING}`)).toEqual(['ping']);
    expect(methodsIn(`\uFEFF [${PING}]`)).toEqual(['ping']);
  });

  it('is refused after two marks, or without a message', () => {
    for (const text of [`\uFEFF\uFEFF${PING}`, `\uFEFF\uFEFF[${PING}]`, '', '[]', '\uFEFF']) {
      expect(methodsIn(text)).toBeUndefined();
    }
  });
});
