import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { redact } from './redact.js';

const clean = (text: string, environment = {}) => redact(text, environment);

describe('redact', () => {
  it.each([
    ['Authorization: Bearer abc.def.ghi', 'Authorization: [redacted]'],
    ['{"authorization":"ApiKey ldpat_00ff"}', '{"authorization":"[redacted]"}'],
    ['Proxy-Authorization: Basic dXNlcjpwYXNz', 'Proxy-Authorization: [redacted]'],
    ['Cookie: session=abc; theme=dark', 'Cookie: [redacted]'],
    ['X-Api-Key: 12345', 'X-Api-Key: [redacted]'],
    ['sent Bearer a1b2c3d4e5', 'sent Bearer [redacted]'],
    ['https://ada:hunter2@db.example/x', 'https://[redacted]@db.example/x'],
    ['https://ada:p@ss@db.example?to=a@b', 'https://[redacted]@db.example?to=a@b'],
    ['postgres://ada@db.example/x', 'postgres://[redacted]@db.example/x'],
    ['GET /charts?token=s3cr3t&page=2', 'GET /charts?token=[redacted]&page=2'],
    ['{"api_key": "s3cr3t", "page": 2}', '{"api_key": "[redacted]", "page": 2}'],
    ['{\\"authorization\\":\\"Bearer abc\\"}', '{\\"authorization\\":\\"[redacted]\\"}'],
    ['{\\"password\\":\\"hunter\\"}', '{\\"password\\":\\"[redacted]\\"}'],
    ['password=back\\slash', 'password=[redacted]'],
    ['DB_PASSWORD=hunter2', 'DB_PASSWORD=[redacted]'],
    ['unknown token ldpat_deadbeefdeadbeef', 'unknown token [redacted]'],
    ['key ghp_0123456789abcdef', 'key [redacted]'],
    ['jwt eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl', 'jwt [redacted]'],
  ])('removes the secret from %s', (text, expected) => {
    expect(clean(text)).toBe(expected);
    expect(clean(expected)).toBe(expected);
  });

  it.each([
    'Personal access token is not recognised',
    'Basic validation failed',
    'Bearer authentication failed',
    'Cannot find project with id: 3675b69e-8324-4110-bdca-059031aa8da3',
    'GET https://lightdash.example/api/v1/org/projects answered 404',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'ada@harbour.example is no member',
  ])('keeps %s', (text) => {
    expect(clean(text)).toBe(text);
  });

  it('removes the values of variables with names of secrets', () => {
    const environment = {
      LIGHTDASH_API_KEY: 'plain-value',
      LONGER_SECRET: 'plain-value-and-more',
      HOME: '/home/ada',
      SHORT_TOKEN: 'dev',
      EMPTY_TOKEN: '',
      UNSET_TOKEN: undefined,
    };
    expect(clean('plain-value-and-more, plain-value, /home/ada, developer', environment)).toBe(
      '[redacted], [redacted], /home/ada, developer',
    );
  });

  it('reads the real environment when it is given none', () => {
    process.env['HARBOUR_TEST_SECRET'] = 'the-tide-table';
    try {
      expect(redact('it was the-tide-table')).toBe('it was [redacted]');
    } finally {
      delete process.env['HARBOUR_TEST_SECRET'];
    }
  });

  it.each(['a', 'x-', 'token', 'bearer ', 'a://', 'sk-', 'eyJ', 'authorization ', '-_'])(
    'does not hang on a long text of %s',
    (text) => {
      withoutHanging(() => clean(text.repeat(200_000 / text.length)));
    },
  );
});
