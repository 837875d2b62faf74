import { describe, expect, it } from 'vitest';

import { documentOf } from '../../../../../test/adapters/adapters.js';
import { api, OK, tried } from '../../../../../test/adapters/imported-api.js';
import { answerJson } from '../../../../../test/adapters/target.js';
import { parseAdapter } from '../../adapter/parse-adapter.js';

const key = (name: string, where: string) => ({ type: 'apiKey', name, in: where });
const SCHEMES = {
  clientId: key('PLAID-CLIENT-ID', 'header'),
  secret: key('secret', 'query'),
  session: key('SESSION', 'cookie'),
  bearer: { type: 'http', scheme: 'bearer' },
  certificate: { type: 'mutualTLS' },
};

const document = (security: readonly object[]) =>
  api(
    {
      '/a': {
        get: {
          operationId: 'listAll',
          parameters: [
            { name: 'lang', in: 'cookie', schema: { type: 'string' } },
            { name: 'SESSION', in: 'cookie', schema: { type: 'string' } },
          ],
          responses: OK,
        },
      },
    },
    { components: { securitySchemes: SCHEMES }, security },
  );

describe('signing in to an API', () => {
  it('B7: schemes of one requirement belong together, and each request carries all of them', async () => {
    const env = {
      CALLSIGN_ODD_CLIENT_ID: 'id-1',
      CALLSIGN_ODD_SECRET: 'secret,2',
      CALLSIGN_ODD_BEARER: 'token-3',
    };
    const { adapter, ask, target, guessed } = await tried(
      document([{ clientId: [], secret: [], bearer: [] }, { session: [] }]),
      { env },
    );
    expect(adapter.auth).toEqual({
      type: 'all',
      schemes: [
        { type: 'api_key', key_env: 'CALLSIGN_ODD_CLIENT_ID', header_name: 'PLAID-CLIENT-ID' },
        { type: 'api_key', key_env: 'CALLSIGN_ODD_SECRET', query_name: 'secret' },
        {
          type: 'bearer',
          token_env: 'CALLSIGN_ODD_BEARER',
          header: 'Authorization',
          prefix: 'Bearer ',
        },
      ],
    });
    expect(guessed).toContainEqual(
      expect.stringContaining('other ways to sign in (session); "clientId + secret + bearer"'),
    );
    expect(await ask('list_all', {})).toMatchObject({ success: true });
    const { url, headers } = target.asked[0]!;
    expect(url).toBe('/a?secret=secret%2C2');
    expect(headers).toMatchObject({
      'plaid-client-id': 'id-1',
      authorization: 'Bearer token-3',
    });
  });

  it('B7: a missing variable is named, and no part of the sign-in is shown', async () => {
    const env = {
      CALLSIGN_ODD_CLIENT_ID: 'id-number-one',
      CALLSIGN_ODD_SECRET: 'secret-number-two',
    };
    const security = [{ clientId: [], secret: [] }];
    const { ask } = await tried(document(security), {
      env,
      answer: (asked, response) => answerJson(response, { url: asked.url, ...asked.headers }),
    });
    const text = JSON.stringify(await ask('list_all', {}));
    expect(text).toContain('[redacted]');
    expect(text).not.toMatch(/number/);
    const without = await tried(document(security), { env: { CALLSIGN_ODD_CLIENT_ID: 'id' } });
    expect((await without.ask('list_all', {})).error).toMatchObject({
      code: 'AUTH_CREDENTIAL_MISSING',
      details: { variable: 'CALLSIGN_ODD_SECRET' },
    });
    expect(without.target.asked).toHaveLength(0);
  });

  it('B7: a requirement that is supported wins, and what is left out is reported', async () => {
    const wins = await tried(document([{ certificate: [], clientId: [] }, { bearer: [] }]));
    expect(wins.adapter.auth).toMatchObject({ type: 'bearer', token_env: 'CALLSIGN_ODD_TOKEN' });
    const only = await tried(document([{ certificate: [], clientId: [] }]));
    expect(only.adapter.auth).toMatchObject({ type: 'api_key', key_env: 'CALLSIGN_ODD_KEY' });
    expect(only.left).toEqual([expect.stringContaining('"certificate" is not supported')]);
  });

  it('may be described only as a header parameter, whose whole value a person sets', async () => {
    const authorization = { name: 'authorization', in: 'header', required: true };
    const parameters = [{ ...authorization, schema: { type: 'string' } }];
    const text = api({ '/a': { get: { operationId: 'listAll', parameters, responses: OK } } });
    const env = { CALLSIGN_ODD_AUTHORIZATION: 'Token abc' };
    const { adapter, ask, target, guessed } = await tried(text, { env });
    expect(adapter.operations.get('list_all')!.params.size).toBe(0);
    expect(guessed).toContainEqual(expect.stringContaining('CALLSIGN_ODD_AUTHORIZATION'));
    await ask('list_all', {});
    expect(target.asked[0]!.headers['authorization']).toBe('Token abc');
  });

  it('a key in the header Authorization is its whole value, and the import says so', async () => {
    const scheme = { type: 'apiKey', in: 'header', name: 'Authorization' };
    const documentWith = (token: object): string =>
      api(
        { '/a': { get: { operationId: 'listAll', responses: OK } } },
        { components: { securitySchemes: { token } }, security: [{ token: [] }] },
      );
    const text = documentWith({ ...scheme, description: 'SSWS {API Token}' });
    const env = { CALLSIGN_ODD_KEY: 'SSWS abc' };
    const { ask, target, guessed } = await tried(text, { env });
    expect(guessed).toEqual([
      expect.stringMatching(
        /whole header "Authorization" into CALLSIGN_ODD_KEY.*"SSWS \{API Token\}"$/,
      ),
    ]);
    await ask('list_all', {});
    expect(target.asked[0]!.headers['authorization']).toBe('SSWS abc');
    expect((await tried(documentWith({ ...scheme, name: 'X-Key' }))).guessed).toEqual([]);
  });

  it('B19: a key may go into a cookie, which no parameter replaces', async () => {
    const { adapter, ask, target } = await tried(document([{ session: [] }]), {
      env: { CALLSIGN_ODD_KEY: 'a=/+;b' },
    });
    expect(adapter.auth).toMatchObject({ type: 'api_key', cookie_name: 'SESSION' });
    await ask('list_all', { lang: 'no', session: 'forged' });
    expect(target.asked[0]!.headers['cookie']).toBe('lang=no; SESSION=a=/+%3Bb');
  });
});

