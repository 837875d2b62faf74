/** Tests the client with every fault of the sandbox. */

import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';

import { describe, expect, it, onTestFinished } from 'vitest';

import { FAULTS } from '../sandbox/fault.js';
import { JAFFLE_SHOP, type FaultName, type Sandbox } from '../sandbox/index.js';
import { clientOf, startSandbox } from '../testing/stage.js';
import type { LightdashClient } from './lightdash-client.js';
import { LightdashError, type LightdashErrorKind } from './lightdash-error.js';

/** For every fault: the kind of error, a part of its message, and how often a read is sent. */
const OUTCOMES: Readonly<
  Partial<Record<FaultName, readonly [LightdashErrorKind, string, number]>>
> = {
  'unauthorized-text': ['unauthorized', 'put it into LIGHTDASH_API_KEY', 1],
  'unauthorized-json': [
    'unauthorized',
    'token is not recognised. Create a personal access token',
    1,
  ],
  'tokens-disabled': ['unauthorized', 'Personal access tokens are disabled', 1],
  deactivated: ['unauthorized', 'Your account has been deactivated', 1],
  forbidden: ['forbidden', 'has no permission', 1],
  'groups-disabled': ['forbidden', 'Group service is not enabled', 1],
  'no-route': ['no-endpoint', 'older or newer', 1],
  'not-found': ['not-found', 'Lightdash API error: Not here', 1],
  invalid: ['invalid', 'Validation failed (see page)', 1],
  'rate-limited': ['rate-limited', 'Rate limited (429).', 4],
  'rate-limited-for-long': ['rate-limited', 'Rate limited (429). Retry after 86400s.', 1],
  'server-error': ['server', 'Lightdash API error: Something went wrong. Try again later.', 4],
  'bad-gateway': ['server', 'Lightdash API error: HTTP 502', 4],
  'web-page': ['not-lightdash', 'LIGHTDASH_URL must be the address', 1],
  redirect: ['not-lightdash', 'redirects to https://login.example.com.', 1],
  'error-as-success': ['invalid', 'Lightdash API error: It did not work', 1],
  'other-json': ['not-lightdash', 'not in the format of Lightdash', 1],
  'plain-text': ['not-lightdash', 'not JSON', 1],
  truncated: ['malformed', 'incomplete or damaged', 4],
  empty: ['malformed', 'did not return a list', 1],
  'no-content': ['malformed', 'did not return a list', 1],
  'null-results': ['malformed', 'did not return a list', 1],
  broken: ['unreachable', 'was lost during the answer', 4],
  reset: ['unreachable', 'Network error: no answer from http://127.0.0.1', 4],
  silent: ['timeout', 'did not answer within 1 seconds', 1],
};

/** Faults that do not affect a read. */
const HARMLESS: readonly FaultName[] = ['wrong-content-type', 'slow'];
const WAITING: readonly FaultName[] = ['rate-limited-seconds', 'rate-limited-date'];

async function failureOf(promise: Promise<unknown>): Promise<LightdashError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LightdashError);
  return error as LightdashError;
}

/** Only faults without an answer have a short time limit: the machine may be busy. */
const clientUnder = (sandbox: Sandbox, fault: string): LightdashClient =>
  clientOf(sandbox, fault === 'silent' ? { timeoutMs: 1_000 } : {});

