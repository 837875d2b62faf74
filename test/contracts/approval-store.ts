/** What a store of waiting calls must do, in memory and in a database. */

import { NotPosted, type ApprovalStore, type PostedApproval } from '@callsign/governance';
import { describe, expect, it } from 'vitest';

const SCRIPT_CALLS: NonNullable<PostedApproval['calls']> = [1, 2].map((number) => ({
  number,
  tool: 's:t',
  risk: 'write',
  effect: 'It adds.',
  arguments: `{"n":${number}}`,
  hidden: [],
}));

export function posted(id: string, members: Partial<PostedApproval> = {}): PostedApproval {
  return {
    id,
    instance: 'a',
    tool: 's:t',
    title: 'T',
    effect: 'It may delete.',
    arguments: '{"path":"…"}',
    hidden: [],
    rule: 'destructive: confirm',
    caller: { name: undefined, client: 'cursor' },
    whole: { arguments: '{"path":"/very/long"}', hidden: [] },
    furthest: 'tool',
    forMs: 60_000,
    ...members,
  };
}

/** `open` creates an empty store and returns the views of two instances. */
export function approvalStoreContract(
  name: string,
  open: () => Promise<readonly [ApprovalStore, ApprovalStore]>,
): void {
  describe(name, () => {
    it('shows the calls of all instances, the oldest first', async () => {
      const [a, b] = await open();
      await a.post(posted('one'));
      await b.post(posted('two', { instance: 'b' }));
      for (const store of [a, b]) {
        const all = await store.list();
        expect(all.map(({ id, instance }) => [id, instance])).toEqual([
          ['one', 'a'],
          ['two', 'b'],
        ]);
        expect(all[0]).toMatchObject({ tool: 's:t', arguments: '{"path":"…"}', hidden: [] });
        expect(all[0]!.caller.client).toBe('cursor');
        expect(all[0]!.remainingMs).toBeGreaterThan(50_000);
        expect(all[0]!.remainingMs).toBeLessThanOrEqual(60_000);
        expect(await store.find('one')).toMatchObject({ arguments: '{"path":"/very/long"}' });
      }
      expect(await a.find('none')).toBeUndefined();
    });

    it('refuses an id that another instance has taken', async () => {
      const [a, b] = await open();
      await a.post(posted('one'));
      await expect(b.post(posted('one', { instance: 'b' }))).rejects.toThrow(NotPosted);
    });

    it('keeps a call that is posted again as it is (L1)', async () => {
      const [a, b] = await open();
      await a.post(posted('one'));
      await b.decide('one', { approve: false });
      await a.post(posted('one'));
      expect(await a.list()).toEqual([]);
      expect((await a.decisions(['one'])).get('one')).toEqual({ approve: false });
    });

    it('takes no decision about a call that has ended, even if it is posted late (L1)', async () => {
      const [a, b] = await open();
      await a.end('a', new Map([['one', 'expired']]));
      await a.post(posted('one'));
      expect(await b.list()).toEqual([]);
      expect(await b.find('one')).toBeUndefined();
      expect(await b.decide('one', { approve: true })).toBe(false);
      expect(await b.state('one')).toMatchObject({ outcome: 'expired' });
    });

    it('knows what was decided, and how the wait ended (L1)', async () => {
      const [a, b] = await open();
      await a.post(posted('one'));
      const waiting = await b.state('one');
      expect(waiting).toMatchObject({ approval: { id: 'one', tool: 's:t', instance: 'a' } });
      expect(Object.keys(waiting!)).toEqual(['approval']);
      await b.decide('one', { approve: true, scope: 'call' });
      const decision = { approve: true, scope: 'call' };
      expect(await b.state('one')).toMatchObject({ decision });
      expect(await b.state('one')).not.toHaveProperty('outcome');
      // Only the instance where it waited says how its wait ended, and only once.
      await b.end('b', new Map([['one', 'withdrawn']]));
      await a.end('a', new Map([['one', 'approved']]));
      await a.end('a', new Map([['one', 'expired']]));
      expect(await b.state('one')).toMatchObject({ decision, outcome: 'approved' });
      expect(await b.state('none')).toBeUndefined();
    });

    it('takes one decision of many that come at the same time', async () => {
      const [a, b] = await open();
      await a.post(posted('one'));
      const decided = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          [a, b][n % 2]!.decide('one', n % 3 === 0 ? { approve: true } : { approve: false }),
        ),
      );
      expect(decided.filter(Boolean)).toHaveLength(1);
      const first = decided.indexOf(true);
      expect((await a.decisions(['one', 'none'])).get('one')).toEqual({ approve: first % 3 === 0 });
      expect(await a.list()).toEqual([]);
      expect(await b.decide('one', { approve: true })).toBe(false);
    });

    it('keeps the words and the scope of a decision', async () => {
      const [a, b] = await open();
      await a.post(posted('one'));
      await a.post(posted('two'));
      await b.decide('one', { approve: false, reason: 'not on Fridays' });
      await b.decide('two', { approve: true, scope: 'tool' });
      await a.post(posted('three', { calls: SCRIPT_CALLS }));
      expect(await b.find('three')).toMatchObject({ calls: SCRIPT_CALLS });
      await b.decide('three', { approve: true, only: [2] });
      expect(Object.fromEntries(await a.decisions(['one', 'two', 'three']))).toEqual({
        one: { approve: false, reason: 'not on Fridays' },
        two: { approve: true, scope: 'tool' },
        three: { approve: true, only: [2] },
      });
    });

    it('takes no decision about a call whose time is over, or that waits no more', async () => {
      const [a, b] = await open();
      await a.post(posted('one', { forMs: 100 }));
      await a.post(posted('two'));
      await a.end('a', new Map([['two', 'withdrawn']]));
      expect(await b.decide('two', { approve: true })).toBe(false);
      await expect.poll(() => b.list()).toEqual([]);
      expect(await b.decide('one', { approve: true })).toBe(false);
      expect(await b.find('one')).toBeUndefined();
    });

    it('announces changes to all instances', async () => {
      const [a, b] = await open();
      const told: string[] = [];
      const heard = async (...wanted: string[]): Promise<void> => {
        await expect.poll(() => told.toSorted()).toEqual(wanted);
        told.length = 0;
      };
      a.watch(() => told.push('a'));
      const stop = b.watch(() => told.push('b'));
      await a.post(posted('one'));
      await heard('a', 'b');
      await b.decide('one', { approve: true });
      await heard('a', 'b');
      stop();
      await b.end('a', new Map([['one', 'approved']]));
      await heard('a');
    });
  });
}
