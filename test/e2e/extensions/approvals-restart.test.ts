/** Calls that wait for an operator as tasks, when the gateway stops; and with the default policy. */

import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { Era } from '../clients/peer.js';
import { plain } from '../gateway-process.js';
import { errorOf, resultOf } from './extended.js';
import { recordsOf } from './journal-records.js';
import { begin, CALLERS, CLIENT, ended, get, governed, outcome } from './waiting-calls.js';
import { WAIT, type State } from './waiting-calls.js';

describe.each(['session', 'stateless'] as const)('after a restart, %s era', (era: Era) => {
  it('D13: a task says whether its call was made, and belongs to its caller', async () => {
    const first = await governed(plain(), CALLERS);
    const ada = await first.connect(era, 'ada');
    const done = await begin(ada, 'kid:echo', { word: 'done' });
    await first.decide('approve');
    await ended(ada, done.taskId, 'completed');
    const sent = await begin(ada, 'kid:sleep', { ms: 60_000 });
    await first.decide('approve');
    await expect
      .poll(() => recordsOf(first.home, 'kid:sleep'), WAIT)
      .toEqual(['intent tools/call']);
    const waiting = await begin(ada, 'kid:echo', { word: 'waiting' });
    await expect.poll(async () => (await first.waiting()).length, WAIT).toBe(1);
    first.gateway.kill('SIGKILL');
    await first.gateway.exited;

    const second = await governed(plain(), CALLERS, first.home);
    const again = await second.connect(era, 'ada');
    expect((await get(again, done.taskId)).status).toBe('completed');
    expect(await outcome(again, done.taskId)).toBe('{"word":"done"}');
    expect((await get(again, sent.taskId)).status).toBe('failed');
    expect(await outcome(again, sent.taskId)).toContain('not known whether the call took effect');
    expect((await get(again, waiting.taskId)).status).toBe('failed');
    expect(await outcome(again, waiting.taskId)).toContain('kid:echo waited for an approval');
    expect(await outcome(again, waiting.taskId)).toContain('The call was not made');
    // The operator has nothing to decide, and no call is made again.
    expect(await second.waiting()).toEqual([]);
    const recorded = recordsOf(second.home, 'kid:echo').filter((each) => each.startsWith('call'));
    expect(recorded).toEqual(['call tools/call ok']);

    const bob = await second.connect(era, 'bob');
    for (const { taskId } of [done, sent, waiting]) {
      expect(await errorOf(bob, 'tasks/get', { taskId })).toMatchObject({ code: -32602 });
    }
    if (era === 'session') {
      const { tasks } = await resultOf<{ tasks: State[] }>(again, 'tasks/list');
      const ids = [done, sent, waiting].map(({ taskId }) => taskId);
      expect(tasks.map(({ taskId }) => taskId)).toEqual(ids);
      expect(await resultOf(bob, 'tasks/list')).toEqual({ tasks: [] });
      const error = await errorOf(again, 'tasks/cancel', { taskId: done.taskId });
      expect(error.message).toContain('has already ended');
    } else await resultOf(again, 'tasks/cancel', { taskId: sent.taskId });
    const folder = join(second.home.folder, 'state/callsign/tasks');
    const own = readdirSync(folder).find((name) => !name.endsWith('.jsonl'));
    const files = readdirSync(join(folder, own!));
    expect(files).toHaveLength(3);
    for (const file of files) expect(statSync(join(folder, own!, file)).mode & 0o777).toBe(0o600);
  });

  it('D13: a task is found while its server is still starting', async () => {
    const first = await governed(plain());
    const here = await first.connect(era);
    const { taskId } = await begin(here, 'kid:echo', { word: 'yes' });
    await first.decide('approve');
    await ended(here, taskId, 'completed');
    first.gateway.kill('SIGKILL');
    await first.gateway.exited;

    const go = join(first.home.folder, 'go');
    const second = await governed(plain(`--start-when=${go}`), {}, first.home);
    const again = await second.connect(era);
    const listening =
      era === 'stateless'
        ? again.start('subscriptions/listen', `"notifications":{"taskIds":["${taskId}"]}`)
        : undefined;
    onTestFinished(() => listening?.cut());
    const asked = get(again, taskId);
    // Long enough for a reply that does not wait.
    await Promise.race([asked, setTimeout(500)]);
    writeFileSync(go, '');
    expect((await asked).status).toBe('completed');
    expect(await outcome(again, taskId)).toBe('{"word":"yes"}');
    const heard = () => listening?.events.map(({ data }) => data);
    if (listening) await expect.poll(() => heard()?.[0], WAIT).toContain(taskId);
  });

  it('D13: a second gateway of the same configuration answers for a task that still waits', async () => {
    const first = await governed(plain());
    const second = await governed(plain(), {}, first.home);
    const [here, there] = [await first.connect(era), await second.connect(era)];
    const { taskId } = await begin(here, 'kid:echo', { word: 'yes' });
    expect(await get(there, taskId)).toMatchObject({
      status: 'working',
      statusMessage: expect.stringMatching(/operator/),
    });
    await resultOf(there, 'tasks/cancel', { taskId });
    await ended(there, taskId, 'cancelled');
    expect((await get(here, taskId)).status).toBe('cancelled');
    expect(await first.waiting()).toEqual([]);
  });
});

