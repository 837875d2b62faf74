/** Long answers are read in slices. Clients must not notice. */

import { expect, it } from 'vitest';

import type { Listener } from '../clients/gateway.js';
import type { Era } from '../clients/peer.js';
import { gatewayWith, resultOf } from '../extensions/extended.js';
import { greedy, startPlain } from './greedy.js';

const LENGTH = 700_000;

interface Answered {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

const PATHS = (['stdio', 'http'] as const).flatMap((listener): [Listener, Era][] => [
  [listener, 'session'],
  [listener, 'stateless'],
]);

it.each(PATHS)(
  'F2: long answers are the same through the listener %s, in the %s era',
  async (listener, era) => {
    const gateway = gatewayWith(listener, { servers: { big: greedy() } });
    const peer = await gateway.connect(era);
    for (const letter of ['x', '\u00E9', String.raw`\n\"`]) {
      const big = (members: object): Promise<Answered> => {
        const call = { name: 'big:big', arguments: { bytes: LENGTH, letter, ...members } };
        return resultOf<Answered>(peer, 'tools/call', call);
      };
      const answers = await Promise.all([big({}), big({ isError: true }), big({ bytes: 10 })]);
      const said = JSON.parse(`"${letter}"`) as string;
      const found = answers.map(({ content: [first], isError = false }) => {
        const isSame = first!.text.replaceAll(said, '') === '';
        return [first!.text.length / said.length, isSame, isError];
      });
      expect(found, letter).toEqual([
        [LENGTH, true, false],
        [LENGTH, true, true],
        [10, true, false],
      ]);
    }
  },
);

it('F2: a long answer is counted as the failure that it is', async () => {
  const gateway = await startPlain({ big: greedy() });
  const client = await gateway.connect();
  await client.tools();
  await client.result('big:big', { bytes: LENGTH });
  await client.result('big:big', { bytes: LENGTH, isError: true });
  const metrics = await (await fetch(new URL('/metrics', gateway.url))).text();
  const counts = [...metrics.matchAll(/^callsign_calls_total\{.*outcome="([a-z-]+)".*\} (\d+)$/gm)];
  expect(counts.map(([, outcome, count]) => `${outcome} ${count}`).toSorted()).toEqual([
    'ok 1',
    'tool-error 1',
  ]);
});
