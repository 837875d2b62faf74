import { describe, expect, it } from 'vitest';

import { ConsoleAccess, TOKEN_MS } from './console-access.js';

function accessAt() {
  const clock = { ms: 0 };
  return { clock, access: new ConsoleAccess({ now: () => clock.ms }) };
}

describe('a token for a link', () => {
  it('works once', () => {
    const { access } = accessAt();
    const token = access.createToken();
    const granted = access.exchange(token);
    expect(granted).toMatchObject({ role: 'operator' });
    expect(access.exchange(token)).toBeUndefined();
    expect(access.roleOf(granted!.key)).toBe('operator');
  });

  it('is too old after a minute, and not before', () => {
    const { access, clock } = accessAt();
    const [early, late] = [access.createToken(), access.createToken('viewer')];
    clock.ms = TOKEN_MS - 1;
    expect(access.exchange(early)).toBeDefined();
    clock.ms = TOKEN_MS;
    expect(access.exchange(late)).toBeUndefined();
  });

  it('is not accepted as a key, and a key is not accepted as a token', () => {
    const { access } = accessAt();
    const token = access.createToken();
    expect(access.roleOf(token)).toBeUndefined();
    const { key } = access.exchange(token)!;
    expect(access.exchange(key)).toBeUndefined();
    expect(access.roleOf('')).toBeUndefined();
  });

  it('is forgotten when there are too many newer ones', () => {
    const { access } = accessAt();
    const first = access.createToken();
    const others = Array.from({ length: 16 }, () => access.createToken());
    expect(access.exchange(first)).toBeUndefined();
    expect(access.exchange(others[0]!)).toBeDefined();
  });
});

describe('a key', () => {
  it('has the role of its token, lasts half a day, and can be revoked', () => {
    const { access, clock } = accessAt();
    const [one, two] = ['viewer', 'operator'].map(
      (role) => access.exchange(access.createToken(role as 'viewer'))!.key,
    );
    expect([access.roleOf(one!), access.roleOf(two!)]).toEqual(['viewer', 'operator']);
    access.revoke(two!);
    expect(access.roleOf(two!)).toBeUndefined();
    clock.ms = 12 * 60 * 60 * 1000;
    expect(access.roleOf(one!)).toBeUndefined();
  });
});
