/**
 * Answers a server's question that belongs to no call, by asking the one client that can answer it.
 */

import type { Question, Reply } from '@callsign/core';

export interface Answerer {
  can(capability: string): boolean;
  /** Whether the client may see anything of a server. */
  seesServer(server: string): boolean;
  ask(question: Question): Promise<Reply>;
}

/** With several able clients none is asked: it is unknown which one the question is for. */
export function answerLoose(
  clients: readonly Answerer[],
  question: Question,
  server: string,
): Promise<Reply> | undefined {
  const [capability = ''] = question.method.split('/');
  const able = clients.filter((client) => client.seesServer(server) && client.can(capability));
  if (able.length === 1) return able[0]!.ask(question);
  // A server may ask for roots before a client has connected.
  return question.method === 'roots/list'
    ? Promise.resolve({ ok: true, json: '{"roots":[]}' })
    : undefined;
}
