import { describe, expect, it } from 'vitest';

import { createApiKey } from './api-key.js';
import { AUTH_SETTINGS } from './auth-settings.js';

const { key, hash } = createApiKey();
const TOKENS = { issuer: 'https://login.example.com', resource: 'https://gw.example.com/mcp' };

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
  ])('are refused if a file %s', (_, written, message) => {
    const { error } = AUTH_SETTINGS.safeParse(written);
    expect(error?.message).toContain(message.replaceAll('"', '\\"'));
    expect(error?.message).not.toContain(key);
  });

  it('allow an issuer on this machine without https', () => {
    const tokens = { ...TOKENS, issuer: 'http://127.0.0.1:9000', resource: 'http://[::1]:1/mcp' };
    expect(AUTH_SETTINGS.safeParse({ tokens }).success).toBe(true);
  });
});
