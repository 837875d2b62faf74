/** What a store of the gateway's own tasks must do, in files and in a database. */

import { randomBytes } from 'node:crypto';

import type { OwnTaskRecord, OwnTaskStore } from '@callsign/wire/extensions';
import { describe, expect, it } from 'vitest';

export function ownTask(members: Partial<OwnTaskRecord> = {}): OwnTaskRecord {
  const now = Date.now();
  return {
    id: `task-${randomBytes(18).toString('base64url')}`,
    owner: 'ann',
    server: 's',
    tool: 't',
    createdAt: now,
    updatedAt: now,
    ttlMs: 60_000,
    phase: 'waiting',
    questions: {},
    ...members,
  };
}

/** `open` creates an empty store and returns two views of it. The process of `[0]` runs. */
export function ownTaskContract(
  name: string,
  open: () => Promise<readonly [OwnTaskStore, OwnTaskStore]>,
): void {
  describe(name, () => {
    it('finds a task as it was saved last, with its text unchanged', async () => {
      const [a, b] = await open();
      const task = ownTask();
      expect(await b.find(task.id)).toBeUndefined();
      await a.save(task);
      expect(await b.find(task.id)).toEqual(task);
      const reply = {
        ok: true,
        json: '{"n":1.0, "text":"\\u0000 ü \\ud83d\\n","big":12345678901234567890}',
      };
      const question = { method: 'elicitation/create', params: '{"message":"?" }' };
      const ended: OwnTaskRecord = { ...task, phase: 'ended', questions: { q1: question }, reply };
      await a.save(ended);
      expect(await b.find(task.id)).toEqual(ended);
      await a.remove(task.id);
      expect(await b.find(task.id)).toBeUndefined();
    });

    it('lists the tasks of one caller, and none whose time is over', async () => {
      const [a, b] = await open();
      const [one, two] = [ownTask(), ownTask({ createdAt: Date.now() + 1 })];
      for (const task of [one, two, ownTask({ owner: 'bob' }), ownTask({ ttlMs: -1 })])
        await a.save(task);
      expect((await b.of('ann')).map(({ id }) => id)).toEqual([one.id, two.id]);
      const short = ownTask({ ttlMs: 100 });
      await a.save(short);
      await expect.poll(() => b.find(short.id)).toBeUndefined();
    });

    it('passes orders to the process of a task, each once', async () => {
      const [a, b] = await open();
      const [one, two] = [ownTask(), ownTask()];
      for (const task of [one, two]) await a.save(task);
      await b.give(one.id, { type: 'answer', responses: '{"q1":{"n":1.0 }}' });
      await b.give(two.id, { type: 'cancel' });
      expect(await a.take([one.id])).toEqual([
        { id: one.id, order: { type: 'answer', responses: '{"q1":{"n":1.0 }}' } },
      ]);
      expect(await a.take([one.id])).toEqual([]);
      expect(await a.take([one.id, two.id])).toEqual([{ id: two.id, order: { type: 'cancel' } }]);
    });

    it('knows no task by an id that we do not make', async () => {
      const [a] = await open();
      for (const id of ['', '..', '../../etc/passwd', 'task-x', "'; drop"])
        expect(await a.find(id)).toBeUndefined();
    });
  });
}
