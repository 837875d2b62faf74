import { describe, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { eventually, faulty, plain, startGateway } from '../gateway-process.js';
import type { LineClient, RawClient } from './raw-client.js';
import { textOf } from './tool-results.js';

/** Calls a server again and again, and checks each answer. */
class SteadyCaller {
  /** How many calls were answered so far. */
  answered = 0;
  readonly #stop = new AbortController();
  readonly #calling: Promise<void>;

  constructor(client: RawClient, tool: string) {
    this.#calling = this.#call(client, tool);
  }

  async #call(client: RawClient, tool: string): Promise<void> {
    for (let n = 0; !this.#stop.signal.aborted; n++) {
      const { structuredContent } = await client.result(tool, { a: n, b: 1 });
      expect(structuredContent).toEqual({ sum: n + 1 });
      this.answered++;
    }
  }

  async finish(): Promise<void> {
    this.#stop.abort();
    await this.#calling;
  }
}

describe('a noisy child', () => {
  it(
    'that prints other text keeps its tools, and none of the text reaches the client',
    shows('FR-012', async () => {
      const gateway = await startGateway({ servers: { noisy: faulty('junk-then-works') } });
      const client = (await gateway.connect()) as LineClient;
      expect(await client.tools()).toContain('noisy:add');
      expect((await client.result('noisy:add', { a: 1, b: 2 }))['structuredContent']).toEqual({
        sum: 3,
      });
      expect(client.noise).toEqual([]);
      expect(gateway.stderr).toBe('');
    }),
  );

  it('that answers with wrong, old, duplicate and mistyped ids is only heard where the id is right', async () => {
    const gateway = await startGateway({ servers: { liar: faulty('wrong-ids') } });
    const client = await gateway.connect();
    await client.tools();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => client.result('liar:echo', { n })),
    );
    expect(answers.map(textOf)).toEqual(answers.map((_, n) => `{"n":${n}}`));
    // The server writes in order, so everything that it sent for the others has arrived with this
    // answer.
    await client.result('liar:echo', {});
    // Every answer belongs to one of our requests, and none came twice.
    expect(client.received.filter(({ method }) => method === undefined)).toEqual([]);
  });

  it('that writes an endless line is reported and ended, in bounded memory, and the others do not wait', async () => {
    const gateway = await startGateway({
      servers: { spout: faulty('endless-line=100'), fine: plain() },
      settings: { restart: { initialMs: 100, maxMs: 100 } },
    });
    const client = await gateway.connect();
    await client.tools();
    const before = gateway.peakMegabytes();
    const fine = new SteadyCaller(client, 'fine:add');
    const { error } = await client.call('spout:flood');
    expect(error?.data).toMatchObject({
      code: 'upstream-closed',
      server: 'spout',
      reason: 'it sent a line of more than 10485760 bytes',
    });
    await eventually(() =>
      gateway.stderr.includes('[spout] it sent a line of more than 10485760 bytes'),
    );
    await fine.finish();
    expect(fine.answered).toBeGreaterThan(0);
    expect(gateway.peakMegabytes() - before).toBeLessThan(3 * 10 + 50);
    await eventually(async () => (await client.tools()).includes('spout:flood'));
  });

  it('that floods its standard error disturbs neither itself nor the others', async () => {
    const gateway = await startGateway({
      servers: { shouter: faulty('stderr-flood'), fine: plain() },
    });
    const client = await gateway.connect();
    await client.tools();
    const fine = new SteadyCaller(client, 'fine:add');
    const own = new SteadyCaller(client, 'shouter:add');
    await eventually(() => fine.answered > 20 && own.answered > 5);
    await Promise.all([fine.finish(), own.finish()]);
    expect(gateway.peakMegabytes()).toBeLessThan(256);
    expect(gateway.stderr).toBe('');
  });

  it('that prints endless lines, on either pipe, does not block the others', async () => {
    const gateway = await startGateway({
      servers: {
        chatty: { command: 'sh', args: ['-c', 'yes'] },
        grumbling: { command: 'sh', args: ['-c', 'yes >&2'] },
        fine: plain(),
      },
      settings: { listWaitMs: 300 },
    });
    const client = await gateway.connect();
    await eventually(async () => (await client.tools()).includes('fine:add'));
    const fine = new SteadyCaller(client, 'fine:add');
    await eventually(() => fine.answered > 100);
    await fine.finish();
    expect(gateway.peakMegabytes()).toBeLessThan(256);
    expect(gateway.stderr).toBe('');
  });
});
