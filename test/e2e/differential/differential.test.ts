/** Each answer of a server, directly and through the gateway, in every quadrant of eras and at both listeners. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { complete } from '../clients/peer.js';
import type { Answer, ClientOptions, Era, Peer, Question } from '../clients/peer.js';
import { normalItems, normalQuestion, normalResult, tokens } from './normal-form.js';
import type { Operation } from './operations.js';
import { LISTENERS, Scene } from './scene.js';
import { GROUPS, setUpSubjects, tearDownSubjects, type Subject } from './subjects.js';

const ANSWERS: Readonly<Record<string, string>> = {
  'elicitation/create':
    '{"action":"accept","content":{"z":"last","answer":"yes","name":"Ada","color":"red","ok":true,"username":"ada","email":"a@b.c","context":"tests"}}',
  'sampling/createMessage':
    '{"role":"assistant","content":{"type":"text","text":"Hi é"},"model":"m-1","stopReason":"endTurn"}',
  'roots/list': '{"roots":[]}',
};
const CLIENT: ClientOptions = { answer: ({ method }) => ANSWERS[method]! };
const LISTS = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};
const ROOTS = 'roots/list';
const ERAS: readonly Era[] = ['session', 'stateless'];

beforeAll(setUpSubjects);
afterAll(tearDownSubjects);

describe.each(GROUPS.map((subjects) => ({ subjects })))('a gateway with', ({ subjects }) => {
  const scene = new Scene(subjects, CLIENT);
  const clients = new Map<string, Peer>();

  beforeAll(async () => {
    await scene.open();
    for (const listener of LISTENERS) {
      for (const era of ERAS) clients.set(`${listener} ${era}`, await scene.through(listener, era));
    }
  });
  afterAll(() => scene.close());

  const isNoisy = subjects.some((subject) => subject.asksForRoots);
  const cases = subjects.flatMap((subject) =>
    LISTENERS.flatMap((listener) =>
      ERAS.map((era) => ({ subject, title: subject.title, listener, era })),
    ),
  );

  describe.each(cases)(
    '$title, at the listener of $listener, to a client of the $era era',
    ({ subject, listener, era }) => {
      const serverEra = subject.eras.includes(era) ? era : subject.eras[0]!;
      /** In the session era at both ends, nothing at all may change. */
      const isExact = era === 'session' && serverEra === 'session';
      const direct = (): Peer => scene.direct(subject, listener, serverEra);
      const through = (): Peer => clients.get(`${listener} ${era}`)!;
      const prefix = `${subject.key}:`;

      it(
        'lists the same',
        shows('AGG-38', 'FR-008', async () => {
          for (const [method, member] of Object.entries(LISTS)) {
            const own = await direct().request(method);
            const list = await through().request(method);
            // If the server has no such list, that of the gateway has only items of the others.
            const items = own.result === undefined ? [] : normalItems(own.result, member);
            const isNamed = member === 'tools' || member === 'prompts';
            const same = isNamed
              ? normalItems(list.result!, member, prefix)
              : normalItems(list.result!, member).filter((item) => items.includes(item));
            expect(same, method).toEqual(items);
          }
        }),
      );

      it.each(titled(subject))(
        'answers the same to %s',
        shows('AGG-39', 'FR-007', 'FR-008', 'ANN-45', async (_: string, operation: Operation) => {
          const own = await run(direct(), operation, '');
          const same = await run(through(), operation, prefix);
          const isMeant = ({ method }: Question): boolean =>
            !isNoisy || method !== ROOTS || asksForRoots(operation);
          expect(comparable(same, isMeant)).toEqual(comparable(own, isMeant));
          if (isExact) expect([same.result, same.error]).toEqual([own.result, own.error]);
        }),
      );
    },
  );
});

function titled({ operations }: Subject): [string, Operation][] {
  return operations.map((operation) => {
    const { method, members = '', meta, name = '' } = operation;
    const text = `${method} ${members}`.replace('{name}', name).slice(0, 70);
    return [meta === undefined ? text : `${text} with ${meta}`, operation];
  });
}

function run(
  peer: Peer,
  { method, members, meta, name }: Operation,
  prefix: string,
): Promise<Answer> {
  const named = members?.replace('{name}', JSON.stringify(`${prefix}${name}`));
  return complete(peer, CLIENT, [method, named, meta]);
}

/** Servers that ask for roots at any time may do so during any call. */
function asksForRoots({ members = '', name = '' }: Operation): boolean {
  return /roots|multiple_inputs/.test(members + name);
}

/** The parts of two answers that must be the same. */
function comparable(
  { result, error, notes, questions }: Answer,
  isMeant: (question: Question) => boolean,
): object {
  return {
    result: result === undefined ? undefined : normalResult(result),
    error: tokens(error),
    progress: notes
      .filter(({ method }) => method === 'notifications/progress')
      .map(({ params }) => tokens(params)),
    questions: questions
      .filter(isMeant)
      .map(({ method, params }) => [method, normalQuestion(params)]),
  };
}
