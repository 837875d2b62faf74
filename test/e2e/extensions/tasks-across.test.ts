/** Tasks where client and server speak different eras, and through the search over all servers. */

import { describe, expect, it } from 'vitest';

import type { ClientOptions, Era, Peer } from '../clients/peer.js';
import { errorOf, extended, gatewayWith, resultOf } from './extended.js';

const CLIENT: ClientOptions = {
  capabilities: '{"extensions":{"io.modelcontextprotocol/tasks":{}}}',
};
const OTHER: Readonly<Record<Era, Era>> = { session: 'stateless', stateless: 'session' };
const WAIT = { timeout: 20_000 };

interface State {
  readonly taskId: string;
  readonly status: string;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

const get = (peer: Peer, taskId: string): Promise<State> =>
  resultOf<State>(peer, 'tasks/get', { taskId });

describe.each(['session', 'stateless'] as const)('a client of the %s era', (era: Era) => {
  it('D13: calls tools of a server of the other era, and gets an error for those that it cannot call', async () => {
    const servers = { a: extended(`--${OTHER[era]}`, '--tasks') };
    const peer = await gatewayWith('http', { servers }).connect(era, CLIENT);
    await peer.request('tools/list');
    const call = { name: 'a:slow_compute', arguments: { label: 'x' } };
    if (era === 'session') {
      // The server answers without a task, so the task is our own.
      const { task } = await resultOf<{ task: State }>(peer, 'tools/call', { ...call, task: {} });
      expect(task.status).toBe('working');
      expect((await get(peer, task.taskId)).status).toBe('completed');
      const { taskId } = task;
      const result = await resultOf(peer, 'tasks/result', { taskId });
      expect(JSON.stringify(result)).toContain('computed x');
    } else {
      expect(JSON.stringify(await resultOf(peer, 'tools/call', call))).toContain('computed x');
    }
    const error = await errorOf(peer, 'tools/call', { name: 'a:failing_job', arguments: {} });
    expect(error.message).toBe(
      `a:failing_job can only run as a task, which is not possible here. Use a client of protocol ${
        era === 'session' ? '2026-07-28' : '2025-11-25'
      }.`,
    );
    expect(error).toMatchObject({ code: -32601, data: { code: 'task-only' } });
  });

  it('D13: searches all servers, and gets tasks of the tools that it finds', async () => {
    const servers = {
      a: extended(`--${era}`, '--tasks', '--name=a'),
      b: extended(`--${era}`, '--tasks', '--name=b'),
    };
    const settings = { view: 'search' };
    const peer = await gatewayWith('http', { servers, settings }).connect(era, CLIENT);
    await peer.request('tools/list');
    const call = (operation: string) => ({
      name: 'callsign:call',
      arguments: { operation, params: { label: 'x' } },
    });
    if (era === 'session') {
      const error = await errorOf(peer, 'tools/call', call('b:failing_job'));
      expect(error.message).toContain('b:failing_job can only run as a task');
      expect(error.message).toContain('"view": "flat"');
      return;
    }
    const { taskId } = await resultOf<State>(peer, 'tools/call', call('b:slow_compute'));
    await expect.poll(async () => (await get(peer, taskId)).status, WAIT).toBe('completed');
    expect((await get(peer, taskId)).result?.content[0]?.text).toBe('b computed x');
  });
});
