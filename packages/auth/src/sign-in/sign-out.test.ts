import { describe, expect, it } from 'vitest';

import { signOut } from './sign-out.js';
import { scene, signedIn } from './testing/signed-in.js';

describe('signing out', () => {
  it('revokes the tokens, and forgets them', async () => {
    const { as, entry, file, fetch } = await signedIn();
    const { accessToken, refreshToken } = (await file.find(entry))!;
    expect(await signOut(entry, { store: file, fetch })).toBe('revoked');
    expect(as.isGood(accessToken)).toBe(false);
    expect(as.posts('/revoke').map((body) => body.get('token'))).toEqual(
      expect.arrayContaining([accessToken, refreshToken]),
    );
    expect(await file.find(entry)).toBeUndefined();
  });

  it('forgets them even if they cannot be revoked', async () => {
    const { entry, file, fetch } = await signedIn({
      metadata: (own) => ({ ...own, revocation_endpoint: undefined }),
    });
    expect(await signOut(entry, { store: file, fetch })).toBe('forgotten');
    expect(await file.find(entry)).toBeUndefined();
  });

  it('does not send them anywhere without encryption', async () => {
    const { entry, file, fetch } = await signedIn({
      metadata: (own) => ({ ...own, revocation_endpoint: 'http://evil.example/revoke' }),
    });
    expect(await signOut(entry, { store: file, fetch })).toBe('forgotten');
  });

  it('does nothing without a sign-in', async () => {
    const { entry, file, fetch } = await scene();
    expect(await signOut(entry, { store: file, fetch })).toBe('was-not-signed-in');
  });
});
