/** Calls that wait for an operator as tasks: a governed gateway, its operator, and its clients. */

import { createApiKey } from '@callsign/auth';
import { expect } from 'vitest';

import { Home } from '../cli/callsign.js';
import { HttpPeer } from '../clients/http-peer.js';
import type { ClientOptions, Era, Peer } from '../clients/peer.js';
import { startGateway } from '../gateway-process.js';
import { resultOf } from './extended.js';

export const EXTENSION = 'io.modelcontextprotocol/tasks';
/** The client cannot ask its user, so the operator is asked. */
export const CLIENT: ClientOptions = {
  capabilities: `{"sampling":{},"extensions":{"${EXTENSION}":{}}}`,
  answer: () => '{"role":"assistant","content":{"type":"text","text":"blue"},"model":"m"}',
};
export const WAIT: { readonly timeout: number } = { timeout: 20_000 };
const KEYS = ['ada', 'bob'].map((name) => ({ name, key: createApiKey() }));
const SETTINGS = {
  annotations: Object.fromEntries(
    ['echo', 'ask', 'sleep'].map((tool) => [`kid:${tool}`, { preset: 'WRITE_DESTRUCTIVE' }]),
  ),
  policy: { confirm: { whenClientCannotAsk: 'wait' } },
};
export const CALLERS: object = {
  auth: { keys: KEYS.map(({ name, key }) => ({ name, hash: key.hash, roles: ['all'] })) },
  roles: { all: { allow: ['*'] } },
};

export interface State {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly message: string };
  readonly inputRequests?: Readonly<Record<string, { method: string }>>;
}

/** A gateway with its operator, and clients of it. */
export async function governed(server: object, settings: object = {}, home: Home = new Home()) {
  const all = { audit: { mode: 'best-effort' }, ...SETTINGS, ...settings };
  const config = home.configure({ kid: server }, all);
  const gateway = await startGateway({ servers: {}, config, listener: 'http', env: home.env() });
  const here = (...args: string[]) => home.run(args);
  await expect.poll(async () => (await here('status')).code, WAIT).toBe(0);
  const waiting = async (): Promise<{ id: string; tool: string }[]> => {
    const { approvals } = JSON.parse((await here('approvals', 'list', '--json')).stdout);
    return approvals;
  };
  return {
    home,
    gateway,
    here,
    waiting,
    async connect(era: Era, name?: string, client = CLIENT): Promise<HttpPeer> {
      const key = KEYS.find((each) => each.name === name)?.key.key;
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const peer = new HttpPeer(gateway.url, era, client, headers);
      await peer.open();
      return peer;
    },
    async decide(...words: string[]): Promise<void> {
      await expect.poll(async () => (await waiting()).length, WAIT).toBe(1);
      const { id } = (await waiting())[0]!;
      expect(await here('approvals', words[0]!, id, ...words.slice(1))).toMatchObject({ code: 0 });
    },
  };
}

/** Calls a tool as a task: the reply comes before the operator has decided. */
export async function begin(peer: Peer, name: string, args: object = {}): Promise<State> {
  const isSession = peer.era === 'session';
  const params = { name, arguments: args, ...(isSession ? { task: {} } : {}) };
  const result = await resultOf<State & { task: State; resultType?: string }>(
    peer,
    'tools/call',
    params,
  );
  if (!isSession) expect(result.resultType).toBe('task');
  return isSession ? result.task : result;
}

export const get = (peer: Peer, taskId: string): Promise<State> =>
  resultOf<State>(peer, 'tasks/get', { taskId });

export const ended = (peer: Peer, taskId: string, status: string) =>
  expect.poll(async () => (await get(peer, taskId)).status, WAIT).toBe(status);

/** The text of the result, or the message of the error. */
export async function outcome(peer: Peer, taskId: string): Promise<string | undefined> {
  if (peer.era === 'stateless') {
    const { result, error } = await get(peer, taskId);
    return result?.content[0]?.text ?? error?.message;
  }
  const { result, error } = await peer.request('tasks/result', `"taskId":"${taskId}"`);
  const { content, message } = JSON.parse((result ?? error)!);
  return content?.[0].text ?? message;
}
