import { inspect } from 'node:util';

import { describe, expect, it } from 'vitest';

import { ConnectionProblem, readConnection, type Environment } from './connection.js';

const RIGHT = { LIGHTDASH_URL: 'https://app.lightdash.cloud', LIGHTDASH_API_KEY: 'ldpat_abc' };

function problemOf(env: Environment): ConnectionProblem {
  try {
    readConnection(env);
  } catch (error) {
    if (error instanceof ConnectionProblem) return error;
  }
  throw new Error('It was taken.');
}

describe('a connection', () => {
  it.each([
    ['https://app.lightdash.cloud', 'https://app.lightdash.cloud/'],
    ['https://app.lightdash.cloud/', 'https://app.lightdash.cloud/'],
    [' http://127.0.0.1:8080 ', 'http://127.0.0.1:8080/'],
    ['https://example.com/lightdash', 'https://example.com/lightdash/'],
    ['https://example.com/api/v1', 'https://example.com/'],
    ['https://example.com/bi/api/', 'https://example.com/bi/'],
    ['https://example.com/?x=1#y', 'https://example.com/'],
  ])('accepts %j as an address', (LIGHTDASH_URL, expected) => {
    expect(readConnection({ ...RIGHT, LIGHTDASH_URL }).url.href).toBe(expected);
  });

  it('accepts a token unchanged, with or without the prefix of newer ones', () => {
    const { token } = readConnection({ ...RIGHT, LIGHTDASH_API_KEY: ' 0123abcd\n' });
    expect(token.expose()).toBe('0123abcd');
  });

  it.each<[string, Environment, string]>([
    ['LIGHTDASH_URL', {}, 'Set it to the address'],
    ['LIGHTDASH_URL', { ...RIGHT, LIGHTDASH_URL: 'app.lightdash.cloud' }, 'https://'],
    ['LIGHTDASH_URL', { ...RIGHT, LIGHTDASH_URL: 'file:///etc/passwd' }, 'https://'],
    ['LIGHTDASH_URL', { ...RIGHT, LIGHTDASH_URL: 'https://u:hush@example.com' }, 'Remove them'],
    ['LIGHTDASH_API_KEY', { ...RIGHT, LIGHTDASH_API_KEY: ' ' }, 'personal access token'],
    ['LIGHTDASH_API_KEY', { ...RIGHT, LIGHTDASH_API_KEY: 'ldpat_hush x' }, 'Copy only the token'],
    [
      'LIGHTDASH_API_KEY',
      { ...RIGHT, LIGHTDASH_API_KEY: 'ldpat_hush\u0000' },
      'Copy only the token',
    ],
    [
      'LIGHTDASH_PROXY_AUTHORIZATION',
      { ...RIGHT, LIGHTDASH_PROXY_AUTHORIZATION: 'hush\u0007' },
      'header',
    ],
    ['LIGHTDASH_EXTRA_HEADERS', { ...RIGHT, LIGHTDASH_EXTRA_HEADERS: 'X: hush' }, 'JSON object'],
    ['LIGHTDASH_EXTRA_HEADERS', { ...RIGHT, LIGHTDASH_EXTRA_HEADERS: '["hush"]' }, 'JSON object'],
    ['LIGHTDASH_EXTRA_HEADERS', { ...RIGHT, LIGHTDASH_EXTRA_HEADERS: 'null' }, 'JSON object'],
    ['LIGHTDASH_EXTRA_HEADERS', { ...RIGHT, LIGHTDASH_EXTRA_HEADERS: '{"a b":"hush"}' }, 'header'],
    [
      'LIGHTDASH_EXTRA_HEADERS',
      { ...RIGHT, LIGHTDASH_EXTRA_HEADERS: '{"Authorization":"hush"}' },
      'header',
    ],
  ])('names %s if it is not usable, and never its value', (variable, env, advice) => {
    const problem = problemOf(env);
    expect(problem.variable).toBe(variable);
    expect(problem.message).toContain(variable);
    expect(problem.message).toContain(advice);
    expect(problem.message).not.toContain('hush');
  });

  it('never shows its secrets', () => {
    const connection = readConnection({
      LIGHTDASH_URL: 'https://example.com',
      LIGHTDASH_API_KEY: 'ldpat_hush',
      LIGHTDASH_PROXY_AUTHORIZATION: 'Basic hush',
      LIGHTDASH_EXTRA_HEADERS: '{"X-Key":"hush"}',
    });
    expect(connection.headers.size).toBe(2);
    const shown = [
      inspect(connection, { depth: 9, showHidden: true }),
      JSON.stringify({ ...connection, headers: [...connection.headers] }),
      `${connection.token}`,
    ].join();
    expect(shown).toContain('example.com');
    expect(shown).not.toContain('hush');
  });
});
