/** Each answer of a server, directly and through the gateway, in every quadrant of eras and at both doors. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { TestGateway, type Door } from '../clients/gateway.js';
import { complete, type Answer, type ClientOptions, type Era, type Peer } from '../clients/peer.js';
import { Pipe, PipePeer } from '../clients/pipe-peer.js';
import { normalItems, normalQuestion, normalResult, tokens } from './normal-form.js';
import type { Operation } from './operations.js';
import { setUpSubjects, SUBJECTS, tearDownSubjects, type Subject } from './subjects.js';

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
const KEY = 'child';
const DOORS: readonly Door[] = ['stdio', 'http'];
const ERAS: readonly Era[] = ['session', 'stateless'];

beforeAll(setUpSubjects);
afterAll(tearDownSubjects);

describe.each(SUBJECTS)('$title', (subject) => {
  const gateways = new Map<Door, TestGateway>();
  /** Servers of our own, one for each era: a pipe speaks only one. */
  const direct = new Map<string, Peer>();
  const directOf = (door: Door, era: Era): Peer =>
    direct.get(`${subject.remembers ? door : 'any'} ${era}`)!;

  beforeAll(async () => {
    const settings = { servers: { [KEY]: subject.settings ?? {} } };
    for (const door of DOORS) {
      gateways.set(
        door,
        new TestGateway(door, { servers: { [KEY]: subject.command() }, settings }),
      );
    }
    for (const door of subject.remembers ? DOORS : ['any']) {
      for (const era of subject.eras) {
        const peer = new PipePeer(new Pipe(subject.command()), era, CLIENT);
        direct.set(`${door} ${era}`, peer);
      }
    }
    await Promise.all(Array.from(direct.values(), (peer) => peer.open()));
  });

  afterAll(async () => {
    await Promise.all([
      ...Array.from(gateways.values(), (gateway) => gateway.stop()),
      ...Array.from(direct.values(), (peer) => peer.close()),
    ]);
  });

  describe.each(DOORS)('behind the door of %s', (door) => {
    describe.each(ERAS)('to a client of the %s era', (era) => {
      let through: Peer;
      const serverEra = subject.eras.includes(era) ? era : subject.eras[0]!;
      /** In the session era at both ends, nothing at all may change. */
      const isExact = era === 'session' && serverEra === 'session';

      beforeAll(async () => {
        through = await gateways.get(door)!.connect(era, CLIENT);
      });

      it(
        'lists the same',
        shows('AGG-38', 'FR-008', async () => {
          for (const [method, member] of Object.entries(LISTS)) {
            const own = await directOf(door, serverEra).request(method);
            const list = await through.request(method);
            if (own.result === undefined) {
              expect(JSON.parse(list.result!)[member], method).toEqual([]);
              continue;
            }
            const prefix = member === 'tools' || member === 'prompts' ? `${KEY}:` : '';
            expect(normalItems(list.result!, member, prefix), method).toEqual(
              normalItems(own.result, member),
            );
          }
        }),
      );

      it.each(titled(subject))(
        'answers the same to %s',
        shows('AGG-39', 'FR-007', 'FR-008', 'ANN-45', async (_: string, operation: Operation) => {
          const own = await run(directOf(door, serverEra), operation, '');
          const same = await run(through, operation, `${KEY}:`);
          expect(comparable(same)).toEqual(comparable(own));
          if (isExact) expect([same.result, same.error]).toEqual([own.result, own.error]);
        }),
      );
    });
  });
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

/** What must be the same of two answers. */
function comparable({ result, error, notes, questions }: Answer): object {
  return {
    result: result === undefined ? undefined : normalResult(result),
    error: tokens(error),
    progress: notes
      .filter(({ method }) => method === 'notifications/progress')
      .map(({ params }) => tokens(params)),
    questions: questions.map(({ method, params }) => [method, normalQuestion(params)]),
  };
}
