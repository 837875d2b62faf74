import { describe, expect, it } from 'vitest';

import { NETWORK_SETTINGS } from '../network/network-settings.js';
import { OAUTH_SETTINGS } from './oauth-settings.js';

describe('the settings of signing in', () => {
  it('need nothing', () => {
    expect(OAUTH_SETTINGS.parse({})).toEqual({});
    expect(NETWORK_SETTINGS.parse(undefined)).toEqual({ allowPrivate: [] });
  });

  it.each([
    ['a secret of nobody', { clientSecret: 'CANARY', issuer: 'https://x' }, 'without a client id'],
    [
      'a secret without an issuer',
      { clientId: 'c', clientSecret: 'CANARY' },
      'has a secret without an issuer',
    ],
    [
      'a document in the clear',
      { clientMetadataUrl: 'http://x/c.json' },
      'must be an https address',
    ],
    ['a word that is not known', { clientid: 'c' }, 'clientid'],
  ])('refuse %s', (_, written, message) => {
    const { error } = OAUTH_SETTINGS.safeParse(written);
    expect(error?.message).toContain(message);
    expect(error?.message).not.toContain('CANARY');
  });

  it.each(['10.0.0.1', 'http://x/path', 'http://user@x', 'ftp://x', '*'])(
    'refuse %s as an origin of the operator’s network',
    (origin) => {
      expect(NETWORK_SETTINGS.safeParse({ allowPrivate: [origin] }).success).toBe(false);
    },
  );
});
