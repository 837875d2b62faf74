import { describe, expect, it } from 'vitest';

import { isSecretName, isSecretSetting } from './secret-names.js';

describe('a secret’s name', () => {
  it.each([
    'password',
    'PASSWORD',
    'user_password',
    'apiKey',
    'APIKey',
    'API-Key',
    'x-api-key',
    'accessToken',
    'client_secret',
    'Authorization',
    'privateKey',
    'cookie',
    'pin',
    'creds',
    'db_creds',
    'DB_PASS',
    'credentials',
    'X-Amz-Signature',
    '--password',
    'ｐａｓｓｗｏｒｄ',
    'pass\u200Bword',
  ])('is %s', (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(isSecretSetting(name)).toBe(true);
  });

  it.each(['key', 'sig', 'signature', 'STRIPE_KEY', 'X-Signature'])(
    'is %s, but only among settings and parameters',
    (name) => {
      expect([isSecretName(name), isSecretSetting(name)]).toEqual([false, true]);
    },
  );

  it.each([
    '',
    'path',
    'keyboard',
    'passenger',
    'spinner',
    'author',
    'max_tokens',
    'maxTokens',
    'token_type',
    'tokenCount',
    'token_url',
    'has_password',
    'PUBLIC_KEY',
    'signal',
  ])('is not %j', (name) => {
    expect([isSecretName(name), isSecretSetting(name)]).toEqual([false, false]);
  });

  it('is what the operator adds', () => {
    expect(isSecretName('iban_number', ['iban'])).toBe(true);
    expect(isSecretName('max_iban', ['iban'])).toBe(true);
  });
});
