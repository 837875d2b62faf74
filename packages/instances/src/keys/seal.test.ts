import { describe, expect, it } from 'vitest';

import { Seal } from './seal.js';

describe('a seal', () => {
  it('opens what any instance with the same secret has sealed', () => {
    const [one, other] = [new Seal(['a secret']), new Seal(['a secret'])];
    const sealed = one.seal('instance session');
    expect(sealed).toMatch(/^[\w-]+$/);
    expect(sealed).not.toContain(Buffer.from('instance').toString('base64url').slice(0, 8));
    expect(other.open(sealed)).toBe('instance session');
    expect(one.seal('instance session')).not.toBe(sealed);
  });

  it('opens nothing that was changed, cut, lengthened or sealed by another', () => {
    const seal = new Seal(['a secret']);
    const sealed = seal.seal('text');
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      expect(seal.open(sealed.slice(0, at) + other + sealed.slice(at + 1))).toBeUndefined();
      expect(seal.open(sealed.slice(0, at))).toBeUndefined();
    }
    for (const text of [`${sealed}A`, `${sealed}=`, `${sealed}\n`, ` ${sealed}`, '', 'x']) {
      expect(seal.open(text)).toBeUndefined();
    }
    expect(new Seal(['another secret']).open(sealed)).toBeUndefined();
  });

  it('uses a new secret, and still opens what the old one sealed', () => {
    const [early, late] = [new Seal(['old']), new Seal(['old'])];
    const before = early.seal('session');
    late.replace(['new', 'old']);
    expect(late.open(before)).toBe('session');
    const after = late.seal('session');
    expect(early.open(after)).toBeUndefined();
    early.replace(['old', 'new']);
    expect(early.open(after)).toBe('session');
    late.replace(['new']);
    expect(late.open(before)).toBeUndefined();
    expect(late.open(after)).toBe('session');
  });

  it('opens a text only at its place and for its purpose', () => {
    const seal = new Seal(['old']);
    const sealed = seal.seal('token', 'sign-in/a');
    expect(seal.open(sealed, 'sign-in/a')).toBe('token');
    expect(seal.open(sealed, 'sign-in/b')).toBeUndefined();
    expect(seal.open(sealed)).toBeUndefined();
    expect(new Seal(['old'], 'another purpose').open(sealed, 'sign-in/a')).toBeUndefined();
    expect(seal.isNewest(sealed)).toBe(true);
    seal.replace(['new', 'old']);
    expect(seal.isNewest(sealed)).toBe(false);
  });

  it('cannot be created without a secret', () => {
    expect(() => new Seal([])).toThrow('A seal needs a secret.');
  });
});