describe('a read', () => {
  it.each(Object.entries(OUTCOMES))('under the fault %s', async (fault, outcome) => {
    const [kind, words, tries] = outcome;
    const sandbox = await startSandbox();
    sandbox.fail({ fault: fault as FaultName });
    const error = await failureOf(clientUnder(sandbox, fault).listCharts(JAFFLE_SHOP));
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(words);
    await expect.poll(() => sandbox.requests.length).toBe(tries);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(sandbox.token);
  });

  it.each(HARMLESS)('survives the fault %s', async (fault) => {
    const sandbox = await startSandbox();
    sandbox.fail({ fault, times: 1 });
    expect(await clientOf(sandbox).listCharts(JAFFLE_SHOP)).toHaveLength(312);
  });

  it('is tested with every fault of the sandbox', () => {
    const shown = [...Object.keys(OUTCOMES), ...HARMLESS, ...WAITING];
    expect(shown.toSorted()).toEqual(Object.keys(FAULTS).toSorted());
  });

  it.each<FaultName>(['server-error', 'bad-gateway', 'reset', 'truncated', 'rate-limited'])(
    'is retried until %s has passed',
    async (fault) => {
      const sandbox = await startSandbox();
      sandbox.fail({ fault, times: 2 });
      expect(await clientOf(sandbox).listCharts(JAFFLE_SHOP)).toHaveLength(312);
      expect(sandbox.requests).toHaveLength(3);
    },
  );

  it.each(WAITING)('waits as long as %s asks', async (fault) => {
    const sandbox = await startSandbox();
    sandbox.fail({ fault, times: 1 });
    expect(await clientOf(sandbox).listProjects()).toHaveLength(4);
    expect(sandbox.requests).toHaveLength(2);
    // It asks for about a second, so a client that waits only a moment gives up.
    const hasty = { retries: 3, firstPauseMs: 1, longestPauseMs: 5 };
    sandbox.fail({ fault, times: 1 });
    const { retryAfterMs } = await failureOf(clientOf(sandbox, { retry: hasty }).listProjects());
    expect(retryAfterMs).toBeGreaterThan(hasty.longestPauseMs);
    expect(sandbox.requests).toHaveLength(3);
  });

  it('reports that no server answers', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const sandbox = await startSandbox();
    const client = clientOf(sandbox, {}, { LIGHTDASH_URL: `http://127.0.0.1:${port}` });
    const error = await failureOf(client.listProjects());
    expect(error.kind).toBe('unreachable');
    expect(error.message).toContain(`http://127.0.0.1:${port} (ECONNREFUSED). Check LIGHTDASH_URL`);
  });

  it('refuses an endless answer', async () => {
    const sandbox = await startSandbox();
    const client = clientOf(sandbox, { maxAnswerBytes: 10_000 });
    expect(await failureOf(client.listCharts(JAFFLE_SHOP))).toMatchObject({
      kind: 'not-lightdash',
    });
    expect(await client.listProjects()).toHaveLength(4);
  });
});

