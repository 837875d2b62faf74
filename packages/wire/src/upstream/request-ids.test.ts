import { describe, expect, it } from 'vitest';

import { RequestIds } from './request-ids.js';

describe('ids of requests', () => {
  it('do not repeat, are never 0, and fit into 32 bits (G6)', () => {
    const ids = new RequestIds();
    const seen = new Set<number>();
    for (let n = 0; n < 200_000; n++) seen.add(ids.next());
    expect(seen.size).toBe(200_000);
    for (const id of seen) if (!Number.isInteger(id) || id < 1 || id >= 2 ** 31) expect(id).toBe(1);
  });

  it('do not follow from those before, nor from those of another connection (G6)', () => {
    const [one, other] = [new RequestIds(), new RequestIds()];
    const [ids, others] = [one, other].map((from) =>
      Array.from({ length: 1_000 }, () => from.next()),
    );
    const steps = new Set(ids!.slice(1).map((id, n) => id - ids![n]!));
    expect(steps.size).toBeGreaterThan(990);
    expect(ids!.filter((id) => others!.includes(id)).length).toBeLessThan(5);
  });
});
