import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { redactArguments } from './redact-arguments.js';

const redacted = (value: unknown, schema?: object, options = {}): unknown => {
  const schemaJson = schema && JSON.stringify(schema);
  return JSON.parse(redactArguments(JSON.stringify(value), schemaJson, options));
};

describe('a secret', () => {
  it.each([
    'password',
    'PASSWORD',
    'user_password',
    'apiKey',
    'API-Key',
    'x-api-key',
    'accessToken',
    'client_secret',
    'Authorization',
    'privateKey',
    'cookie',
    'pin',
    'ｐａｓｓｗｏｒｄ',
    'pass\u200Bword',
    'passwd',
    'passphrase',
    'passcode',
    'credential',
    'aws_access_key_id',
    'signing-key',
    'encryptionKey',
    'pwd',
    'pass',
    'otp',
    'cvv',
    'cvc',
    'jwt',
    'auth',
    'bearer',
  ])('is recognised by its key %s', (key) => {
    expect(Object.values(redacted({ [key]: 'hunter2' }) as object)).toEqual(['[redacted]']);
  });

  it.each(['path', 'keyboard', 'passenger', 'spinner', 'author', 'key'])(
    'is not seen in %s',
    (key) => {
      expect(redacted({ [key]: 'plain' })).toEqual({ [key]: 'plain' });
    },
  );

  it('is left out as a whole, of any type', () => {
    const value = { credentials: { user: 'a', list: [1, 2] }, pin: 1234, a: [{ token: null }] };
    expect(redacted(value)).toEqual({
      credentials: '[redacted]',
      pin: '[redacted]',
      a: [{ token: '[redacted]' }],
    });
  });

  it.each([
    ['ghp_0123456789abcdefghij', '[redacted]'],
    ['curl -H "Authorization: Bearer abc.def-ghi123"', 'curl -H "Authorization: [redacted]"'],
    ['postgres://me:hunter2@db/x', 'postgres://[redacted]@db/x'],
    ['https://x.example/?token=abc&page=2', 'https://x.example/?token=[redacted]&page=2'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig', '[redacted]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- rest', '[redacted] rest'],
    [
      '-----BEGIN PRIVATE KEY-----\nabc without an end',
      '-----BEGIN PRIVATE KEY-----\nabc without an end',
    ],
    ['mysql --password hunter2 db', 'mysql --password [redacted] db'],
    ['the password: hunter2', 'the password: [redacted]'],
    ['{"creds":{"a":1}}', '{"creds":"[redacted]"}'],
    [
      'https://x.example/?X-Amz-Signature=9f&sig=1',
      'https://x.example/?X-Amz-Signature=[redacted]&sig=[redacted]',
    ],
    ['the task-list is here', 'the task-list is here'],
  ])('is recognised by its form: %s', (text, shown) => {
    expect(redacted({ text })).toEqual({ text: shown });
  });

  it.each([
    [[{ name: 'Authorization', value: 'x' }], [{ name: 'Authorization', value: '[redacted]' }]],
    [
      { value: ['x'], key: 'API_KEY' },
      { value: '[redacted]', key: 'API_KEY' },
    ],
    [
      { name: 'ada', value: 'x' },
      { name: 'ada', value: 'x' },
    ],
    [{ args: ['--password', 'x', 'y'] }, { args: ['--password', '[redacted]', 'y'] }],
    [{ args: ['--auth', '--verbose'] }, { args: ['--auth', '--verbose'] }],
    [{ pair: ['Authorization', 'x'] }, { pair: ['Authorization', '[redacted]'] }],
  ])('is recognised by a member beside it: %j', (value, shown) => {
    expect(redacted(value)).toEqual(shown);
  });

  it('is not shown in part if it is a long private key', () => {
    const lines = `${'Ab1+'.repeat(16)}\n`.repeat(50);
    const text = `use -----BEGIN PRIVATE KEY-----\n${lines}-----END PRIVATE KEY----- now`;
    expect(redacted({ text })).toEqual({ text: 'use [redacted] now' });
  });

  it('is not shown in part because the text is long', () => {
    const text = `${'x'.repeat(290)} ghp_0123456789abcdefghijklmnop`;
    expect(JSON.stringify(redacted({ text }))).not.toContain('0123');
  });

  it.each([
    ['format', { properties: { p: { type: 'string', format: 'password' } } }],
    ['writeOnly', { properties: { p: { writeOnly: true } } }],
    [
      'a reference',
      { properties: { p: { $ref: '#/$defs/x' } }, $defs: { x: { writeOnly: true } } },
    ],
    [
      'an alternative',
      { properties: { p: { anyOf: [{ type: 'null' }, { format: 'password' }] } } },
    ],
    ['all of', { allOf: [{ properties: { p: { format: 'password' } } }] }],
    ['any other member', { additionalProperties: { format: 'password' } }],
    ['a pattern', { patternProperties: { '^(p+)+$': { format: 'password' } } }],
    ['one of', { oneOf: [{ properties: { p: { format: 'password' } } }] }],
    ['if', { if: { properties: { p: { format: 'password' } } } }],
    ['then', JSON.parse('{"then":{"properties":{"p":{"format":"password"}}}}') as object],
    ['else', { else: { properties: { p: { format: 'password' } } } }],
    [
      'a reference with escapes',
      { properties: { p: { $ref: '#/$defs/a~1b~0c' } }, $defs: { 'a/b~c': { writeOnly: true } } },
    ],
  ])('is recognised by its schema, through %s', (_, schema) => {
    expect(redacted({ p: 'x' }, schema)).toEqual({ p: '[redacted]' });
  });

  it('is recognised by its schema inside lists', () => {
    const schema = { properties: { a: { items: { properties: { p: { format: 'password' } } } } } };
    expect(redacted({ a: [{ p: 'x', q: 'y' }] }, schema)).toEqual({
      a: [{ p: '[redacted]', q: 'y' }],
    });
  });

  it('is recognised by its schema inside lists of fixed length', () => {
    const schema = { properties: { a: { prefixItems: [{}, { format: 'password' }] } } };
    expect(redacted({ a: ['x'] }, schema)).toEqual({ a: ['[redacted]'] });
  });

  it.each([
    [
      'a named member next to others',
      { properties: { p: {} }, additionalProperties: { writeOnly: true } },
    ],
    [
      'a reference to elsewhere',
      { properties: { p: { $ref: 'password#/$defs/x' } }, $defs: { x: { writeOnly: true } } },
    ],
    [
      'a reference to nothing',
      { properties: { p: { $ref: '#/$defs/y' } }, $defs: { x: { writeOnly: true } } },
    ],
    ['writeOnly that is false', { properties: { p: { writeOnly: false } } }],
    ['another format', { properties: { p: { format: 'email', title: 'password' } } }],
  ])('is not recognised by its schema in %s', (_, schema) => {
    expect(redacted({ p: 'x' }, schema)).toEqual({ p: 'x' });
  });

  it('can be named by the operator', () => {
    const options = { keys: ['IBAN'], patterns: ['ACME-*'] };
    const value = { iban_number: 'DE1', note: 'order ACME-12 now' };
    expect(redacted(value, undefined, options)).toEqual({
      iban_number: '[redacted]',
      note: 'order [redacted] now',
    });
  });
});

describe('a thousand hostile calls', () => {
  const MARK = 'hunter2';
  const KEYS = ['a', 'password', '__proto__', 'apiKey', 'k\u202E', 'x'.repeat(150), 'nested'];

  /** Any JSON, with the mark in every place of a secret. */
  function anyValue(random: () => number, depth: number, isSecret: boolean): unknown {
    const pick = Math.floor(random() * (depth > 12 ? 3 : 6));
    if (pick === 0) return isSecret ? MARK : 'plain \u001B[31m';
    if (pick === 1) return isSecret ? { v: MARK, w: [MARK] } : random() * 1e20;
    if (pick === 2) return isSecret ? MARK : `https://me:${MARK}@host/?token=${MARK}`;
    const size = Math.floor(random() * 5);
    const children = Array.from({ length: size }, () => {
      const key = KEYS[Math.floor(random() * KEYS.length)]!;
      const isSecretKey = key === 'password' || key === 'apiKey';
      return [key, anyValue(random, depth + 1, isSecret || isSecretKey)] as const;
    });
    if (pick === 3 && !isSecret)
      return Array.from({ length: size }, () => anyValue(random, depth + 1, false));
    return Object.fromEntries(children);
  }

  it('show no secret, are JSON, and are short', () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let i = 0; i < 1_000; i++) {
      const text = JSON.stringify(anyValue(random, 0, false));
      const shown = redactArguments(text, undefined);
      expect(shown).not.toContain(MARK);
      expect(shown).not.toMatch(/\\u001b|\u202E/);
      expect(shown.length).toBeLessThan(4_000);
      JSON.parse(shown);
    }
  });
});