describe('a write', () => {
  it.each<FaultName>(['server-error', 'bad-gateway', 'reset', 'rate-limited', 'broken', 'silent'])(
    'is sent once, with any answer: %s',
    async (fault) => {
      const sandbox = await startSandbox();
      sandbox.fail({ fault });
      await failureOf(clientUnder(sandbox, fault).createGroup('Night shift'));
      await failureOf(
        clientUnder(sandbox, fault).deleteGroup('9d615ede-5758-4954-9fb9-2a07fc415ba5'),
      );
      expect(sandbox.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    },
  );

  it.each<FaultName>(['no-content', 'empty'])(
    'succeeds with an empty answer: %s',
    async (fault) => {
      const sandbox = await startSandbox();
      sandbox.fail({ fault });
      await expect(
        clientOf(sandbox).deleteGroup('9d615ede-5758-4954-9fb9-2a07fc415ba5'),
      ).resolves.toBeUndefined();
    },
  );

  it('reports a name that is already in use', async () => {
    const sandbox = await startSandbox();
    const error = await failureOf(clientOf(sandbox).createGroup('Finance'));
    expect(error).toMatchObject({ status: 409, apiName: 'AlreadyExistsError', kind: 'invalid' });
  });
});

describe('the token', () => {
  it('is not shown by an error about it', async () => {
    const sandbox = await startSandbox();
    const env = { LIGHTDASH_API_KEY: 'ldpat_wrong' };
    const error = await failureOf(clientOf(sandbox, {}, env).listProjects());
    expect(inspect(error, { showHidden: true })).not.toContain('ldpat_wrong');
  });

  it.each([
    ['as a sentence', (token: string) => ({ message: `${'x'.repeat(490)} ${token} is unknown` })],
    ['as a field', (token: string) => ({ message: 'wrong', data: { [token]: {} } })],
    ['as a name', (token: string) => ({ name: token, message: `ApiKey%20${token}` })],
  ])('is not shown if the server repeats it, %s (B15)', async (_, error) => {
    const server = createHttpServer((request, response) => {
      const token = String(request.headers.authorization).replace('ApiKey ', '');
      const said = { statusCode: 422, ...error(`${token}/proxy-hush`) };
      response.writeHead(422).end(JSON.stringify({ status: 'error', error: said }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const env = {
      LIGHTDASH_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      LIGHTDASH_API_KEY: 'ldpat_hush',
      LIGHTDASH_PROXY_AUTHORIZATION: 'proxy-hush',
    };
    const shown = inspect(await failureOf(clientOf(await startSandbox(), {}, env).listProjects()));
    expect(shown).toContain('[redact');
    expect(shown).not.toMatch(/hush|ldpat/);
  });

  it('is not sent to another host after a redirect', async () => {
    const elsewhere = await startSandbox();
    const Location = `${elsewhere.url}/api/v1/org/projects`;
    const here = createHttpServer((_, response) => response.writeHead(307, { Location }).end());
    onTestFinished(() => void here.close());
    here.listen(0, '127.0.0.1');
    await once(here, 'listening');
    const { port } = here.address() as AddressInfo;
    const env = { LIGHTDASH_URL: `http://127.0.0.1:${port}` };
    const error = await failureOf(clientOf(elsewhere, {}, env).listProjects());
    expect(error.kind).toBe('not-lightdash');
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('a cancelled call', () => {
  it('ends at once, and closes its connection', async () => {
    const sandbox = await startSandbox();
    sandbox.fail({ fault: 'silent' });
    const stop = new AbortController();
    const call = clientOf(sandbox).listProjects({ signal: stop.signal });
    await expect.poll(() => sandbox.requests.length).toBe(1);
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  it('does not wait for the next try', async () => {
    const sandbox = await startSandbox();
    sandbox.fail({ fault: 'server-error' });
    const stop = new AbortController();
    const retry = { retries: 3, firstPauseMs: 60_000, longestPauseMs: 60_000 };
    const call = clientOf(sandbox, { retry }).listProjects({ signal: stop.signal });
    await expect.poll(() => sandbox.requests.length).toBe(1);
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(sandbox.requests).toHaveLength(1);
  });
});

describe('many calls at once', () => {
  it('reach Lightdash a few at a time', async () => {
    let inside = 0;
    let most = 0;
    const held: (() => void)[] = [];
    const slow = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        most = Math.max(most, ++inside);
        held.push(() => {
          inside--;
          const body = '{"status":"ok","results":[]}';
          const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close`;
          socket.end(`${head}\r\n\r\n${body}`);
        });
        // Answers when three requests have arrived, after a delay in which a fourth could arrive.
        if (held.length === 3) setTimeout(() => held.splice(0).forEach((answer) => answer()), 20);
      });
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void slow.close());
    await once(slow, 'listening');
    const { port } = slow.address() as AddressInfo;
    const sandbox = await startSandbox();
    const client = clientOf(
      sandbox,
      { concurrency: 3 },
      { LIGHTDASH_URL: `http://127.0.0.1:${port}` },
    );
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.listProjects()));
    expect(answers).toHaveLength(12);
    expect(most).toBe(3);
  });

  it('are not delayed by one that waits for its next try', async () => {
    const sandbox = await startSandbox();
    sandbox.fail({ fault: 'server-error', path: /charts$/ });
    const retry = { retries: 1, firstPauseMs: 60_000, longestPauseMs: 60_000 };
    const client = clientOf(sandbox, { concurrency: 1, retry });
    const stop = new AbortController();
    const waiting = client.listCharts(JAFFLE_SHOP, { signal: stop.signal });
    await expect.poll(() => sandbox.requests.length).toBe(1);
    expect(await client.listProjects()).toHaveLength(4);
    stop.abort();
    await expect(waiting).rejects.toThrow();
  });
});
