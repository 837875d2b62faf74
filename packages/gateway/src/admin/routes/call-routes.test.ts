import { NOTHING, type Question, type Reply, type Source } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import type { Gateway } from '../../gateway/gateway.js';
import { AdminRouter } from '../router/admin-router.js';
import { serveCalls } from './call-routes.js';

const QUESTION: Question = { method: 'elicitation/create', params: '{"message":"Sure?"}' };
const REQUEST = {
  name: 's:ask',
  canonical: 's:ask',
  args: '{}',
  client: { name: 'callsign', version: '1' },
  canAsk: true,
  isApproved: false,
};

/** An operator's call to a server that asks one question, and the answer that the server gets. */
async function asked(question = QUESTION) {
  let answered: (reply: Reply) => void = () => undefined;
  const answer = new Promise<Reply>((resolve) => {
    answered = resolve;
  });
  const view: Source = {
    offer: NOTHING,
    route: () => ({
      send: async ({ context }) => {
        const reply = await context.ask!(question);
        answered(reply);
        return reply;
      },
    }),
    subscribe: () => () => undefined,
    tell: () => undefined,
  };
  const router = new AdminRouter();
  serveCalls(router, { viewFor: () => view } as never as Gateway);
  const { body } = await router.answer('POST', '/calls', REQUEST);
  const events = (body as ReadableStream<{ type: string; id: string }>).getReader();
  const { id } = (await events.read()).value!;
  expect((await events.read()).value).toMatchObject({ type: 'question', number: 1 });
  return {
    answer,
    events,
    reply: (json: string) => router.answer('POST', `/calls/${id}/1`, { ok: true, json }),
  };
}

describe('a question of a server to the operator', () => {
  it('gets the answer of the operator', async () => {
    const { answer, reply } = await asked();
    await reply('{"action":"accept"}');
    expect(await answer).toEqual({ ok: true, json: '{"action":"accept"}' });
  });

  it('is answered as cancelled if the operator leaves', async () => {
    const { answer, events } = await asked();
    await events.cancel();
    expect((await answer).fault?.code).toBe('call-cancelled');
  });

  it('is answered as cancelled if the server takes it back, and is then unknown', async () => {
    let takeBack: () => void = () => undefined;
    const withdrawn = new Promise<void>((resolve) => {
      takeBack = resolve;
    });
    const { answer, reply } = await asked({ ...QUESTION, withdrawn });
    takeBack();
    expect((await answer).fault?.code).toBe('call-cancelled');
    expect(await reply('{}')).toMatchObject({ status: 404 });
  });
});
