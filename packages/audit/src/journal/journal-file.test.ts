import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { verifyFolder } from '../testing/audit-rows.js';
import { GENESIS, readAnchor } from './anchor.js';
import { JournalFile, type JournalFileOptions } from './journal-file.js';
import { anchorPath, partPath } from './journal-folder.js';

function opened(options: Partial<JournalFileOptions> = {}) {
  const folder = journalFolder();
  const file = new JournalFile({ folder, rotateBytes: 1e6, isDurable: false, ...options });
  onTestFinished(() => file.close({ unwritten: 0 }));
  const { name, writer } = file;
  const append = (...texts: readonly string[]): void =>
    file.append(texts, (text, n) => `{"id":"${writer}-${n}","time":"t","text":"${text}"}`);
  const anchor = (isOpen = true) => readAnchor(anchorPath(folder, name, isOpen));
  const linesOf = (part: number): string[] =>
    readFileSync(partPath(folder, name, part), 'utf8')
      .trimEnd()
      .split('\n');
  return { folder, file, append, anchor, linesOf };
}

describe('the files of a journal', () => {
  it('begin with a header, which says what they are', () => {
    const { file, append, linesOf } = opened();
    append('a');
    const [header, first] = linesOf(1);
    expect(JSON.parse(header!)).toEqual({
      prev: GENESIS.hash,
      id: `${file.writer}-0`,
      time: expect.stringMatching(/Z$/),
      kind: 'journal',
      severity: 'info',
      version: 1,
      journal: file.name,
      part: 1,
    });
    expect(first).toBe(`{"id":"${file.writer}-1","time":"t","text":"a"}`);
  });

  it('end where the journal says, in bytes, even if a block is very large', () => {
    const { folder, file, append } = opened();
    for (const text of ['é', 'é'.repeat(200_000), 'x'.repeat(90_000), 'end']) append(text);
    const bytes = readFileSync(partPath(folder, file.name, 1));
    expect(file.end).toMatchObject({ part: 1, size: bytes.length, n: 4 });
  });

  it('are opened once, and the anchor comes first', () => {
    const { folder, file, anchor } = opened();
    expect(file.isOpen).toBe(false);
    file.open();
    file.open();
    expect(file.isOpen).toBe(true);
    expect(anchor()).toMatchObject({ end: GENESIS, synced: -1, unwritten: 0, pid: process.pid });
    expect(anchor()).not.toHaveProperty('reason');
    expect(anchor()).not.toHaveProperty('pruned');
    expect(existsSync(partPath(folder, file.name, 2))).toBe(false);
  });

  it('continue with another part when one is full, but not before', async () => {
    const { folder, file, append } = opened({ rotateBytes: 400 });
    append('a');
    expect(file.end.size).toBeLessThan(400);
    append('b'.repeat(300));
    expect(file.end.part).toBe(1);
    append('c');
    expect(file.end.part).toBe(2);
    file.close({ unwritten: 0 });
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, records: 5, flaws: [] });
  });

  it('continue in the old part if no other can be begun, and try again', () => {
    const { folder, file, append } = opened({ rotateBytes: 1 });
    append('a');
    mkdirSync(partPath(folder, file.name, 2));
    append('b');
    expect(file.end.part).toBe(1);
    rmSync(partPath(folder, file.name, 2), { recursive: true });
    append('c');
    expect(file.end.part).toBe(2);
  });

  it.each([false, true])('are on disk after a sync, durable: %s', async (isDurable) => {
    const { file, append, anchor } = opened({ isDurable, rotateBytes: 1 });
    append('a');
    const errors: unknown[] = [];
    file.sync((error) => errors.push(error));
    // Begins another part while the sync is running. It covers only what was written before.
    append('b');
    await vi.waitFor(() => expect(errors).toEqual([null]));
    file.anchor({ unwritten: 2, reason: 'the disk is full' });
    expect(anchor()).toMatchObject({
      synced: 1,
      end: { n: 3, part: 2 },
      unwritten: 2,
      reason: 'the disk is full',
    });
  });

  it('say in their anchor where the journal begins', () => {
    const { file, append, anchor } = opened();
    append('a');
    const through = { ...file.end };
    file.prune(through);
    file.anchor({ unwritten: 0 });
    expect(anchor()!.pruned).toEqual(through);
  });
});

describe('deleted files of a journal', () => {
  it('are noticed, and replaced', () => {
    const { folder, file, append, anchor } = opened();
    expect(file.findDeleted()).toEqual({ anchor: false });
    append('a');
    expect(file.findDeleted()).toEqual({ anchor: false });
    rmSync(partPath(folder, file.name, 1));
    expect(file.findDeleted()).toEqual({ part: 1, anchor: false });
    expect(file.isOpen).toBe(false);
    append('b');
    expect(file.end.part).toBe(2);
    rmSync(anchorPath(folder, file.name, true));
    expect(file.findDeleted()).toEqual({ anchor: true });
    file.anchor({ unwritten: 0 });
    expect(anchor()!.end).toEqual(file.end);
    expect(file.findDeleted()).toEqual({ anchor: false });
  });
});

describe('a journal that is closed', () => {
  it('is marked as closed, unless records are missing', () => {
    const whole = opened();
    whole.append('a');
    whole.file.close({ unwritten: 0 });
    expect(whole.file.isOpen).toBe(false);
    expect(whole.anchor(true)).toBeUndefined();
    expect(whole.anchor(false)).toMatchObject({ end: whole.file.end });
    const short = opened();
    short.append('a');
    short.file.close({ unwritten: 3, reason: 'the disk is full' });
    expect(short.anchor(false)).toBeUndefined();
    expect(short.anchor(true)).toMatchObject({ unwritten: 3, reason: 'the disk is full' });
  });

  it('has no files if it never had a record', () => {
    const { folder, file } = opened();
    file.close({ unwritten: 0 });
    expect(existsSync(folder)).toBe(false);
  });
});
