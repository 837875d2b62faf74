import { describe, expect, it } from 'vitest';

import { answerLoose, type Answerer } from './loose-question.js';

const client = (name: string, ...abilities: string[]): Answerer => ({
  can: (ability) => abilities.includes(ability),
  ask: () => Promise.resolve({ ok: true, json: `"${name}"` }),
});
const about = (method: string) => ({ method, params: '{}' });

describe('a question outside of any call', () => {
  it('goes to the one client that can answer it', async () => {
    const clients = [client('a', 'sampling'), client('b', 'elicitation'), client('c')];
    expect(await answerLoose(clients, about('sampling/createMessage'))).toMatchObject({
      json: '"a"',
    });
    expect(await answerLoose(clients, about('elicitation/create'))).toMatchObject({ json: '"b"' });
  });

  it('goes to nobody where several could be meant, or none can', () => {
    const clients = [client('a', 'sampling'), client('b', 'sampling')];
    expect(answerLoose(clients, about('sampling/createMessage'))).toBeUndefined();
    expect(answerLoose([], about('elicitation/create'))).toBeUndefined();
  });

  it('about roots is answered by none where nobody can say', async () => {
    expect(await answerLoose([], about('roots/list'))).toEqual({ ok: true, json: '{"roots":[]}' });
  });
});
