import { describe, expect, it } from 'vitest';

import { plain, startGateway, type ServerEntry } from '../gateway-process.js';
import type { HttpClient } from './http-client.js';
import type { Message, RawClient } from './raw-client.js';

const CHILDREN = ['one', 'two', 'three', 'four', 'five'];
const SERVERS: Record<string, ServerEntry> = Object.fromEntries(
  CHILDREN.map((key) => [key, plain()]),
);
const CALLS = 10_000;

const toolFor = (n: number): string => `${CHILDREN[n % CHILDREN.length]}:add`;
const isRight = ({ result }: Message, n: number): boolean =>
  (result?.['structuredContent'] as { sum?: number } | undefined)?.sum === n + 1;
const isRefused = ({ error }: Message): boolean => error?.data?.['code'] === 'upstream-busy';

function callAll(client: RawClient): Promise<Message[]> {
  return Promise.all(
    Array.from({ length: CALLS }, (_, n) => client.call(toolFor(n), { a: n, b: 1 })),
  );
}

describe('10,000 calls at once over five children', () => {
  it('are all answered or cleanly refused over stdio', async () => {
    const gateway = await startGateway({ servers: SERVERS });
    const client = await gateway.connect();
    await client.tools();
    const answers = await callAll(client);
    const refused = answers.filter(isRefused).length;
    expect(answers.filter((answer, n) => isRight(answer, n) || isRefused(answer))).toHaveLength(
      CALLS,
    );
    expect(refused).toBeLessThan(CALLS);
    expect(gateway.peakMegabytes()).toBeLessThan(512);
    expect(gateway.stderr).toBe('');
  });

  it('are all answered where the limit allows it, over stdio', async () => {
    const settings = { limits: { maxPendingPerServer: CALLS } };
    const gateway = await startGateway({ servers: SERVERS, settings });
    const client = await gateway.connect();
    await client.tools();
    const answers = await callAll(client);
    expect(answers.filter(isRight)).toHaveLength(CALLS);
    expect(gateway.peakMegabytes()).toBeLessThan(512);
    expect(gateway.stderr).toBe('');
  });

  it('are all answered where the limit allows it, over HTTP', async () => {
    const settings = { limits: { maxPendingPerServer: CALLS } };
    const gateway = await startGateway({ servers: SERVERS, settings, listener: 'http' });
    const client = (await gateway.connect()) as HttpClient;
    await client.tools();
    const requests = Array.from({ length: CALLS }, (_, n) => ({
      jsonrpc: '2.0',
      id: `n${n}`,
      method: 'tools/call',
      params: { name: toolFor(n), arguments: { a: n, b: 1 } },
    }));
    const batches = Array.from({ length: 100 }, (_, n) => requests.slice(n * 100, n * 100 + 100));
    const answers = (await Promise.all(batches.map((batch) => client.sendBatch(batch)))).flat();
    expect(new Set(answers.map(({ id }) => id)).size).toBe(CALLS);
    expect(
      answers.filter((answer) => isRight(answer, Number(String(answer.id).slice(1)))),
    ).toHaveLength(CALLS);
    expect(gateway.peakMegabytes()).toBeLessThan(512);
    expect(gateway.stderr).not.toMatch(/warning|error/i);
  });
});

describe('two clients that use the same request ids', () => {
  it('each get their own answers, in 10,000 calls', async () => {
    const gateway = await startGateway({ servers: { kid: plain() }, listener: 'http' });
    const clients = [
      await gateway.connect({ name: 'ada' }),
      await gateway.connect({ name: 'bob' }),
    ];
    await clients[0]!.tools();
    const swapped: unknown[] = [];
    await Promise.all(
      clients.map(async (client, who) => {
        const ask = async (n: number): Promise<void> => {
          const params = { name: 'kid:echo', arguments: { who, n } };
          const { result } = await client.request('tools/call', params, n);
          const answer = JSON.stringify(result?.['structuredContent']);
          if (answer !== JSON.stringify({ who, n })) swapped.push({ who, n, answer });
        };
        await Promise.all(Array.from({ length: CALLS / 2 }, (_, n) => ask(n)));
      }),
    );
    expect(swapped).toEqual([]);
  });
});
