import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { scratch } from '../../../../test/testing/scratch.js';
import { StoredResults } from './stored-results.js';

const SETTINGS = { keepMs: 3_600_000, maxStored: 100, maxStoredBytes: 1024 * 1024 };

function store(settings: Partial<typeof SETTINGS> = {}, folder = join(scratch(), 'results')) {
  const logged: string[] = [];
  const stored = new StoredResults({
    folder,
    settings: () => ({ ...SETTINGS, ...settings }),
    log: (_, message) => void logged.push(message),
  });
  onTestFinished(() => stored.close());
  const files = (): string[] =>
    readdirSync(folder).flatMap((own) =>
      readdirSync(join(folder, own))
        .filter((name) => name !== 'process.json')
        .map((name) => join(folder, own, name)),
    );
  return { stored, folder, files, logged };
}

describe('a stored result', () => {
  it('is read by its caller alone, and is sealed in a file of its own', async () => {
    const { stored, files } = store();
    const result = { text: 'plain words', data: '{"a":1}' };
    const id = await stored.add('ada', result);
    expect(await stored.find('ada', id!)).toEqual(result);
    expect(await stored.find('bob', id!)).toBeUndefined();
    expect(await stored.find('ada', '../../etc/passwd')).toBeUndefined();
    const [file] = files();
    expect(readFileSync(file!, 'latin1')).not.toContain('plain words');
    expect(statSync(file!).mode & 0o777).toBe(0o600);
    writeFileSync(file!, 'something else');
    expect(await stored.find('ada', id!)).toBeUndefined();
  });

  it('goes when its time is over, and leaves no file', async () => {
    const { stored, files } = store({ keepMs: 20 });
    const id = await stored.add('ada', { text: 'x' });
    await vi.waitFor(() => expect(files()).toEqual([]));
    expect(await stored.find('ada', id!)).toBeUndefined();
  });

  it('makes room for newer ones: of its caller, and of all', async () => {
    const { stored, files } = store({ maxStored: 2, maxStoredBytes: 5_000 });
    const ids = [];
    for (const owner of ['bob', 'ada', 'ada', 'ada'])
      ids.push(await stored.add(owner, { text: 'x'.repeat(100) }));
    expect(await stored.find('ada', ids[1]!)).toBeUndefined();
    expect(await stored.find('bob', ids[0]!)).toBeDefined();
    expect(await stored.add('ada', { text: 'x'.repeat(5_000) })).toBeUndefined();
    expect(await stored.add('eve', { text: 'x'.repeat(3_600) })).toBeDefined();
    expect(files().length).toBeLessThan(4);
  });

  it('removes the oldest of the caller who stores most, so that the others keep theirs', async () => {
    const { stored } = store({ maxStoredBytes: 5_000 });
    const small = await stored.add('bob', { text: 'x'.repeat(100) });
    const ids = [];
    for (let i = 0; i < 6; i++) ids.push(await stored.add('ada', { text: 'x'.repeat(1_000) }));
    expect(await stored.find('bob', small!)).toBeDefined();
    expect(await stored.find('ada', ids[0]!)).toBeUndefined();
    expect(await stored.find('ada', ids[5]!)).toBeDefined();
    const last = await stored.add('bob', { text: 'x'.repeat(3_000) });
    expect(await stored.find('bob', last!)).toBeDefined();
  });

  it('ends with its gateway, and what ended gateways left is removed', async () => {
    const folder = join(scratch(), 'results');
    const [dead, alive] = [join(folder, 'dead'), join(folder, 'alive')];
    const mark = { host: hostname(), time: new Date().toISOString() };
    for (const [own, pid] of [
      [dead, 2 ** 30],
      [alive, process.ppid],
    ] as const) {
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, 'process.json'), JSON.stringify({ ...mark, pid }));
    }
    const { stored } = store({}, folder);
    await stored.add('ada', { text: 'x' });
    expect([existsSync(dead), existsSync(alive)]).toEqual([false, true]);
    stored.close();
    expect(readdirSync(folder)).toEqual(['alive']);
    expect(await stored.add('ada', { text: 'x' })).toBeUndefined();
  });

  it('that cannot be written is not stored, and the log says why', async () => {
    const folder = join(scratch(), 'file');
    writeFileSync(folder, '');
    const { stored, logged } = store({}, folder);
    expect(await stored.add('ada', { text: 'x' })).toBeUndefined();
    expect(logged).toEqual([expect.stringContaining('A long result cannot be stored')]);
  });
});
