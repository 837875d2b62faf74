import { describe, expect, it } from 'vitest';

import { createBase64Redactor } from './base64-values.js';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

describe('a known secret in base64', () => {
  const secrets = ['correct-horse', 'ÿÿ>>??ÿÿ>>', 'пароль', '\uD800 half a pair'];
  const redact = createBase64Redactor(secrets);

  it.each(['correct-horse', 'ÿÿ>>??ÿÿ>>', 'пароль'])(
    '%s is hidden with any text around it',
    (secret) => {
      for (const before of ['', 'a', 'ab', 'abc', 'user:']) {
        for (const after of ['', 'z', 'zy', ':more']) {
          const encoded = base64(before + secret + after);
          expect(redact(`sent Basic ${encoded}, "${encoded}"`)).toBe(
            'sent Basic [redacted], "[redacted]"',
          );
          const forUrls = Buffer.from(before + secret + after).toString('base64url');
          expect(redact(`?a=${forUrls}&b`)).toBe('?a=[redacted]&b');
        }
      }
    },
  );

  it('leaves other text as it is', () => {
    const text = `connecting to /usr/lib/x with ${base64('another value of the same kind')}`;
    expect(redact(text)).toBe(text);
    expect(createBase64Redactor([])(text)).toBe(text);
    expect(createBase64Redactor(['', 'ab'])(text)).toBe(text);
  });

  it('is searched in linear time', () => {
    const text = base64('correct-horsXYZ').repeat(20_000);
    expect(redact(text) === text).toBe(true);
    expect(redact(`${text}${base64('correct-horse')}`)).toBe('[redacted]');
  });
});
