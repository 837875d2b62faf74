import { appendFileSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { scratch } from '../../../../../test/testing/scratch.js';
import { TaskTable } from './task-table.js';

const TASK = { server: 'a', tool: 't', taskId: '1', owner: 'ada', ttlMs: 1_000 };

function file(): string {
  const folder = scratch();
  return join(folder, 'state', 'tasks.jsonl');
}

describe('a table of tasks', () => {
  it('D13: gives each task a unique id that only its owner can use', () => {
    const table = new TaskTable();
    const [one, two] = [table.add(TASK), table.add({ ...TASK, server: 'b' })];
    expect(one).not.toBe(two);
    expect(table.find(one, 'ada')).toMatchObject(TASK);
    expect(table.find(one, 'bob')).toBeUndefined();
    expect(table.find(one, '')).toBeUndefined();
    expect(table.ofServer('b', '1')?.id).toBe(two);
    expect(table.of('ada').map(({ id }) => id)).toEqual([one, two]);
  });

  it('reads its file once for all unknown ids of a request, and again for the next', async () => {
    const path = file();
    const table = new TaskTable({ file: () => path });
    table.add(TASK);
    // A line without an end is read again each time.
    const torn = 'x'.repeat(30_000_000);
    appendFileSync(path, torn);
    for (let n = 0; n < 50_000; n++) expect(table.find(`task-${n}`, 'ada')).toBeUndefined();
    truncateSync(path, statSync(path).size - torn.length);
    const id = new TaskTable({ file: () => path }).add({ ...TASK, taskId: '2' });
    await Promise.resolve();
    expect(table.find(id, 'ada')).toMatchObject({ taskId: '2' });
  });

  it('D13: forgets a task whose id its server has used again', () => {
    const table = new TaskTable();
    const old = table.add(TASK);
    const now = table.add({ ...TASK, owner: 'bob' });
    expect(table.find(old, 'ada')).toBeUndefined();
    expect(table.find(now, 'bob')).toBeDefined();
  });

  it('D13: forgets a task some time after its time to live', () => {
    let at = 0;
    const table = new TaskTable({ now: () => at });
    const id = table.add(TASK);
    at = 1_000;
    expect(table.find(id, 'ada')).toBeDefined();
    at = 62_000;
    expect(table.find(id, 'ada')).toBeUndefined();
  });

  it('D13: a caller with very many tasks loses its own oldest, not those of others', () => {
    const table = new TaskTable();
    const [first, ofBob] = [table.add(TASK), table.add({ ...TASK, taskId: 'b', owner: 'bob' })];
    for (let n = 0; n < 10_000; n++) table.add({ ...TASK, taskId: `more ${n}` });
    expect(table.find(ofBob, 'bob')).toBeDefined();
    expect(table.find(first, 'ada')).toBeUndefined();
    expect(table.of('ada')).toHaveLength(9_999);
  });

  it('D13: notes the end of a task once', () => {
    const table = new TaskTable();
    const task = table.find(table.add(TASK), 'ada')!;
    expect([table.end(task), table.end(task)]).toEqual([true, false]);
    expect(table.find(task.id, 'ada')).toMatchObject({ hasEnded: true });
  });

  it('D13: is the same after a restart and in another process, and skips invalid lines of its file', async () => {
    const path = file();
    const [first, other] = [
      new TaskTable({ file: () => path }),
      new TaskTable({ file: () => path }),
    ];
    const id = first.add(TASK);
    expect(other.find(id, 'ada')).toMatchObject(TASK);
    const later = other.add({ ...TASK, taskId: '2' });
    // The next request: within one, the file is read once.
    await Promise.resolve();
    expect(first.find(later, 'ada')).toBeDefined();
    appendFileSync(path, '{"id":1}\nnonsense\n{"id":"half');
    const again = new TaskTable({ file: () => path });
    expect(again.of('ada').map(({ taskId }) => taskId)).toEqual(['1', '2']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(readFileSync(path, 'utf8')).toContain(id);
  });

  it('D13: works in memory if its file cannot be written', () => {
    const table = new TaskTable({
      file: () => join(fileURLToPath(import.meta.url), 'tasks.jsonl'),
    });
    expect(table.find(table.add(TASK), 'ada')).toBeDefined();
  });
});
