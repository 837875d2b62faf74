import { expect, it } from 'vitest';

import { announcement } from '../../../../../test/contracts/instance-directory.js';
import { ownTask, ownTaskContract } from '../../../../../test/contracts/own-task-store.js';
import { memoryDirectory } from '../../../../../test/memory/memory-directory.js';
import { memoryNews } from '../../../../../test/memory/memory-news.js';
import { describePostgres } from '../../../../../test/testing/postgres.js';
import { REAL_CLOCK } from '../../../../../test/testing/real-clock.js';
import { postgresOwnTasks } from './postgres-own-tasks.js';

describePostgres('own tasks on PostgreSQL', (postgres) => {
  /** Two instances, `a` and `b`. */
  async function stores(secrets?: readonly string[]) {
    const database = await postgres.open();
    const [directory, news] = [memoryDirectory(REAL_CLOCK), memoryNews()];
    for (const id of ['a', 'b']) await directory.announce(announcement(id));
    const of = (instance: string) =>
      postgresOwnTasks({ database, news, directory, instance, secrets });
    return { database, directory, a: of('a'), b: of('b') };
  }

  for (const secrets of [undefined, ['not-a-secret']]) {
    ownTaskContract(`own tasks in a database, ${secrets ? 'encrypted' : 'plain'}`, async () => {
      const { a, b } = await stores(secrets);
      return [a, b];
    });
  }

  it('D13: reports the end of an instance once, and that instance can no longer make the call', async () => {
    const { a, b, directory } = await stores();
    const [waiting, running] = [ownTask(), ownTask({ phase: 'running' })];
    const done = ownTask({ phase: 'ended', reply: { ok: true, json: '{}' } });
    for (const task of [waiting, running, done]) await a.save(task);
    expect(await b.find(waiting.id)).toEqual(waiting);
    await directory.leave('a');
    const [one, two] = await Promise.all([b.find(waiting.id), b.find(waiting.id)]);
    expect(one).toEqual(two);
    expect(one!.reply!.json).toContain('approval-lost');
    expect((await b.find(running.id))!.reply!.json).toContain('instance-lost');
    expect(await b.find(done.id)).toEqual(done);
    // It was only silent. The call that was reported as not made is not made.
    await directory.announce(announcement('a'));
    await expect(a.save({ ...waiting, phase: 'running' })).rejects.toThrow('reported the end');
    // A result that comes later does not change what was reported.
    await a.save({ ...running, phase: 'ended', reply: { ok: true, json: '{}' } });
    expect((await b.find(running.id))!.reply!.json).toContain('instance-lost');
  });

  it('says of an instance that is silent that it stopped answering, not that it ended (L13)', async () => {
    const { a, b, directory } = await stores();
    const running = ownTask({ phase: 'running' });
    await a.save(running);
    await directory.leave('a');
    const { json } = (await b.find(running.id))!.reply!;
    expect(json).toContain('that had this call stopped answering before it answered');
  });

  it('stores no result as it is, if there is a secret', async () => {
    const { a, database } = await stores(['not-a-secret']);
    await a.save(ownTask({ phase: 'ended', reply: { ok: true, json: '{"iban":"DE1"}' } }));
    const rows = await database.query(`select * from ${database.name('own_tasks')}`);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('DE1');
  });
});
