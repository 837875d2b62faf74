/** Tasks where client and server speak different eras, and through the search over all servers. */

import { describe, expect, it } from 'vitest';

import { HttpPeer } from '../clients/http-peer.js';
import type { ClientOptions, Era, Peer } from '../clients/peer.js';
import type { PipePeer } from '../clients/pipe-peer.js';
import { errorOf, extended, gatewayWith, resultOf } from './extended.js';
import { begin, ended, EXTENSION, get, outcome, WAIT, type State } from './waiting-calls.js';

const CLIENT: ClientOptions = {
  capabilities: `{"elicitation":{},"extensions":{"${EXTENSION}":{}}}`,
  answer: () => '{"action":"accept","content":{}}',
};
const PLAIN: ClientOptions = { capabilities: '{}' };
const OTHER: Readonly<Record<Era, Era>> = { session: 'stateless', stateless: 'session' };

describe.each(['session', 'stateless'] as const)('a client of the %s era', (era: Era) => {
  const connected = async (client: ClientOptions = CLIENT): Promise<Peer> => {
    const servers = { a: extended(`--${OTHER[era]}`, '--tasks', '--name=a') };
    const peer = await gatewayWith('http', { servers }).connect(era, client);
    await peer.request('tools/list');
    return peer;
  };
  const textOf = async (peer: Peer, name: string, args: object = {}): Promise<string> =>
    JSON.stringify(await resultOf(peer, 'tools/call', { name, arguments: args }));

  it('D13: gets a task of the gateway at once, for a task of a server of the other era', async () => {
    const peer = await connected();
    const { taskId, status } = await begin(peer, 'a:slow_compute', { label: 'x', seconds: 4 });
    expect(status).toBe('working');
    expect((await get(peer, taskId)).status).toBe('working');
    // The server has a task too, under an id that this client never sees.
    expect(await textOf(peer, 'a:statuses')).toContain('working');
    expect(taskId).toMatch(/^task-/);
    if (era === 'session') {
      const { tasks } = await resultOf<{ tasks: State[] }>(peer, 'tasks/list');
      expect(tasks.map((task) => task.taskId)).toEqual([taskId]);
    }
    await ended(peer, taskId, 'completed');
    const result = await outcome(peer, taskId);
    expect(result).toContain('a computed x');
    expect(result).not.toContain('"taskId":"1"');
    // A failure of the tool is a failed task in the session era only, as each era defines it.
    const failing = await begin(peer, 'a:failing_job');
    await ended(peer, failing.taskId, era === 'session' ? 'failed' : 'completed');
    expect(await outcome(peer, failing.taskId)).toContain('The job failed.');
    const broken = await begin(peer, 'a:protocol_error_job');
    await ended(peer, broken.taskId, 'failed');
    expect(await outcome(peer, broken.taskId)).toContain('The protocol broke.');
  });

  it('D13: answers the questions of such a task, and cancels it at its server', async () => {
    const peer = await connected();
    const { taskId } = await begin(peer, 'a:confirm_delete', { filename: 'x' });
    await ended(peer, taskId, 'input_required');
    if (era === 'stateless') {
      const { inputRequests } = await get(peer, taskId);
      const [key] = Object.keys(inputRequests!);
      const inputResponses = { [key!]: { action: 'accept', content: {} } };
      await resultOf(peer, 'tasks/update', { taskId, inputResponses });
      await ended(peer, taskId, 'completed');
    }
    expect(await outcome(peer, taskId)).toContain('accept x');

    const slow = await begin(peer, 'a:slow_compute', { seconds: 600 });
    await expect.poll(() => textOf(peer, 'a:statuses'), WAIT).toContain('working');
    await resultOf(peer, 'tasks/cancel', { taskId: slow.taskId });
    expect((await get(peer, slow.taskId)).status).toBe('cancelled');
    await expect.poll(() => textOf(peer, 'a:statuses'), WAIT).toContain('cancelled');
  });

  it('D13: is told of changes of such a task', async () => {
    const servers = { a: extended(`--${OTHER[era]}`, '--tasks') };
    const peer = (await gatewayWith('stdio', { servers }).connect(era, CLIENT)) as PipePeer;
    await peer.request('tools/list');
    const { taskId } = await begin(peer, 'a:slow_compute', { seconds: 1 });
    if (era === 'stateless') {
      const filter = `"notifications":{"taskIds":["${taskId}"]}`;
      void peer.request('subscriptions/listen', filter).catch(() => undefined);
    }
    const method = era === 'session' ? 'notifications/tasks/status' : 'notifications/tasks';
    const told = () => peer.notes.filter((note) => note.method === method);
    await expect.poll(() => JSON.stringify(told()), WAIT).toContain('completed');
    for (const { params } of told()) expect(JSON.parse(params!)).toMatchObject({ taskId });
  });

  it('D13: calls tools of the other era without tasks, even those that run only as a task', async () => {
    const peer = await connected(PLAIN);
    expect(await textOf(peer, 'a:slow_compute', { label: 'x' })).toContain('a computed x');
    expect(await textOf(peer, 'a:failing_job')).toContain('The job failed.');
  });

  it('D13: finds tasks announced if servers of the other era have them, and only then', async () => {
    const announced = async (...flags: string[]): Promise<string> => {
      const gateway = gatewayWith('http', {
        servers: { a: extended(`--${OTHER[era]}`, ...flags) },
      });
      await (await gateway.connect(era, CLIENT)).request('tools/list');
      const { result } = await new HttpPeer(await gateway.url(), era, CLIENT).open();
      return JSON.stringify((JSON.parse(result!) as { capabilities: object }).capabilities);
    };
    const word = era === 'session' ? '"tasks":{"requests":{"tools":{"call":{}}}' : `"${EXTENSION}"`;
    expect(await announced('--tasks')).toContain(word);
    expect(await announced()).not.toContain('tasks');
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
