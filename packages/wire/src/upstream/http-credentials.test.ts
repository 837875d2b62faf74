import { describe, expect, it, onTestFinished } from 'vitest';

import type { HttpCredentials } from '../rpc/http/http-credentials.js';
import {
  Ear,
  reply,
  replyToHandshake,
  serveByHand,
  streamOf,
  type HandServer,
} from '../testing/http-peer.js';
import { openHttp } from './http-channel.js';
import { openSse } from './sse-channel.js';

const ADVICE = 'sign in with: callsign login s';

/** A server that accepts one token, which may change. */
async function serveTo(isGood: (token: string | undefined) => boolean): Promise<HandServer> {
  const server = await serveByHand((seen, res) => {
    if (!isGood(seen.headers.authorization)) {
      const challenge = { 'www-authenticate': 'Bearer resource_metadata="https://x/prm"' };
      return reply(res, 401, { error: 'invalid_token' }, challenge);
    }
    if (!replyToHandshake(seen, res)) {
      reply(res, 200, { jsonrpc: '2.0', id: seen.message['id'], result: {} });
    }
  });
  onTestFinished(() => server.close());
  return server;
}

/** Gives these tokens, the next one after each refusal. */
function showing(...tokens: readonly string[]) {
  const challenges: (string | undefined)[] = [];
  let at = 0;
  const headersOf = (token: string | undefined): Record<string, string> =>
    token === undefined ? {} : { authorization: token };
  const credentials: HttpCredentials = {
    advice: ADVICE,
    headers: async () => headersOf(tokens[at]),
    async renew({ authorization }, challenge) {
      challenges.push(challenge);
      if (authorization === tokens[at]) at++;
      return at < tokens.length;
    },
  };
  return { credentials, challenges };
}

function ear(url: string, credentials: HttpCredentials): Ear {
  const options = { url, headers: {}, maxMessageBytes: 100_000, credentials };
  const made = new Ear(openHttp({ ...options, era: 'session' }));
  onTestFinished(() => made.channel.close());
  return made;
}

describe('credentials over HTTP', () => {
  it('are sent with every request: messages, the stream of events, the end', async () => {
    const server = await serveTo((token) => token === 'Bearer a');
    const client = ear(server.url, showing('Bearer a').credentials);
    await client.greet();
    await client.answer(client.ask('tools/list'));
    await client.channel.close();
    expect(server.seen.map(({ method }) => method)).toEqual(
      expect.arrayContaining(['POST', 'GET', 'DELETE']),
    );
    expect(new Set(server.seen.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer a']),
    );
  });

  it('are renewed once when the server refuses them, and the call is sent again', async () => {
    let good = 'Bearer a';
    const server = await serveTo((token) => token === good);
    const { credentials, challenges } = showing('Bearer a', 'Bearer b');
    const client = ear(server.url, credentials);
    await client.greet();
    await client.until(() => server.seen.some(({ method }) => method === 'GET'));
    good = 'Bearer b';
    const id = client.ask('tools/call', { name: 'x' });
    expect(await client.answer(id)).toMatchObject({ result: {} });
    const calls = server.seen.filter(({ message }) => message['method'] === 'tools/call');
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer a', 'Bearer b']);
    expect(challenges[0]).toBe('Bearer resource_metadata="https://x/prm"');
  });

  it.each([
    ['there are none', []],
    ['there are no others', ['Bearer a']],
    ['the others are refused as well', ['Bearer a', 'Bearer b', 'Bearer c']],
  ])('that are not available make the advice the answer: %s', async (_, tokens) => {
    const server = await serveTo(() => false);
    const client = ear(server.url, showing(...tokens).credentials);
    const error = await client.failure('initialize', {});
    expect(error.message).toContain(ADVICE);
    expect(error.data).toEqual({ status: 401 });
    expect(server.seen.length).toBe(Math.min(2, Math.max(1, tokens.length)));
  });

  it('that lack scopes make what to do the answer; another 403 stays as it is', async () => {
    let challenge = 'Bearer error="insufficient_scope", scope="write"';
    const server = await serveByHand((seen, res) => {
      if (seen.message['method'] === 'tools/call') {
        return reply(res, 403, {}, { 'www-authenticate': challenge });
      }
      replyToHandshake(seen, res);
    });
    onTestFinished(() => server.close());
    const { credentials } = showing('Bearer a');
    const client = ear(server.url, {
      ...credentials,
      scopeAdvice: (said) => (said.includes('insufficient_scope') ? 'ask for "write"' : undefined),
    });
    await client.greet();
    const error = await client.failure('tools/call', { name: 'x' });
    expect(error.message).toContain('ask for "write"');
    expect(error.data).toEqual({ status: 403 });
    challenge = 'Bearer error="invalid_token"';
    const other = await client.failure('tools/call', { name: 'x' });
    expect(other.message).toContain('HTTP 403');
    expect(server.seen.filter(({ message }) => message['method'] === 'tools/call')).toHaveLength(2);
  });

  it('are sent to the older pair of endpoints too', async () => {
    const server = await serveByHand((seen, res) => {
      if (seen.headers.authorization !== 'Bearer b') return res.writeHead(401).end();
      if (seen.method === 'GET') return streamOf(res)('/messages', 'event: endpoint\n');
      return res.writeHead(202).end();
    });
    onTestFinished(() => server.close());
    const { credentials } = showing('Bearer a', 'Bearer b');
    const options = { url: server.url, headers: {}, maxMessageBytes: 100_000, credentials };
    const client = new Ear(openSse(options));
    onTestFinished(() => client.channel.close());
    client.ask('initialize', {});
    await client.until(() => server.seen.some(({ method }) => method === 'POST'));
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer a',
      'Bearer b',
      'Bearer b',
    ]);
  });
});
