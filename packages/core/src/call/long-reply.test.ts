import { expect, it } from 'vitest';

import { longReply, longResultOf, sizeOfReply } from './long-reply.js';
import { outcomeOfReply } from './outcome.js';

const TEXT = '{"isError":true}';

it('a long reply makes a text of its bytes once, and only if it is needed', () => {
  let texts = 0;
  const text = (): string => {
    texts++;
    return TEXT;
  };
  const result = { bytes: new TextEncoder().encode(TEXT), text, isError: true };
  const reply = longReply(result);
  expect([outcomeOfReply(reply), sizeOfReply(reply)]).toEqual(['tool-error', TEXT.length]);
  expect(longResultOf(reply)).toBe(result);
  expect(texts).toBe(0);
  expect([reply.json, reply.json, texts]).toEqual([TEXT, TEXT, 1]);
});

it('a copy of a long reply with another result has other bytes', () => {
  const result = { bytes: new TextEncoder().encode(TEXT), text: () => TEXT, isError: true };
  const copy = { ...longReply(result), json: '{}' };
  expect(longResultOf(copy)).toBeUndefined();
  expect([outcomeOfReply(copy), sizeOfReply(copy)]).toEqual(['ok', 2]);
  expect(longReply(result)).toMatchObject({ ok: true, json: TEXT });
});
