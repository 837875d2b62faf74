/** What a server asks outside of any call: it goes to the one client that can answer, if there is just one. */

import type { Question, Reply } from '@callsign/core';

export interface Answerer {
  can(capability: string): boolean;
  ask(question: Question): Promise<Reply>;
}

export function answerLoose(
  clients: readonly Answerer[],
  question: Question,
): Promise<Reply> | undefined {
  const [capability = ''] = question.method.split('/');
  const able = clients.filter((client) => client.can(capability));
  if (able.length === 1) return able[0]!.ask(question);
  // A server may want its roots before anybody is there to name them.
  return question.method === 'roots/list'
    ? Promise.resolve({ ok: true, json: '{"roots":[]}' })
    : undefined;
}
