import { describe, expect, it } from 'vitest';

import { mayListen } from './may-listen.js';

const AUTH = { keys: [{ name: 'ci', hash: 'sha256:0', roles: [] }], sharedKeys: false };

describe('listening without authentication', () => {
  it.each(['127.0.0.1', '127.9.9.9', 'localhost', 'LOCALHOST', '::1', '[::1]'])(
    'is allowed on %s',
    (host) => {
      expect(mayListen(host, undefined, false)).toBeUndefined();
    },
  );

  it.each([
    '0.0.0.0',
    '::',
    '192.168.1.7',
    '10.0.0.1',
    'gateway.example.com',
    'localhost.example.com',
    '127.0.0.1.example.com',
    '127.example.com',
    '::ffff:192.168.1.7',
    '',
  ])('is refused on "%s", with what to do', (host) => {
    const reason = mayListen(host, undefined, false);
    expect(reason).toContain('callsign.auth');
    expect(reason).toContain('--allow-unauthenticated');
  });

  it('is allowed anywhere with authentication, or if the operator says so', () => {
    expect(mayListen('0.0.0.0', AUTH, false)).toBeUndefined();
    expect(mayListen('0.0.0.0', undefined, true)).toBeUndefined();
  });
});
