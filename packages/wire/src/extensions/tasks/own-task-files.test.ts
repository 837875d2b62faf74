import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ownTask, ownTaskContract } from '../../../../../test/contracts/own-task-store.js';
import { scratch } from '../../../../../test/testing/scratch.js';
import { ownTaskFiles } from './own-task-files.js';

ownTaskContract('own tasks in files', async () => {
  const folder = scratch();
  return [ownTaskFiles(folder), ownTaskFiles(folder)];
});

describe('own tasks in files', () => {
  /** Makes the files look as if a process had saved them that has ended. */
  function endProcess(folder: string): void {
    const pid = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));
    for (const name of readdirSync(folder)) {
      const [mark = '', ...rest] = readFileSync(join(folder, name), 'utf8').split('\n');
      const gone = JSON.stringify({ ...JSON.parse(mark), pid, run: 'another' });
      writeFileSync(join(folder, name), [gone, ...rest].join('\n'));
    }
  }

  it('pass on the other orders if one is damaged', async () => {
    const folder = scratch();
    const store = ownTaskFiles(folder);
    const [one, two] = [ownTask(), ownTask()];
    for (const task of [one, two]) await store.save(task);
    await store.give(one.id, { type: 'cancel' });
    const damaged = readdirSync(folder).find(
      (name) => name.startsWith(one.id) && /order/.test(name),
    );
    writeFileSync(join(folder, damaged!), '{');
    await store.give(two.id, { type: 'cancel' });
    expect(await store.take([one.id, two.id])).toEqual([{ id: two.id, order: { type: 'cancel' } }]);
  });

  it('D13: say what became of a call whose process has ended', async () => {
    const folder = scratch();
    const store = ownTaskFiles(folder);
    const [waiting, running] = [ownTask(), ownTask({ phase: 'running' })];
    const done = ownTask({ phase: 'ended', reply: { ok: true, json: '{}' } });
    for (const task of [waiting, running, done]) await store.save(task);
    endProcess(folder);
    const codeOf = async (id: string): Promise<unknown> => {
      const { phase, reply } = (await ownTaskFiles(folder).find(id))!;
      expect(phase).toBe('ended');
      return (JSON.parse(reply!.json) as { data?: { code: string } }).data?.code;
    };
    expect(await codeOf(waiting.id)).toBe('approval-lost');
    expect(await codeOf(running.id)).toBe('instance-lost');
    expect(await ownTaskFiles(folder).find(done.id)).toEqual(done);
  });

  it('are deleted when their time is over, and damaged ones are ignored', async () => {
    const folder = scratch();
    await ownTaskFiles(folder).save(ownTask({ ttlMs: -1 }));
    const damaged = ownTask();
    writeFileSync(join(folder, `${damaged.id}.json`), 'no mark\n{');
    const store = ownTaskFiles(folder);
    const kept = ownTask();
    await store.save(kept);
    await store.give(damaged.id, { type: 'cancel' });
    expect(await store.find(damaged.id)).toBeUndefined();
    await store.sweep();
    expect(readdirSync(folder)).toEqual([`${kept.id}.json`]);
  });

  it('refuse a task that cannot be saved', async () => {
    const folder = join(scratch(), 'tasks');
    writeFileSync(folder, 'not a folder');
    await expect(ownTaskFiles(folder).save(ownTask())).rejects.toThrow();
    await expect(ownTaskFiles(folder).save(ownTask({ phase: 'running' }))).rejects.toThrow();
  });
});
