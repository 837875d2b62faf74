/**
 * Calls that wait for an operator, as tasks. The servers have no tasks; the file has only a policy.
 */

import { describe, expect, it } from 'vitest';

import { HttpPeer } from '../clients/http-peer.js';
import type { Era } from '../clients/peer.js';
import { plain } from '../gateway-process.js';
import { errorOf, resultOf } from './extended.js';
import { recordsOf } from './journal-records.js';
import {
  begin,
  CALLERS,
  CLIENT,
  ended,
  EXTENSION,
  get,
  governed,
  outcome,
} from './waiting-calls.js';
import { WAIT, type State } from './waiting-calls.js';

describe.each(['session', 'stateless'] as const)('an approval as a task, %s era', (era: Era) => {
  it('D13: runs the call after a yes, refuses it after a no, and belongs to its caller', async () => {
    const { connect, decide, home } = await governed(plain(), CALLERS);
    const [ada, bob] = [await connect(era, 'ada'), await connect(era, 'bob')];
    const one = await begin(ada, 'kid:echo', { word: 'yes' });
    expect(one).toMatchObject({
      status: 'working',
      statusMessage: expect.stringMatching(/operator/),
    });
    expect((await get(ada, one.taskId)).status).toBe('working');
    for (const method of ['tasks/get', 'tasks/cancel']) {
      expect(await errorOf(bob, method, { taskId: one.taskId })).toMatchObject({ code: -32602 });
    }
    await decide('approve');
    // The client has reconnected meanwhile.
    const again = await connect(era, 'ada');
    await ended(again, one.taskId, 'completed');
    expect(await outcome(again, one.taskId)).toBe('{"word":"yes"}');

    const two = await begin(ada, 'kid:echo', { word: 'no' });
    await decide('deny', '--reason', 'not on Fridays');
    await ended(ada, two.taskId, 'failed');
    expect(await outcome(ada, two.taskId)).toContain('not on Fridays');

    if (era === 'session') {
      const { tasks } = await resultOf<{ tasks: State[] }>(ada, 'tasks/list');
      expect(tasks.map(({ taskId }) => taskId)).toEqual([one.taskId, two.taskId]);
      expect(await resultOf(bob, 'tasks/list')).toEqual({ tasks: [] });
    }
    // The refused call has no intent.
    await expect
      .poll(() => recordsOf(home, 'kid:echo'), WAIT)
      .toEqual(['intent tools/call', 'call tools/call ok', 'call tools/call not-approved']);
  });

  it('D13: ends with tasks/cancel or with its time limit, and the call does not run', async () => {
    const { connect, decide, waiting, home } = await governed(plain());
    const peer = await connect(era);
    const { taskId } = await begin(peer, 'kid:echo', { word: 'cancelled' });
    await expect.poll(async () => (await waiting()).length, WAIT).toBe(1);
    await resultOf(peer, 'tasks/cancel', { taskId });
    expect((await get(peer, taskId)).status).toBe('cancelled');
    expect(await waiting()).toEqual([]);
    await expect
      .poll(() => recordsOf(home, 'kid:echo'), WAIT)
      .toEqual(['call tools/call call-cancelled']);

    // If the server asks something after the approval, it is asked through the task.
    const asking = await begin(peer, 'kid:ask', { kind: 'sampling' });
    await decide('approve');
    await ended(peer, asking.taskId, 'input_required');
    if (era === 'stateless') {
      const { inputRequests } = await get(peer, asking.taskId);
      const [[key, { method }]] = Object.entries(inputRequests!) as [[string, { method: string }]];
      expect(method).toBe('sampling/createMessage');
      const answer = JSON.parse((await CLIENT.answer!({ method, params: '' })) as string);
      const inputResponses = { [key]: answer };
      await resultOf(peer, 'tasks/update', { taskId: asking.taskId, inputResponses });
    }
    const result = outcome(peer, asking.taskId);
    if (era === 'session') expect(await result).toContain('blue');
    await ended(peer, asking.taskId, 'completed');
    expect(await outcome(peer, asking.taskId)).toContain('blue');
  });

  it('D13: is refused when its time is over; other clients wait as before', async () => {
    const policy = { confirm: { whenClientCannotAsk: 'wait', timeoutMs: 1_500 } };
    const { connect } = await governed(plain(), { policy });
    const peer = await connect(era);
    const { taskId } = await begin(peer, 'kid:echo');
    await ended(peer, taskId, 'failed');
    expect(await outcome(peer, taskId)).toContain('did not answer within 1.5 s');
    const other = await connect(era, undefined, { capabilities: '{}' });
    const error = await errorOf(other, 'tools/call', { name: 'kid:echo', arguments: {} });
    expect(error.message).toContain('did not answer within 1.5 s');
  });

  it('D13: is announced if the policy lets calls wait, and for the tools that may wait', async () => {
    const { connect } = await governed(plain());
    const peer = await connect(era);
    const { result } = await new HttpPeer(peer.url, era, CLIENT).open();
    const { capabilities } = JSON.parse(result!);
    if (era === 'stateless') expect(capabilities.extensions).toEqual({ [EXTENSION]: {} });
    else expect(capabilities.tasks.requests).toEqual({ tools: { call: {} } });
    const { tools } = await resultOf<{ tools: { name: string; execution?: object }[] }>(
      peer,
      'tools/list',
    );
    const supportOf = (name: string) => tools.find((tool) => tool.name === name)?.execution;
    expect(supportOf('kid:echo')).toEqual({ taskSupport: 'optional' });
    expect(supportOf('kid:add')).toBeUndefined();
    if (era === 'stateless') return;
    // A client that asked for a task gets one even if the call was approved in advance.
    const params = { name: 'kid:add', arguments: { a: 1, b: 2 }, task: {} };
    expect(await resultOf(peer, 'tools/call', params)).toHaveProperty('content');
  });
});
