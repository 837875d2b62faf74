/** A server with `placement: one`: everything that it offers, through every instance. */

import { createApiKey } from '@callsign/auth';
import { expect, it, vi } from 'vitest';

import { describePostgres } from '../../testing/postgres.js';
import { HttpPeer } from '../clients/http-peer.js';
import type { ClientOptions, Era, Peer } from '../clients/peer.js';
import { extended, resultOf } from '../extensions/extended.js';
import { begin, ended, EXTENSION, get, outcome, type State } from '../extensions/waiting-calls.js';
import { machines, type Machine } from './machines.js';

const KEY = createApiKey();
const HEADERS = { authorization: `Bearer ${KEY.key}` };
const SETTINGS = {
  instances: { secrets: ['a secret of the instances in this test'] },
  auth: { keys: [{ name: 'ada', hash: KEY.hash, roles: ['all'] }] },
  roles: { all: { allow: ['kid:*'] } },
};
const CLIENT: ClientOptions = {
  capabilities: `{"elicitation":{"form":{},"url":{}},"extensions":{"${EXTENSION}":{}}}`,
  answer: () => '{"action":"accept","content":{}}',
};
const SOON = { timeout: 60_000, interval: 100 };
const FLAGS = ['--skills', '--tasks', '--apps', '--custom', '--instructions=Be kind.'];

/** One of them runs the server, and the other one uses it from there. */
async function connected(all: readonly Machine[], era: Era): Promise<Peer[]> {
  return Promise.all(
    all.map(async ({ gateway }) => {
      const peer = new HttpPeer(gateway.url, era, CLIENT, HEADERS);
      await peer.open();
      await peer.request('tools/list');
      return peer;
    }),
  );
}

/** What a new client is told. */
async function greeting({ gateway }: Machine, era: Era): Promise<object> {
  const { result } = await new HttpPeer(gateway.url, era, CLIENT, HEADERS).open();
  const { capabilities, instructions } = JSON.parse(result!) as Record<string, unknown>;
  return { capabilities, instructions };
}

const textOf = async (peer: Peer, uri: string): Promise<string> =>
  JSON.stringify(await resultOf(peer, 'resources/read', { uri }));

/** A call during which the server asks. Stateless clients send the answer with a second request. */
async function visit(peer: Peer): Promise<string> {
  const name = 'kid:visit';
  const first = await resultOf<{
    requestState?: string;
    inputRequests?: object;
  }>(peer, 'tools/call', { name });
  if (peer.era === 'session') return JSON.stringify(first);
  const [key] = Object.keys(first.inputRequests!);
  const inputResponses = { [key!]: { action: 'accept' } };
  const { requestState } = first;
  return JSON.stringify(await resultOf(peer, 'tools/call', { name, requestState, inputResponses }));
}

describePostgres('a server that runs on one of two instances', (postgres) => {
  it.each([
    ['session', 'session'],
    ['session', 'stateless'],
    ['stateless', 'session'],
    ['stateless', 'stateless'],
  ] as const)(
    'D13: offers the same through both, %s client, %s server',
    async (era, spoken) => {
      const kid = extended(`--${spoken}`, '--name=kid', ...FLAGS);
      const both = await machines(postgres, 2, SETTINGS, { servers: { kid } });
      const peers = await connected(both, era);
      // An instance learns a moment later what a server of another one offers.
      await vi.waitFor(async () => {
        const [one, two] = await Promise.all(both.map((each) => greeting(each, era)));
        expect(two).toEqual(one);
        expect(JSON.stringify(one)).toContain('com.example/custom');
      }, SOON);
      for (const peer of peers) {
        const { skills } = await resultOf<{ skills: { uri: string }[] }>(peer, 'skills/list');
        expect(skills.map(({ uri }) => uri)).toEqual([
          'skill://review/SKILL.md',
          'skill://kid-only/SKILL.md',
        ]);
        expect(await textOf(peer, 'skill://review/templates/plan.md')).toContain('The plan of kid');
        const folder = { uri: 'skill://review/templates' };
        expect(JSON.stringify(await resultOf(peer, 'resources/directory/read', folder))).toContain(
          'plan.md',
        );
        expect(await textOf(peer, 'ui://app/hidden.html')).toContain('<html>kid');
        expect(await resultOf(peer, 'com.example/describe', { name: 'kid:greet' })).toMatchObject({
          by: 'kid',
        });
        expect(await textOf(peer, 'plain://item/7')).toContain('plain://item/7');
        expect(await visit(peer)).toContain('accept');

        const { taskId } = await begin(peer, 'kid:slow_compute', { label: 'x', seconds: 1 });
        expect((await get(peer, taskId)).status).toBe('working');
        await ended(peer, taskId, 'completed');
        expect(await outcome(peer, taskId)).toContain('kid computed x');
        const long = await begin(peer, 'kid:slow_compute', { seconds: 60 });
        await resultOf(peer, 'tasks/cancel', { taskId: long.taskId });
        await ended(peer, long.taskId, 'cancelled');

        const asking = await begin(peer, 'kid:confirm_delete', { filename: 'y' });
        await ended(peer, asking.taskId, 'input_required');
        if (era === 'stateless') {
          const { inputRequests } = await get(peer, asking.taskId);
          const [key] = Object.keys(inputRequests!);
          const inputResponses = { [key!]: { action: 'accept', content: {} } };
          await resultOf(peer, 'tasks/update', { taskId: asking.taskId, inputResponses });
          await ended(peer, asking.taskId, 'completed');
        } else {
          const { tasks } = await resultOf<{ tasks: State[] }>(peer, 'tasks/list');
          expect(tasks.map((task) => task.taskId)).toContain(asking.taskId);
        }
        expect(await outcome(peer, asking.taskId)).toContain('accept y');
      }
    },
    120_000,
  );
});
