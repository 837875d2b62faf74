import type { Call } from '@callsign/core';
import { describe, expect, it, onTestFinished } from 'vitest';

import { createAdapterSource } from '../source/adapter-source.js';
import { adapterWith } from '../../../../test/adapters/adapters.js';
import { callOf, type Desk, deskFor } from '../../../../test/adapters/desk.js';
import {
  answerJson,
  type Answerer,
  closedPort,
  startTarget,
} from '../../../../test/adapters/target.js';
import type { TargetServer } from '../../../../test/adapters/target.js';

const SECRET = 'sk-live-7f3a9c';

type Changes = Readonly<Record<string, unknown>>;

/** An adapter with one target: `get_it` reads, `put_it` may be repeated, `post_it` may not. */
async function deskWith(
  answer?: Answerer,
  changes: Changes | ((origin: string) => Changes) = {},
  env: Record<string, string> = { KEY: SECRET },
): Promise<{ desk: Desk; target: TargetServer }> {
  const target = await startTarget(answer);
  const { target: more = {}, ...rest } =
    typeof changes === 'function' ? changes(target.origin) : changes;
  const adapter = adapterWith({
    target: {
      transport: 'http',
      base_url: `${target.origin}/api`,
      retry_delay_ms: 1,
      timeout_ms: 5000,
      ...(more as object),
    },
    operations: {
      create: [{ name: 'post_it', maps_to: 'POST /it' }],
      read: [
        { name: 'get_it', maps_to: 'GET /it' },
        { name: 'get_text', maps_to: 'GET /it', response: { format: 'text' } },
        {
          name: 'list_links',
          maps_to: 'GET /it',
          pagination: { style: 'link_header', position_param: 'since' },
        },
      ],
      update: [{ name: 'put_it', maps_to: 'PUT /it' }],
    },
    ...rest,
  });
  const source = createAdapterSource(adapter, { env });
  onTestFinished(() => source.close());
  return { desk: deskFor(source), target };
}

const get = { operation: 'get_it' };

