/** What a directory of instances must do, in memory and in a database. */

import type { Announcement, InstanceDirectory } from '@callsign/instances';
import { describe, expect, it } from 'vitest';

export function announcement(id: string, members: Partial<Announcement> = {}): Announcement {
  return {
    id,
    address: `http://127.0.0.1/${id}`,
    key: `key of ${id}`,
    configuration: 'sha256:00',
    version: '0.1.0',
    state: 'ready',
    ...members,
  };
}

/**
 * `open` creates an empty directory. An instance that is silent for `silenceMs` does not count as
 * running.
 */
export function directoryContract(
  name: string,
  open: (silenceMs: number) => Promise<InstanceDirectory>,
): void {
  describe(name, () => {
    it('lists the instances that run, the oldest first', async () => {
      const directory = await open(60_000);
      for (const id of ['b', 'a', 'c']) await directory.announce(announcement(id));
      expect((await directory.list()).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
      const found = await directory.find('a');
      expect(found).toMatchObject(announcement('a'));
      expect(Date.parse(found!.startedAt)).toBeLessThanOrEqual(Date.parse(found!.seenAt));
    });

    it('keeps the start of an instance that renews its entry, and takes what is new', async () => {
      const directory = await open(60_000);
      await directory.announce(announcement('a'));
      const before = await directory.find('a');
      await directory.announce(
        announcement('a', { state: 'draining', configuration: 'sha256:01' }),
      );
      const after = await directory.find('a');
      expect(after).toMatchObject({ state: 'draining', configuration: 'sha256:01' });
      expect(after!.startedAt).toBe(before!.startedAt);
      expect(await directory.list()).toHaveLength(1);
    });

    it('forgets an instance that leaves', async () => {
      const directory = await open(60_000);
      await directory.announce(announcement('a'));
      await directory.leave('a');
      await directory.leave('never there');
      expect(await directory.find('a')).toBeUndefined();
      expect(await directory.list()).toEqual([]);
    });

    it('does not list an instance that stays silent, until it speaks again', async () => {
      const directory = await open(200);
      await directory.announce(announcement('a'));
      await expect.poll(() => directory.find('a')).toBeUndefined();
      expect(await directory.list()).toEqual([]);
      await directory.announce(announcement('a'));
      expect((await directory.list()).map(({ id }) => id)).toEqual(['a']);
    });
  });
}
