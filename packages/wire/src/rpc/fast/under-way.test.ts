import { describe, expect, it } from 'vitest';

import { UnderWay } from './under-way.js';

describe('requests under way', () => {
  it('are the same as in a map, even after many of them were answered', () => {
    const [requests, same] = [new UnderWay<string, number>(), new Map<string, number>()];
    for (let i = 0; i < 5_000; i++) {
      requests.set(`r${i}`, i);
      same.set(`r${i}`, i);
      const old = `r${i - ((i * 7) % 40)}`;
      expect(requests.delete(old)).toBe(same.delete(old));
      expect(requests.size).toBe(same.size);
    }
    expect(same.size).toBeGreaterThan(0);
    expect([...requests.values()]).toEqual([...same.values()]);
    for (const [key, value] of same) {
      expect(requests.has(key)).toBe(true);
      expect(requests.get(key)).toBe(value);
    }
    expect(requests.get('never')).toBeUndefined();
    requests.clear();
    expect(requests.size).toBe(0);
  });
});