describe('an answer', () => {
  it.each<[string, number, string, string, unknown]>([
    ['is its JSON', 200, '{"a":1}', 'get_it', { a: 1 }],
    ['may start with a byte order mark', 200, '\ufeff[1]', 'get_it', [1]],
    ['may be empty', 204, '', 'get_it', null],
    ['may be text', 200, 'plain', 'get_text', 'plain'],
  ])('%s', async (_, status, body, operation, data) => {
    const { desk } = await deskWith((__, response) => response.writeHead(status).end(body));
    expect(await desk.ask('read', { operation })).toEqual({ success: true, data });
  });

  it.each<[number, string, string, string]>([
    [400, '{"message":"bad"}', 'VALIDATION_INVALID_TYPE', 'The target says: bad'],
    [422, '{"errors":[{"message":"worse"}]}', 'VALIDATION_INVALID_TYPE', 'The target says: worse'],
    [418, '', 'VALIDATION_INVALID_TYPE', 'The target does not accept the request (HTTP 418).'],
    [401, '<html>', 'PERMISSION_DENIED', 'The target does not accept our credentials; check them.'],
    [403, '{"error":"no"}', 'PERMISSION_DENIED', 'The target says: no'],
    [404, '{"error":{"message":"gone"}}', 'NOT_FOUND_RESOURCE', 'The target says: gone'],
    [409, '{"detail":"twice"}', 'CONFLICT_ALREADY_EXISTS', 'The target says: twice'],
    [500, '{}', 'INTERNAL_ERROR', 'The target failed (HTTP 500); try again later.'],
  ])('of %i with %j is %s', async (status, body, code, message) => {
    const { desk } = await deskWith((_, response) => response.writeHead(status).end(body));
    expect((await desk.ask('read', get)).error).toEqual({
      code,
      message,
      details: { http_status: status },
    });
  });

  it('that is not JSON is quoted by its first characters', async () => {
    const { desk } = await deskWith((_, response) => response.end(`<html>${'x'.repeat(500)}`));
    const { error } = await desk.ask('read', get);
    expect(error?.code).toBe('SERIALIZATION_PARSE_ERROR');
    expect(error?.details['preview']).toHaveLength(200);
  });

  it('that is too large is not read to the end', async () => {
    let isCut = false;
    const { desk } = await deskWith((_, response) => {
      response.on('close', () => {
        isCut = !response.writableFinished;
      });
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    const { error } = await desk.ask('read', get);
    expect(error).toMatchObject({
      code: 'VALIDATION_PAYLOAD_TOO_LARGE',
      details: { limit_type: 'response_size', limit_value: 10_485_760 },
    });
    await expect.poll(() => isCut).toBe(true);
  });

  it('may name its next page in a header', async () => {
    const { desk, target } = await deskWith(({ url }, response) => {
      const isLast = url.includes('since=42');
      if (!isLast)
        response.setHeader('link', '</api/it?x=1>; rel="prev", </api/it?since=42>; rel="next"');
      answerJson(response, [isLast ? 'second' : 'first']);
    });
    const page = async (more: object) =>
      (await desk.ask('read', { operation: 'list_links', params: { first: 1, ...more } })).data as {
        items: string[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
    const first = await page({});
    const second = await page({ after: first.pageInfo.endCursor });
    expect([first.items, second.items]).toEqual([['first'], ['second']]);
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    expect(target.asked[1]?.url).toBe('/api/it?limit=1&since=42');
  });
});

describe('signing in', () => {
  it.each<[string, object, Record<string, string>, (target: TargetServer) => unknown, unknown]>([
    [
      'with a bearer token',
      { type: 'bearer', token_env: 'KEY' },
      { KEY: SECRET },
      ({ asked }) => asked[0]?.headers['authorization'],
      `Bearer ${SECRET}`,
    ],
    [
      'with a key in a header',
      { type: 'api_key', key_env: 'KEY', header_name: 'X-Key' },
      { KEY: SECRET },
      ({ asked }) => asked[0]?.headers['x-key'],
      SECRET,
    ],
    [
      'with a key in the query',
      { type: 'api_key', key_env: 'KEY', query_name: 'key' },
      { KEY: SECRET },
      ({ asked }) => asked[0]?.url,
      `/api/it?key=${SECRET}`,
    ],
    [
      'with name and password',
      { type: 'basic', username_env: 'USER_NAME', password_env: 'KEY' },
      { USER_NAME: 'me', KEY: SECRET },
      ({ asked }) => asked[0]?.headers['authorization'],
      `Basic ${Buffer.from(`me:${SECRET}`).toString('base64')}`,
    ],
  ])('%s', async (_, auth, env, seen, expected) => {
    const { desk, target } = await deskWith(undefined, { auth }, env);
    expect(await desk.ask('read', get)).toMatchObject({ success: true });
    expect(seen(target)).toBe(expected);
  });

  it('with client credentials: one token for many calls, a new one when it is refused', async () => {
    let token = 'token-one';
    const { desk, target } = await deskWith(
      ({ url, headers, body }, response) => {
        if (url === '/token') {
          expect(headers.authorization).toBe(
            `Basic ${Buffer.from(`me:${SECRET}`).toString('base64')}`,
          );
          expect(body).toBe('grant_type=client_credentials&scope=a+b');
          return answerJson(response, { access_token: token, expires_in: 3600 });
        }
        const isGood = headers.authorization === `Bearer ${token}`;
        answerJson(response, isGood ? { ok: true } : {}, isGood ? 200 : 401);
      },
      (origin) => ({
        auth: {
          type: 'oauth2',
          token_url: `${origin}/token`,
          client_id_env: 'ID',
          client_secret_env: 'KEY',
          scopes: ['a', 'b'],
        },
      }),
      { ID: 'me', KEY: SECRET },
    );
    const ask = () => desk.ask('read', get);
    expect(await Promise.all([ask(), ask(), ask()])).toMatchObject(
      Array.from({ length: 3 }, () => ({ success: true })),
    );
    expect(target.asked.filter(({ url }) => url === '/token')).toHaveLength(1);
    token = 'token-two';
    expect(await ask()).toMatchObject({ success: true });
    expect(target.asked.filter(({ url }) => url === '/token')).toHaveLength(2);
  });

  it('never shows a secret, even if the target returns it', async () => {
    const { desk } = await deskWith(
      ({ url, headers }, response) => {
        const status = url.includes('fail') ? 400 : 200;
        answerJson(response, { message: `You sent ${headers['authorization']}` }, status);
      },
      { auth: { type: 'bearer', token_env: 'KEY' } },
    );
    const answer = await desk.ask('read', get);
    expect(answer.data).toEqual({ message: 'You sent Bearer [redacted]' });
  });

  it('is not in an answer that echoes it in another form', async () => {
    const key = 'abc+/d"e é==';
    const forms = [
      encodeURIComponent(key),
      encodeURIComponent(key).toLowerCase(),
      JSON.stringify(key),
      JSON.stringify(key).replaceAll('/', '\\/'),
    ];
    const { desk } = await deskWith(
      ({ url }, response) => answerJson(response, { forms, url }),
      { auth: { type: 'api_key', key_env: 'KEY', query_name: 'key' } },
      { KEY: key },
    );
    const { data } = await desk.ask('read', get);
    expect(data).toEqual({
      forms: ['[redacted]', '[redacted]', '"[redacted]"', '"[redacted]"'],
      url: expect.stringMatching(/[?&]key=\[redacted\]$/),
    });
  });

  it('needs a variable without line breaks', async () => {
    const auth = { type: 'bearer', token_env: 'KEY' };
    const { desk, target } = await deskWith(undefined, { auth }, { KEY: 'a\r\nX-Evil: 1' });
    const { error } = await desk.ask('read', get);
    expect(error?.code).toBe('AUTH_CONFIG_INVALID');
    expect(JSON.stringify(error)).not.toContain('Evil');
    expect(target.asked).toEqual([]);
  });
});

describe('a temporary failure', () => {
  const failOnce: Answerer = (_, response, count) =>
    answerJson(response, {}, count === 1 ? 503 : 200);

  it.each([
    ['read', 'get_it', 2],
    ['update', 'put_it', 2],
    ['create', 'post_it', 1],
  ])('is repeated if that is safe: %s %s, %i times', async (endpoint, operation, times) => {
    const { desk, target } = await deskWith(failOnce, { target: { retries: 3 } });
    const { success } = await desk.ask(endpoint, { operation });
    expect([success, target.asked.length]).toEqual([times === 2, times]);
  });

  it('is not repeated by default', async () => {
    const { desk, target } = await deskWith(failOnce);
    expect(await desk.ask('read', get)).toMatchObject({ success: false });
    expect(target.asked).toHaveLength(1);
  });

  it('is repeated as often as configured, and then reported', async () => {
    const { desk, target } = await deskWith((_, response) => response.destroy(), {
      target: { retries: 2 },
    });
    expect((await desk.ask('read', get)).error?.code).toBe('TRANSPORT_NETWORK_ERROR');
    expect(target.asked).toHaveLength(3);
  });
});

describe('a target that asks for a pause', () => {
  it('gets no request until it is over', async () => {
    const { desk, target } = await deskWith(
      (_, response) => {
        response.setHeader('retry-after', '120');
        answerJson(response, {}, 429);
      },
      { target: { retries: 3 } },
    );
    const codes = [await desk.ask('read', get), await desk.ask('read', get)].map(({ error }) => [
      error?.code,
      error?.details['retry_after_seconds'],
    ]);
    expect(codes).toEqual([
      ['RATE_LIMIT_EXCEEDED', 120],
      ['RATE_LIMIT_EXCEEDED', 120],
    ]);
    expect(target.asked).toHaveLength(1);
  });

  it('is called again if the pause is short and repeating is safe', async () => {
    const { desk, target } = await deskWith(
      (_, response, count) => {
        if (count === 1) response.setHeader('retry-after', '0');
        answerJson(response, {}, count === 1 ? 429 : 200);
      },
      { target: { retries: 1 } },
    );
    expect(await desk.ask('read', get)).toMatchObject({ success: true });
    expect(target.asked).toHaveLength(2);
  });
});

describe('a target that', () => {
  it('does not exist is distinguished from one that does not answer', async () => {
    const base_url = `http://127.0.0.1:${await closedPort()}/api`;
    const nobody = await deskWith(undefined, { target: { base_url } });
    expect((await nobody.desk.ask('read', get)).error?.code).toBe('TRANSPORT_CONNECTION_REFUSED');
    const silent = await deskWith(() => undefined, { target: { timeout_ms: 100 } });
    expect((await silent.desk.ask('read', get)).error).toMatchObject({
      code: 'TRANSPORT_TIMEOUT',
      message: 'The target did not answer within 0.1 s.',
    });
  });

  it('is still working is stopped when the caller cancels', async () => {
    const calls: Call[] = [];
    const { desk, target } = await deskWith((_, response) => {
      response.on('close', () => calls.pop());
      calls[0]!.context.cancel();
    });
    const name = desk.tool('read');
    calls.push(callOf(JSON.stringify({ name, arguments: get })));
    await expect(desk.source.route('tool', name)!.send(calls[0]!)).rejects.toThrow('cancelled');
    await expect.poll(() => calls).toEqual([]);
    expect(target.asked).toHaveLength(1);
  });
});