describe('the shown text', () => {
  it('keeps numbers and duplicate keys as written', () => {
    const text = '{"id":9007199254740993,"a":1,"a":2.50}';
    expect(redactArguments(text, undefined)).toBe(text);
  });

  it('makes hidden characters visible', () => {
    const value = { 'k\u202E': 'a\u001B[2Jb\u200Bc\u{E0041}\uD800\nd' };
    expect(redacted(value)).toEqual({ 'k⟨U+202E⟩': 'a⟨U+001B⟩[2Jb⟨U+200B⟩c⟨U+E0041⟩⟨U+D800⟩\nd' });
  });

  it.each([
    ['one long text', { a: 'x'.repeat(100_000) }],
    ['many keys', Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]))],
    ['a long list', Array.from({ length: 100_000 }, () => 'word')],
    [
      'long lists in lists',
      Array.from({ length: 500 }, () => Array.from({ length: 500 }, () => 1)),
    ],
    ['many texts', Array.from({ length: 1_000 }, () => 'x'.repeat(1_000))],
    ['long keys', { ['k'.repeat(100_000)]: 1 }],
    ['hidden text', { a: '\u200B'.repeat(100_000) }],
    ['empty lists', Array.from({ length: 100_000 }, () => [])],
  ])('is short for any input: %s', (_, value) => {
    const shown = redactArguments(JSON.stringify(value), undefined, { maxLength: 500 });
    expect(shown.length).toBeLessThan(4_000);
    expect(() => JSON.parse(shown) as unknown).not.toThrow();
    expect(shown).toContain('…');
  });

  it.each([
    ['deep nesting', `${'['.repeat(400)}${']'.repeat(400)}`],
    ['nesting past every limit', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a number of many digits', `{"n":${'9'.repeat(100_000)}}`],
    ['no JSON', '{"a":'],
    ['two values', '{} {}'],
    ['nothing', ''],
    ['a keyword', 'null'],
    ['a prototype', '{"__proto__":{"constructor":1}}'],
  ])('is JSON for any input: %s', (_, text) => {
    const shown = redactArguments(text, '{"properties":{"password":');
    expect(() => JSON.parse(shown) as unknown).not.toThrow();
    expect(shown.length).toBeLessThan(500);
  });

  it('counts what is left out', () => {
    const options = { maxLength: 10 };
    expect(redacted({ a: 'x'.repeat(20), b: 1, c: 2 }, undefined, options)).toEqual({
      a: 'x'.repeat(20),
      '…': '2 more',
    });
    expect(redacted(['x'.repeat(20), 1, 2, 3], undefined, options)).toEqual([
      'x'.repeat(20),
      '… 3 more',
    ]);
  });

  it('ends where nesting is too deep, and not before', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    expect(redactArguments(nested(10), undefined)).toBe(nested(10));
    expect(redactArguments(nested(11), undefined)).toBe(nested(10).replace('1', '"…"'));
  });

  it('leaves out numbers that are too long, and no others', () => {
    const [fits, long] = ['9'.repeat(40), '9'.repeat(41)];
    expect(redactArguments(`[${fits},${long}]`, undefined)).toBe(`[${fits},"…"]`);
  });

  it('marks a text that is cut, and no other', () => {
    const text = `token=${'x'.repeat(8_186)}`;
    expect(redacted({ text })).toEqual({ text: 'token=[redacted]' });
    expect(redacted({ text: `${text} and more` })).toEqual({ text: 'token=[redacted]…' });
    expect(redacted({ text: 'x'.repeat(301) })).toEqual({ text: `${'x'.repeat(300)}…` });
  });

  it('is only a size if there are megabytes of text', () => {
    const size = 4 * 1024 * 1024;
    const list = (length: number): string => `[${' '.repeat(length - 2)}]`;
    expect(redactArguments(list(size), undefined)).toBe('[]');
    expect(redactArguments(list(size + 1), undefined)).toBe(`"[${size + 1} characters]"`);
  });

  it('says that it cannot be read', () => {
    expect(redactArguments('{} {}', undefined)).toBe('"[unreadable]"');
  });

  it('does not hang on many texts that look like secrets', () => {
    const text = JSON.stringify({ a: 'sk-'.repeat(300_000), b: '-----BEGIN '.repeat(300_000) });
    withoutHanging(() => redactArguments(text, undefined));
  });
});
