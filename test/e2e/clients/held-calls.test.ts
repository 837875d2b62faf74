/** A stateless client and a server with sessions that asks: the call is pending, and continues with the answers. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestGateway } from './gateway.js';
import { HttpPeer } from './http-peer.js';
import type { Json } from './json-tree.js';
import { complete, type ClientOptions, type Question } from './peer.js';
import { Pipe, PipePeer } from './pipe-peer.js';
import { fixture } from './servers.js';

const ASK = '"name":"plain:ask","arguments":{"kind":"elicitation","message":"Well?"}';
const YES = '"inputResponses":{"q1":{"action":"accept","content":{"answer":"yes"}}}';

let gateway: TestGateway;
let url: string;

beforeAll(async () => {
  const servers = {
    plain: fixture('plain-child'),
    every: fixture('everything'),
    modern: fixture('plain-child', '--stateless'),
  };
  const settings = { servers: { every: { era: 'session' } } };
  gateway = new TestGateway('http', { servers, settings });
  url = await gateway.url();
  await new HttpPeer(url, 'stateless').request('tools/list');
});
afterAll(() => gateway.stop());

const client = (options: ClientOptions = {}, headers = {}): HttpPeer =>
  new HttpPeer(url, 'stateless', options, headers);

async function asked(peer: HttpPeer, members = ASK): Promise<{ state: string; requests: Json }> {
  const { result } = await peer.request('tools/call', members);
  const { resultType, inputRequests: requests, requestState: state } = JSON.parse(result!);
  expect(resultType).toBe('input_required');
  return { state, requests };
}

const retry = (peer: HttpPeer, state: string, members = ASK, answers = YES) =>
  peer.request('tools/call', `${members},${answers},"requestState":${JSON.stringify(state)}`);

const FORM = 'elicitation/create';
const ANSWERS: Readonly<Record<string, string>> = {
  [FORM]: '{"action":"accept","content":{"name":"Ada","color":"red"}}',
  'sampling/createMessage':
    '{"role":"assistant","content":{"type":"text","text":"Hi"},"model":"m"}',
  'roots/list': '{"roots":[]}',
};

const answersTo = (requests: Record<string, { method: string }>): string => {
  const answers = Object.entries(requests).map(
    ([key, { method }]) => `"${key}":${ANSWERS[method]}`,
  );
  return `"inputResponses":{${answers.join(',')}}`;
};

const refused = expect.stringContaining('"code":-32602');

it('does not start again under an unknown state', async () => {
  for (const state of ['callsign.old.x.1.y', 'of another server']) {
    expect((await retry(client(), state)).error).toEqual(refused);
  }
});

describe('a pending call', () => {
  it('asks in a result, and continues with the unchanged answer', async () => {
    const peer = client();
    const { state, requests } = await asked(peer);
    expect(requests).toEqual({
      q1: {
        method: 'elicitation/create',
        params: {
          message: 'Well?',
          requestedSchema: {
            type: 'object',
            properties: { answer: { type: 'string', title: 'Answer' } },
            required: ['answer'],
          },
        },
      },
    });
    const answer = '{"action":"accept", "content":{"z":1,"answer":12345678901234567890}}';
    const { result } = await retry(peer, state, ASK, `"inputResponses":{"q1":${answer}}`);
    expect(result).toContain(`"structuredContent":{"answer":${answer}}`);
    expect(JSON.parse(result!).resultType).toBe('complete');
  });

  it.each([
    ['several things at once', 'multiple_inputs', 'Hi Ada, of 0 roots.', Object.keys(ANSWERS)],
    ['one thing after the other', 'multi_round', 'Ada likes red.', Array(2).fill(FORM)],
  ])('asks for %s', async (_, tool, text, methods) => {
    const options = { answer: ({ method }: Question) => ANSWERS[method]! };
    const members = `"name":"every:test_input_required_result_${tool}"`;
    const answer = await complete(client(options), options, ['tools/call', members]);
    expect(JSON.parse(answer.result!).content[0].text).toBe(text);
    expect(answer.questions.map(({ method }) => method).toSorted()).toEqual(methods.toSorted());
  });

  it('does not continue with a changed state', async () => {
    const peer = client();
    const { state } = await asked(peer);
    const parts = state.split('.');
    const bend = (index: number, part: string): string =>
      parts.map((old, at) => (at === index ? part : old)).join('.');
    for (const bent of [
      `${state}-TAMPERED`,
      `${state}.`,
      state.slice(0, -1),
      bend(2, 'AAAAAAAAAAAA'),
      bend(3, '2'),
      bend(4, 'é'.repeat(parts[4]!.length)),
      bend(4, ''),
      parts.slice(0, 3).join('.'),
    ]) {
      expect((await retry(peer, bent)).error, bent).toEqual(refused);
    }
    // None of that was its end.
    expect((await retry(peer, state)).result).toContain('"yes"');
  });

  it('continues for its own caller and as the same call only', async () => {
    const peer = client();
    const { state } = await asked(peer);
    expect((await retry(client({ name: 'somebody-else' }), state)).error).toEqual(refused);
    expect((await retry(client({}, { authorization: 'Bearer other' }), state)).error).toEqual(
      refused,
    );
    expect((await retry(peer, state, '"name":"plain:echo"')).error).toEqual(refused);
    const prompt = `"name":"plain:greet",${YES},"requestState":${JSON.stringify(state)}`;
    expect((await peer.request('prompts/get', prompt)).error).toEqual(refused);
    expect((await retry(peer, state)).result).toContain('"yes"');
  });

  it('continues once: a used state is refused', async () => {
    const peer = client();
    const { state } = await asked(peer);
    const [one, two] = await Promise.all([retry(peer, state), retry(peer, state)]);
    expect([one, two].map(({ error }) => error).filter(Boolean)).toEqual([refused]);
    expect((await retry(peer, state)).error).toEqual(refused);
    // An old round of a call that is still pending.
    const rounds = '"name":"every:test_input_required_result_multi_round"';
    const first = await asked(peer, rounds);
    const answers = '"inputResponses":{"q1":{"action":"accept","content":{"name":"Ada"}}}';
    const second = JSON.parse((await retry(peer, first.state, rounds, answers)).result!);
    expect(second.resultType).toBe('input_required');
    expect((await retry(peer, first.state, rounds, answers)).error).toEqual(refused);
    const rest = answersTo(second.inputRequests);
    expect((await retry(peer, second.requestState, rounds, rest)).result).toContain('Ada likes');
  });
});

describe('a client with a session', () => {
  it('may refuse to answer with its own error, which reaches the server unchanged', async () => {
    const refusal = '{"code":-1,"message":"User rejected","data":{"big":12345678901234567890}}';
    const saidBy = async (pipe: Pipe, name: string): Promise<string> => {
      const peer = new PipePeer(pipe, 'session', { refuse: () => refusal });
      await peer.open();
      const members = `"name":"${name}","arguments":{"kind":"sampling"}`;
      const { result } = await peer.request('tools/call', members);
      await pipe.close();
      return result!;
    };
    const own = await saidBy(new Pipe(fixture('plain-child')), 'ask');
    expect(own).toContain('12345678901234567890');
    const piped = new TestGateway('stdio', { servers: { plain: fixture('plain-child') } });
    expect(await saidBy(piped.pipe, 'plain:ask')).toBe(own);
    await piped.stop();
  });
});

describe('a server without sessions', () => {
  it('keeps its own state, which we do not read', async () => {
    const peer = client({ answer: () => '{"action":"accept","content":{"answer":"yes"}}' });
    const members = ASK.replace('plain:', 'modern:');
    const { state } = await asked(peer, members);
    expect(state).not.toContain('callsign');
    const answers = '"inputResponses":{"answer":{"action":"accept","content":{"answer":"yes"}}}';
    expect((await retry(peer, `${state}x`, members, answers)).error).toContain(
      'Invalid or expired requestState',
    );
    expect((await retry(peer, state, members, answers)).result).toContain('yes');
  });

  it.each(['elicitation', 'sampling', 'roots'])(
    'asks a client with a session by a real request for %s',
    async (kind) => {
      const answers: Record<string, string> = {
        'elicitation/create': '{"action":"accept","content":{"answer":1.10}}',
        'sampling/createMessage':
          '{"role":"assistant","content":{"type":"text","text":"é"},"model":"m"}',
        'roots/list': '{"roots":[{"uri":"file:///x","name":"X","x-more":{"z":1,"a":2}}]}',
      };
      const options: ClientOptions = { answer: ({ method }) => answers[method]! };
      const piped = new TestGateway('stdio', {
        servers: { modern: fixture('plain-child', '--stateless') },
      });
      for (const peer of [
        await gateway.connect('session', options),
        await piped.connect('session', options),
      ]) {
        const members = `"name":"modern:ask","arguments":{"kind":"${kind}"}`;
        const { result, questions } = await complete(peer, options, ['tools/call', members]);
        const [question] = questions;
        expect(questions).toHaveLength(1);
        expect(result).toContain(`"structuredContent":{"answer":${answers[question!.method]}}`);
        expect(result).not.toContain('resultType');
        await (peer instanceof PipePeer ? piped.stop() : peer.close());
      }
    },
  );

  it('is told that a client with a session cannot answer', async () => {
    const peer = await gateway.connect('session', { capabilities: '{"roots":{}}' });
    const members = '"name":"modern:ask","arguments":{"kind":"sampling"}';
    expect((await peer.request('tools/call', members)).error).toContain('-32021');
    await peer.close();
  });
});
