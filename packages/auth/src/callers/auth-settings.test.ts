import { describe, expect, it } from 'vitest';

import { createApiKey } from './api-key.js';
import { AUTH_SETTINGS } from './auth-settings.js';

const { key, hash } = createApiKey();
const TOKENS = { issuer: 'https://login.example.com', resource: 'https://gw.example.com/mcp' };

const SIGN_IN = { origin: 'https://gw.example.com' };

describe('the settings of authentication', () => {
  it('have defaults', () => {
    expect(AUTH_SETTINGS.parse({ keys: [{ name: 'ci', hash }], tokens: TOKENS })).toEqual({
      keys: [{ name: 'ci', hash, roles: [] }],
      sharedKeys: false,
      tokens: { ...TOKENS, rolesClaim: 'roles', scopes: [] },
    });
  });

  it('accept an empty list of keys, which lets no one in', () => {
    expect(AUTH_SETTINGS.parse({ keys: [] })).toEqual({ keys: [], sharedKeys: false });
  });

  it.each([
    ['takes no credential', {}, 'asks for credentials but accepts none'],
    ['holds a key in the clear', { keys: [{ name: 'ci', hash: key }] }, 'must be "sha256:"'],
    [
      'names two keys alike',
      {
        keys: [
          { name: 'ci', hash },
          { name: 'ci', hash: createApiKey().hash },
        ],
      },
      'two keys have the same name',
    ],
    [
      'holds one key twice',
      {
        keys: [
          { name: 'a', hash },
          { name: 'b', hash },
        ],
      },
      'two entries have the same key',
    ],
    ['is spelled wrong', { keyz: [] }, 'keyz'],
    [
      'asks an issuer in the clear',
      { tokens: { ...TOKENS, issuer: 'http://login.example.com' } },
      'must be an https address',
    ],
    [
      'has a scope that would break out of a header',
      { tokens: { ...TOKENS, scopes: ['a", error="x'] } },
      'is not a scope',
    ],
    ['lets people sign in without a key or a provider', { signIn: SIGN_IN }, 'but accepts none'],
    [
      'leaves no way to sign in',
      { keys: [], signIn: { ...SIGN_IN, keys: false } },
      'leaves people no way to sign in',
    ],
    [
      'writes more than an origin',
      { keys: [], signIn: { origin: 'https://gw.example.com/mcp' } },
      'must be an https origin',
    ],
    [
      'has an open origin',
      { keys: [], signIn: { origin: 'http://gw.example.com' } },
      'https origin',
    ],
    [
      'has two addresses for clients',
      { tokens: { ...TOKENS, resource: 'https://other.example.com/mcp' }, signIn: SIGN_IN },
      'is another address than',
    ],
    [
      'has two issuers of people',
      {
        tokens: TOKENS,
        signIn: { ...SIGN_IN, oidc: { issuer: 'https://b.example.com', clientId: 'c' } },
      },
      'are different',
    ],
    [
      'has a client that gets codes in the clear',
      {
        keys: [],
        signIn: {
          ...SIGN_IN,
          clients: [{ id: 'c', name: 'C', redirectUris: ['http://c.example.com/'] }],
        },
      },
      'is not an address that codes may be sent to',
    ],
  ])('are refused if a file %s', (_, written, message) => {
    const { error } = AUTH_SETTINGS.safeParse(written);
    expect(error?.message).toContain(message.replaceAll('"', '\\"'));
    expect(error?.message).not.toContain(key);
  });

  it('let people sign in at a provider alone', () => {
    const oidc = { issuer: TOKENS.issuer, clientId: 'callsign' };
    const { signIn } = AUTH_SETTINGS.parse({ tokens: TOKENS, signIn: { ...SIGN_IN, oidc } });
    expect(signIn).toMatchObject({ keys: true, registration: false, clientDocuments: true });
    expect(AUTH_SETTINGS.safeParse({ signIn: { ...SIGN_IN, oidc } }).success).toBe(true);
  });

  it('allow an issuer on this machine without https', () => {
    const tokens = { ...TOKENS, issuer: 'http://127.0.0.1:9000', resource: 'http://[::1]:1/mcp' };
    expect(AUTH_SETTINGS.safeParse({ tokens }).success).toBe(true);
  });
});
