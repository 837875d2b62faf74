/** Calls that wait for an operator as tasks, on instances that share a PostgreSQL. */

import { expect, it, onTestFinished } from 'vitest';

import { describePostgres } from '../../testing/postgres.js';
import { HttpPeer } from '../clients/http-peer.js';
import type { Era } from '../clients/peer.js';
import { resultOf } from '../extensions/extended.js';
import { begin, CLIENT, ended, get, outcome, WAIT } from '../extensions/waiting-calls.js';
import { type Machine, machines } from './machines.js';

const SETTINGS = {
  annotations: { 'kid:*': { preset: 'WRITE_DESTRUCTIVE' } },
  policy: 'careful',
};
/** An instance counts as ended after 15 seconds of silence. */
const GONE = { timeout: 40_000 };

async function connect({ gateway }: Machine, era: Era): Promise<HttpPeer> {
  const peer = new HttpPeer(gateway.url, era, CLIENT);
  await peer.open();
  return peer;
}

async function decide(machine: Machine, word: 'approve' | 'deny'): Promise<void> {
  const waiting = async () =>
    ((await machine.command('approvals', 'list')).answer['approvals'] as { id: string }[]) ?? [];
  await expect.poll(async () => (await waiting()).length, WAIT).toBe(1);
  const { id } = (await waiting())[0]!;
  expect((await machine.command('approvals', word, id)).code).toBe(0);
}

describePostgres('tasks of gateways that share a database', (postgres) => {
  it.each(['session', 'stateless'] as const)(
    'D13: are answered, cancelled and continued by any instance, %s era',
    async (era) => {
      const [a, b] = await machines(postgres, 2, SETTINGS);
      const [here, there] = [await connect(a!, era), await connect(b!, era)];
      const one = await begin(here, 'kid:echo', { word: 'yes' });
      expect((await get(there, one.taskId)).status).toBe('working');
      await decide(b!, 'approve');
      await ended(there, one.taskId, 'completed');
      expect(await outcome(there, one.taskId)).toBe('{"word":"yes"}');

      const two = await begin(here, 'kid:echo', { word: 'no' });
      await resultOf(there, 'tasks/cancel', { taskId: two.taskId });
      await ended(there, two.taskId, 'cancelled');
      expect((await get(here, two.taskId)).status).toBe('cancelled');

      // A question of the server is answered through the other instance.
      const three = await begin(here, 'kid:ask', { kind: 'sampling' });
      await decide(a!, 'approve');
      await ended(there, three.taskId, 'input_required');
      if (era === 'stateless') {
        const { inputRequests } = await get(there, three.taskId);
        const [[key, { method }]] = Object.entries(inputRequests!) as [
          [string, { method: string }],
        ];
        const answer = JSON.parse((await CLIENT.answer!({ method, params: '' })) as string);
        const inputResponses = { [key]: answer };
        await resultOf(there, 'tasks/update', { taskId: three.taskId, inputResponses });
        await ended(there, three.taskId, 'completed');
      }
      expect(await outcome(there, three.taskId)).toContain('blue');
    },
    120_000,
  );

  it('D13: are reported to a client that listens on another instance', async () => {
    const [a, b] = await machines(postgres, 2, SETTINGS);
    const [here, there] = [await connect(a!, 'stateless'), await connect(b!, 'stateless')];
    const { taskId } = await begin(here, 'kid:echo', { word: 'yes' });
    const listening = there.start(
      'subscriptions/listen',
      `"notifications":{"taskIds":["${taskId}","other"]}`,
    );
    onTestFinished(() => listening.cut());
    const heard = () => listening.events.map(({ data }) => data);
    await expect.poll(() => heard()[0], WAIT).toContain(`{"taskIds":["${taskId}"]}`);
    await decide(b!, 'approve');
    await expect.poll(() => heard().at(-1), WAIT).toContain('"status":"completed"');
    expect(JSON.parse(heard().at(-1)!)).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, result: { content: [{ text: '{"word":"yes"}' }] } },
    });
  });

  it('D13: fail with a clear reason if the instance that has them is lost', async () => {
    const [a, b] = await machines(postgres, 2, SETTINGS);
    const [here, there] = [await connect(a!, 'stateless'), await connect(b!, 'stateless')];
    const sent = await begin(here, 'kid:sleep', { ms: 60_000 });
    await decide(a!, 'approve');
    const waiting = await begin(here, 'kid:echo', { word: 'lost' });
    // Before that, the approved call has not been sent.
    const message = async () => (await get(there, sent.taskId)).statusMessage;
    await expect.poll(message, WAIT).toBeUndefined();
    a!.gateway.kill('SIGKILL');
    await expect.poll(async () => (await get(there, waiting.taskId)).status, GONE).toBe('failed');
    expect(await outcome(there, waiting.taskId)).toContain('The call was not made');
    expect((await get(there, sent.taskId)).status).toBe('failed');
    expect(await outcome(there, sent.taskId)).toContain('not known whether the call took effect');
    expect((await b!.command('approvals', 'list')).answer['approvals']).toEqual([]);
  }, 120_000);
});
