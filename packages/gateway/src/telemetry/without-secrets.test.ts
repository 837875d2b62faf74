import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { withoutSecrets } from './without-secrets.js';

describe('text without secrets', () => {
  it.each([
    ['{"password": "hunter2", "user": "ada"}', '{"password":"[redacted]", "user": "ada"}'],
    ['{\\"token\\":\\"abc\\"}', '{\\"token\\":\\"[redacted]\\"}'],
    ['{"client_secret":"a\\\\b"}', '{"client_secret":"[redacted]"}'],
    ['Authorization: Bearer abcdefghijkl', 'Authorization: [redacted]'],
    ['header x-api-key: 123 456', 'header x-api-key: [redacted]'],
    ['Set-Cookie: sid=1', 'Set-Cookie: [redacted]'],
    ['GET /?access_token=abcdef&x=1', 'GET /?access_token=[redacted]&x=1'],
    ['key sk-abcdefghijklmnop is wrong', 'key [redacted] is wrong'],
    ['https://ada:hunter2@example.com/x', 'https://[redacted]@example.com/x'],
  ])('%s', (text, safe) => {
    expect(withoutSecrets(text)).toBe(safe);
  });

  it.each([
    'Server "github" is not available: it is starting',
    'mcpServers.github.env.API_TOKEN: the variable GITHUB_TOKEN is not set',
    '{"path":"/srv/x","count":"3"}',
  ])('leaves alone what is none: %s', (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });

  it.each(['"token":"', '"a"', 'authorization:', 'token=', '\\"', '"password":"\\'])(
    'does not hang on very much of %s',
    (piece) => {
      withoutHanging(() => withoutSecrets(piece.repeat(200_000)));
    },
  );
});
