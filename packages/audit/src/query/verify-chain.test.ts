import { describe, expect, it } from 'vitest';

import type { AuditStore } from '../store/audit-store.js';
import { blockOf, GENESIS, segmentAfter, type Segment } from '../store/chain.js';
import { verifyChain } from './verify-chain.js';

const OTHER = 'f'.repeat(64);

/** A store that holds these segments, with an anchor that knows the last one. */
function storeOf(...segments: Segment[]): AuditStore {
  const { seq, hash } = segments.at(-1)!;
  return {
    anchor: () => Promise.resolve({ seq, hash }),
    read: async function* () {
      yield* segments;
    },
  } as Partial<AuditStore> as AuditStore;
}

const line = (id: string): string => JSON.stringify({ kind: 'call', id });
const flawsOf = async (store: AuditStore): Promise<string[]> =>
  (await verifyChain(store)).flaws.map(({ flaw, seq }) => `${flaw} ${seq}`);

describe('the beginning of the hash chain', () => {
  it('is the hash that every log begins with', async () => {
    expect(await flawsOf(storeOf(segmentAfter(GENESIS, blockOf([line('a')]))))).toEqual([]);
    // Every hash in it is right, and its numbers begin with 1; but it goes on from another log.
    const forged = segmentAfter({ seq: 0, hash: OTHER }, blockOf([line('a'), line('b')]));
    expect(await flawsOf(storeOf(forged))).toEqual(['missing 1']);
  });

  it('after records were deleted is the hash that the log itself names', async () => {
    const pruned = (hash: string): string =>
      JSON.stringify({ kind: 'pruned', through: { seq: 7, hash } });
    const whole = segmentAfter({ seq: 7, hash: OTHER }, blockOf([line('a'), pruned(OTHER)]));
    expect(await flawsOf(storeOf(whole))).toEqual([]);
    const forged = segmentAfter(
      { seq: 7, hash: OTHER },
      blockOf([line('a'), pruned(GENESIS.hash)]),
    );
    expect(await flawsOf(storeOf(forged))).toEqual(['missing 8']);
  });
});
