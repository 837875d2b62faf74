import { describe, expect, it } from 'vitest';

import { checkedForSecrets } from './secret-results.js';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

describe('secrets in a result', () => {
  it('are masked, and all other characters stay the same', () => {
    const json =
      `{"content":[{"type":"text", "text":"use ${TOKEN} now"}],` +
      `"structuredContent":{ "big":12345678901234567890, "password":"hunter22", "n":1.10 }}`;
    const { json: masked, count } = checkedForSecrets(json);
    expect(count).toBe(2);
    expect(masked).toBe(
      `{"content":[{"type":"text", "text":"use [redacted] now"}],` +
        `"structuredContent":{ "big":12345678901234567890, "password":"[redacted]", "n":1.10 }}`,
    );
  });

  it('are not looked for in images and files', () => {
    const image = { type: 'image', mimeType: 'image/png', data: TOKEN };
    const file = { type: 'resource', resource: { uri: 'file:///a', blob: TOKEN } };
    const message = { role: 'user', content: image };
    for (const result of [
      { content: [image, file] },
      { contents: [{ uri: 'file:///a', blob: TOKEN }] },
      { messages: [message] },
    ]) {
      const json = JSON.stringify(result);
      expect(checkedForSecrets(json)).toEqual({ json, count: 0 });
    }
  });

  it('are masked in errors and in keys too', () => {
    expect(checkedForSecrets(JSON.stringify({ code: 1, message: TOKEN })).json).toBe(
      '{"code":1,"message":"[redacted]"}',
    );
    expect(checkedForSecrets(JSON.stringify({ [TOKEN]: 1 })).json).toBe('{"[redacted]":1}');
  });
});
