import { describe, expect, it } from 'vitest';

import { answerLoose, type Answerer } from './loose-question.js';

const client = (name: string, ...abilities: string[]): Answerer => ({
  can: (ability) => abilities.includes(ability),
  seesServer: (server) => server === 'kid',
  ask: () => Promise.resolve({ ok: true, json: `"${name}"` }),
});
const about = (method: string) => ({ method, params: '{}' });

describe('a question outside of any call', () => {
  it('goes to the one client that can answer it', async () => {
    const clients = [client('a', 'sampling'), client('b', 'elicitation'), client('c')];
    expect(await answerLoose(clients, about('sampling/createMessage'), 'kid')).toMatchObject({
      json: '"a"',
    });
    expect(await answerLoose(clients, about('elicitation/create'), 'kid')).toMatchObject({
      json: '"b"',
    });
  });

  it('goes to no client if several could be meant, or none can', () => {
    const clients = [client('a', 'sampling'), client('b', 'sampling')];
    expect(answerLoose(clients, about('sampling/createMessage'), 'kid')).toBeUndefined();
    expect(answerLoose([], about('elicitation/create'), 'kid')).toBeUndefined();
  });

  it('V3: goes to no client that may not see the server', async () => {
    const clients = [client('a', 'sampling', 'roots')];
    expect(answerLoose(clients, about('sampling/createMessage'), 'hidden')).toBeUndefined();
    expect(await answerLoose(clients, about('roots/list'), 'hidden')).toEqual({
      ok: true,
      json: '{"roots":[]}',
    });
  });

  it('about roots is answered with none if no client can answer', async () => {
    expect(await answerLoose([], about('roots/list'), 'kid')).toEqual({
      ok: true,
      json: '{"roots":[]}',
    });
  });
});
