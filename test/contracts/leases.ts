/** What leases must do, in memory and in a database. */

import type { Leases } from '@callsign/instances';
import { describe, expect, it } from 'vitest';

const LONG = 60_000;
const SHORT = 200;

export function leasesContract(name: string, open: () => Promise<Leases>): void {
  describe(name, () => {
    it('gives a lease to one instance', async () => {
      const leases = await open();
      expect(await leases.take('server:fs', 'a', LONG)).toMatchObject({
        name: 'server:fs',
        holder: 'a',
      });
      expect(await leases.take('server:fs', 'b', LONG)).toBeUndefined();
      expect(await leases.find('server:fs')).toMatchObject({ holder: 'a' });
      expect(await leases.take('server:git', 'b', LONG)).toMatchObject({ holder: 'b' });
      expect((await leases.list()).map((lease) => lease.name)).toEqual(['server:fs', 'server:git']);
    });

    it('gives a lease to one of many that ask at once', async () => {
      const leases = await open();
      const holders = Array.from({ length: 20 }, (_, n) => `instance-${n}`);
      const taken = await Promise.all(holders.map((each) => leases.take('server:fs', each, LONG)));
      expect(taken.filter((lease) => lease !== undefined)).toHaveLength(1);
    });

    it('gives a released lease to the next, with a higher fence', async () => {
      const leases = await open();
      const first = await leases.take('server:fs', 'a', LONG);
      await leases.release(first!);
      expect(await leases.find('server:fs')).toBeUndefined();
      const second = await leases.take('server:fs', 'b', LONG);
      expect(second!.fence).toBeGreaterThan(first!.fence);
    });

    it('gives a lease of its own to a holder again, with a higher fence', async () => {
      const leases = await open();
      const first = await leases.take('server:fs', 'a', LONG);
      const second = await leases.take('server:fs', 'a', LONG);
      expect(second!.fence).toBeGreaterThan(first!.fence);
      expect(await leases.renew(first!, LONG)).toBe(false);
      await leases.release(first!);
      expect(await leases.find('server:fs')).toEqual(second);
    });

    it('ends a lease that is not renewed', async () => {
      const leases = await open();
      const first = await leases.take('server:fs', 'a', SHORT);
      await expect.poll(() => leases.take('server:fs', 'b', LONG)).toBeDefined();
      expect(await leases.renew(first!, LONG)).toBe(false);
      await leases.release(first!);
      expect(await leases.find('server:fs')).toMatchObject({ holder: 'b' });
    });

    it('leaves a lease that ran out to instances that have watched it', async () => {
      const leases = await open();
      const first = await leases.take('server:fs', 'a', SHORT, true);
      await expect.poll(() => leases.find('server:fs')).toBeUndefined();
      expect(await leases.take('server:fs', 'b', LONG, true)).toBeUndefined();
      const second = await leases.take('server:fs', 'a', LONG, true);
      expect(second!.fence).toBeGreaterThan(first!.fence);
      await leases.release(second!);
      expect(await leases.take('server:fs', 'b', LONG, true)).toMatchObject({ holder: 'b' });
    });

    it('extends a lease that is renewed', async () => {
      const leases = await open();
      const first = await leases.take('server:fs', 'a', SHORT);
      const other = await leases.take('server:git', 'a', SHORT);
      expect(await leases.renew(first!, LONG)).toBe(true);
      await expect.poll(() => leases.find('server:git')).toBeUndefined();
      expect(await leases.find('server:fs')).toEqual(first);
      expect(await leases.renew(other!, LONG)).toBe(false);
    });
  });
}
