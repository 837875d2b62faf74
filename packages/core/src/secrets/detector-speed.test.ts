import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { redactText } from './detector.js';

describe('a long text that was made to be slow', () => {
  it.each([
    'a',
    'x-',
    'token',
    'token=',
    'bearer ',
    'a://',
    'a://a:',
    'sk-',
    'eyJ',
    'eyJ.',
    'authorization: ',
    '-_',
    '"token":"',
    '\\"token\\":\\"',
    '"password":"\\',
    '--password ',
    '?a=',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-',
    '[',
    '{"a":',
    'key: ',
    'curl -u ',
    'curl -u a:',
    'mysql -p',
    'docker login ',
    'create ',
    "create password '",
    'set password for a=',
    'machine a login a password ',
    '<token>',
    '<a>x',
    'key="token" value="',
    'hooks.slack.com/services/',
    'the password is ',
    'password for a ',
    'use token ',
    'key-',
    'a_key_',
    'a1_',
    'пароль',
    '密码是',
  ])('is finished, if there are many of %j', (piece) => {
    const text = `${piece.repeat(500_000 / piece.length)}-----END PRIVATE KEY-----`;
    expect(withoutHanging(() => redactText(text))).not.toBe('');
  });
});
