import { describe, expect, it } from 'vitest';

import { isLoopback } from './loopback.js';

describe('this machine', () => {
  it.each([
    'localhost',
    'LocalHost',
    '127.0.0.1',
    '127.1.2.3',
    '127.255.255.254',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '[::ffff:7f00:1]',
    '::1%lo',
  ])('is named by %j', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    '',
    '[]',
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '128.0.0.1',
    '127.0.0.1.example',
    '127.0.0.256',
    '127.1',
    '127.0.0.1:80',
    'localhost.example',
    'evil-localhost',
    '[::2]',
    'fe80::1',
  ])('is not named by %j', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
