import { describe, expect, it } from 'vitest';

import { resultSize } from './limit-modules.js';
import { guarded } from '@callsign/core/testing';

const LIMIT = 100;

async function ask(json: string) {
  const { server, send } = guarded([resultSize(() => LIMIT)]);
  const reply = send();
  (await server.next()).reply({ ok: true, json });
  return reply;
}

describe('a limit on the size of results', () => {
  it('lets a short result pass without counting', async () => {
    await expect(ask('"short"')).resolves.toEqual({ ok: true, json: '"short"' });
  });

  it.each([
    'a',
    'é',
    '€',
    '𝄞',
    'a€',
    // The first and the last of each length in UTF-8, and the neighbours of the surrogates.
    '\u007F',
    '\u0080',
    '\u07FF',
    '\u0800',
    '\uD7FF',
    '\uE000',
    '\u{10000}',
    '\u{103FF}',
    '\u{10FC00}',
    '\u{10FFFF}',
  ])('counts bytes, as in %j', async (letter) => {
    const bytes = Buffer.byteLength(letter);
    const fits = `"${letter.repeat(Math.floor((LIMIT - 2) / bytes))}"`;
    const tooLong = `"${letter.repeat(Math.floor((LIMIT - 2) / bytes) + 1)}"`;
    await expect(ask(fits)).resolves.toEqual({ ok: true, json: fits });
    await expect(ask(tooLong)).rejects.toMatchObject({
      code: 'result-too-large',
      details: { tool: 'server:tool', bytes: Buffer.byteLength(tooLong), limit: LIMIT },
    });
  });
});
