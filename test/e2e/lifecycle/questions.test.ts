import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  eventually,
  pause,
  plain,
  startGateway,
  temporaryFolder,
  type GatewayProcess,
  type RawClient,
} from '../gateway-process.js';
import type { Message } from './raw-client.js';
import { pidOf, textOf } from './tool-results.js';

/** A client that answers every question with its own name, and records the questions. */
interface Person {
  readonly name: string;
  readonly client: RawClient;
  readonly asked: string[];
  /** Calls the tool that asks. Returns the name of the client that answered. */
  ask(message: string): Promise<string>;
}

/** `answers`: what a question waits for. */
async function invite(
  gateway: GatewayProcess,
  name: string,
  answers: () => Promise<void> = () => Promise.resolve(),
): Promise<Person> {
  const client = await gateway.connect({ name, capabilities: { elicitation: {}, sampling: {} } });
  const asked: string[] = [];
  client.on('elicitation/create', async ({ message }) => {
    asked.push(String(message));
    await answers();
    return { action: 'accept', content: { answer: name } };
  });
  return {
    name,
    client,
    asked,
    async ask(message) {
      const { result, error } = await client.call('kid:ask', { kind: 'elicitation', message });
      if (error) return `error: ${error.message}`;
      if (result!['isError']) return `failed: ${textOf(result)}`;
      return (JSON.parse(textOf(result)) as { content: { answer: string } }).content.answer;
    },
  };
}

const soon = (): Promise<void> => pause(5);
const never = (): Promise<void> => new Promise(() => undefined);

const start = (): Promise<GatewayProcess> =>
  startGateway({
    servers: { kid: plain() },
    listener: 'http',
    settings: { restart: { initialMs: 100 } },
  });

describe('a question that needs no answer any more', () => {
  it('is cancelled at the client if the server takes it back, or answers its call', async () => {
    const args = [join(import.meta.dirname, 'puppet-child.mjs')];
    const puppet = { command: process.execPath, args };
    const gateway = await startGateway({ servers: { puppet } });
    const client = await gateway.connect({ capabilities: { elicitation: {} } });
    await client.tools();
    const write = (...lines: string[]): Promise<Message> =>
      client.call('puppet:puppet', { write: lines.map((line) => `{"jsonrpc":"2.0",${line}}`) });
    const latest = async (method: string, n: number): Promise<Message> => {
      await expect.poll(() => client.count(method)).toBe(n);
      return client.received.findLast((message) => message.method === method)!;
    };
    const answerTo = (id: unknown): string => `"id":${String(id)},"result":{"ok":1}`;
    // The message is the id of its call at the server.
    const question = '"method":"elicitation/create","params":{"message":"ID"}';
    client.on('elicitation/create', () => new Promise(() => undefined));

    const first = write(`"id":"q1",${question}`);
    const one = await latest('elicitation/create', 1);
    const takeBack = '"method":"notifications/cancelled","params":{"requestId":"q1"}';
    await write(takeBack, answerTo('ID'));
    const { params: back } = await latest('notifications/cancelled', 1);
    expect(back).toEqual({ requestId: one.id });
    await write(answerTo(one.params!['message']), answerTo('ID'));
    expect((await first).result).toEqual({ ok: 1 });

    const second = write(`"id":"q2",${question}`);
    const two = await latest('elicitation/create', 2);
    await write(answerTo(two.params!['message']), answerTo('ID'));
    expect((await second).result).toEqual({ ok: 1 });
    const { params: ended } = await latest('notifications/cancelled', 2);
    expect(ended).toEqual({ requestId: two.id });
  });
});