describe.each(['session', 'stateless'] as const)(
  'at the end of the gateway, %s era',
  (era: Era) => {
    const REFUSED = ['call tools/call approval-lost'];

    it('a call that waits as a task was not made, and its record says so (G2)', async () => {
      const first = await governed(plain(), CALLERS);
      const ada = await first.connect(era, 'ada');
      const { taskId } = await begin(ada, 'kid:echo', { word: 'waiting' });
      await expect.poll(async () => (await first.waiting()).length, WAIT).toBe(1);
      first.gateway.kill('SIGTERM');
      await first.gateway.exited;
      expect(recordsOf(first.home, 'kid:echo')).toEqual(REFUSED);

      const second = await governed(plain(), CALLERS, first.home);
      const again = await second.connect(era, 'ada');
      expect((await get(again, taskId)).status).toBe('failed');
      expect(await outcome(again, taskId)).toContain('The call was not made');
      expect(recordsOf(second.home, 'kid:echo')).toEqual(REFUSED);
    });

    it('a call that waits with its request open ends at once, as not made (G2)', async () => {
      const { home, gateway, waiting, connect } = await governed(plain(), {
        http: { drainMs: 60_000 },
      });
      const peer = await connect(era, undefined, { ...CLIENT, capabilities: '{}' });
      const made = errorOf(peer, 'tools/call', { name: 'kid:echo', arguments: {} });
      await expect.poll(async () => (await waiting()).length, WAIT).toBe(1);
      gateway.kill('SIGTERM');
      expect(await made).toMatchObject({
        message: expect.stringContaining('The call was not made') as string,
        data: { code: 'approval-lost', tool: 'kid:echo' },
      });
      await gateway.exited;
      expect(recordsOf(home, 'kid:echo')).toEqual(REFUSED);
      expect(gateway.stderr).not.toContain('did not finish in time');
    });

    it('a call whose user is being asked ends at once, as not made (G2)', async () => {
      const { home, gateway, connect } = await governed(plain(), { http: { drainMs: 60_000 } });
      const peer = await connect(era, undefined, { capabilities: '{"elicitation":{}}' });
      const made = peer.start('tools/call', '"name":"kid:echo","arguments":{}');
      onTestFinished(() => made.cut());
      const heard = () => made.text + made.events.map(({ data }) => data).join();
      await expect.poll(heard, WAIT).toMatch(/input_required|elicitation\/create/);
      gateway.kill('SIGTERM');
      await gateway.exited;
      expect(recordsOf(home, 'kid:echo')).toEqual(REFUSED);
      // A stateless client has an answer already, and comes back with the user's.
      if (era === 'session') {
        expect(heard()).toContain('notifications/cancelled');
        expect(heard()).toContain('approval-lost');
      }
    });
  },
);

describe.each(['session', 'stateless'] as const)('the policy "careful", %s era', (era: Era) => {
  it('D13: lets a call wait as a task if the client speaks tasks, and refuses it otherwise', async () => {
    const { connect, decide } = await governed(plain(), { policy: 'careful' });
    const peer = await connect(era);
    const { taskId } = await begin(peer, 'kid:echo', { word: 'yes' });
    await decide('approve');
    await ended(peer, taskId, 'completed');
    expect(await outcome(peer, taskId)).toBe('{"word":"yes"}');
    const other = await connect(era, undefined, { ...CLIENT, capabilities: '{}' });
    const error = await errorOf(other, 'tools/call', { name: 'kid:echo', arguments: {} });
    expect(error.message).toContain('this client cannot ask its user');
  });

  it('D13: lets a call wait that comes through the search over all servers', async () => {
    const { connect, decide } = await governed(plain(), { policy: 'careful', view: 'search' });
    const peer = await connect(era);
    const { tools } = await resultOf<{ tools: { name: string; execution?: object }[] }>(
      peer,
      'tools/list',
    );
    const call = tools.find(({ name }) => name === 'callsign:call');
    expect(call?.execution).toEqual({ taskSupport: 'optional' });
    const args = { operation: 'kid:echo', params: { word: 'yes' } };
    const { taskId } = await begin(peer, 'callsign:call', args);
    await decide('approve');
    await ended(peer, taskId, 'completed');
    expect(await outcome(peer, taskId)).toContain('{"word":"yes"}');
  });
});