describe('an adapter with a token in its sign-in', () => {
  const problemsOf = (auth: object) => {
    const result = parseAdapter(JSON.stringify(documentOf({ auth })), 'x.json');
    return result.ok ? [] : result.problems;
  };

  it.each([
    { type: 'bearer', token_env: `ghp_${'a1B2'.repeat(9)}` },
    { type: 'bearer', token_env: 'MAIL_TOKEN', prefix: `Bearer ghp_${'a1B2'.repeat(9)}` },
    { type: 'api_key', key_env: 'q7Rt2Lm9Xz4Kp1Vb8Nc3Ws6', header_name: 'X-Key' },
    {
      type: 'all',
      schemes: [
        { type: 'bearer', token_env: 'MAIL_TOKEN' },
        { type: 'basic', username_env: 'MAIL_USER', password_env: `ghp_${'a1B2'.repeat(9)}` },
      ],
    },
  ])('B19: is refused, without repeating the token: %#', (auth) => {
    const problems = problemsOf(auth);
    expect(problems.map(({ code }) => code)).toEqual(['written-secret']);
    expect(JSON.stringify(problems)).not.toMatch(/a1B2|q7Rt/);
  });

  it('B19: is not confused with the name of a variable', () => {
    for (const token_env of ['CALLSIGN_MICROSOFT_GRAPH_V2_OFFICE_TOKEN', 'token', 'MyToken2']) {
      expect(problemsOf({ type: 'bearer', token_env })).toEqual([]);
    }
  });
});