describe('a question of a child on a pipe', () => {
  it('goes to the client whose call caused it, on stdio too', async () => {
    const gateway = await startGateway({ servers: { kid: plain() } });
    const ada = await invite(gateway, 'ada');
    await ada.client.tools();
    expect(await ada.ask('who are you?')).toBe('ada');
    expect(ada.asked).toEqual(['who are you?']);
  });

  it('never goes to the wrong one of two clients that call at once, and each of them is asked', async () => {
    const gateway = await start();
    const people = [await invite(gateway, 'ada', soon), await invite(gateway, 'bob', soon)];
    await people[0]!.client.tools();
    // Nothing is known about the tool yet, and the first calls come together.
    const rounds = Array.from({ length: 15 }, (_, n) => n);
    const answers = await Promise.all(
      people.map(({ name, ask }) => Promise.all(rounds.map((n) => ask(`${name} ${n}`)))),
    );
    expect(answers).toEqual(people.map(({ name }) => rounds.map(() => name)));
    for (const { name, asked } of people) {
      expect(asked.toSorted()).toEqual(rounds.map((n) => `${name} ${n}`).toSorted());
    }
  });

  it('waits until its client is known, and delays no call meanwhile', async () => {
    const gateway = await start();
    const [ada, bob] = [await invite(gateway, 'ada'), await invite(gateway, 'bob')];
    await ada.client.tools();
    await bob.client.result('kid:sleep', { ms: 1 });
    await bob.client.result('kid:add', { a: 1, b: 1 });
    const morning = join(temporaryFolder(), 'morning');
    const sleeping = bob.client.call('kid:sleep', { until: morning });
    await bob.client.result('kid:calls');
    const answer = ada.ask('while bob sleeps');
    // Answered although bob still sleeps and ada waits.
    await bob.client.result('kid:add', { a: 1, b: 1 });
    expect(ada.asked).toEqual([]);
    writeFileSync(morning, '');
    await sleeping;
    expect(await answer).toBe('ada');
    expect(bob.asked).toEqual([]);
  });

  it('of a call by a client that cannot answer goes to no other client', async () => {
    const gateway = await start();
    const ada = await invite(gateway, 'ada');
    const mute = await gateway.connect({ name: 'mute' });
    await ada.client.tools();
    await ada.client.result('kid:sleep', { ms: 1 });
    const sleeping = ada.client.call('kid:sleep', { ms: 300 });
    await ada.client.result('kid:calls');
    const { result } = await mute.call('kid:ask', { kind: 'elicitation', message: 'mute' });
    expect(textOf(result)).toContain('The client cannot answer elicitation/create');
    await sleeping;
    // Both at once: no client gets the question of the other.
    const [answer] = await Promise.all([
      ada.ask('ada'),
      mute.call('kid:ask', { kind: 'elicitation', message: 'mute' }),
    ]);
    expect(answer).toBe('ada');
    expect(ada.asked.filter((message) => message !== 'ada')).toEqual([]);
  });

  it('is forgotten with its call, and the next client has its turn', async () => {
    const gateway = await start();
    const [ada, bob] = [await invite(gateway, 'ada', never), await invite(gateway, 'bob')];
    await ada.client.tools();
    await bob.client.result('kid:add', { a: 1, b: 1 });
    const params = { name: 'kid:ask', arguments: { kind: 'elicitation', message: 'slow' } };
    void ada.client.request('tools/call', params, 'taken back');
    await eventually(() => ada.asked.length === 1);
    const answer = bob.ask('quick');
    // A later call of bob is answered, and the earlier one still has asked nothing.
    await bob.client.result('kid:add', { a: 1, b: 1 });
    expect(bob.asked).toEqual([]);
    ada.client.notify('notifications/cancelled', { requestId: 'taken back' });
    expect(await answer).toBe('bob');
    expect(ada.asked).toEqual(['slow']);
  });

  it('ends with its server, and calls that wait for a turn get an answer', async () => {
    const gateway = await start();
    const [ada, bob] = [await invite(gateway, 'ada', never), await invite(gateway, 'bob')];
    await ada.client.tools();
    const pid = await pidOf(ada.client, 'kid');
    const first = ada.ask('before the end');
    await eventually(() => ada.asked.length === 1);
    const second = bob.ask('after the end');
    await bob.client.request('ping');
    process.kill(pid, 'SIGKILL');
    expect(await first).toContain('did not answer the call');
    expect(await second).toMatch(/is not available|^bob$/);
    await eventually(async () => (await bob.client.tools()).includes('kid:ask'));
    expect(await bob.ask('once more')).toBe('bob');
  });
});
