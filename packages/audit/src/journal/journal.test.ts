import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { recordsIn, verifyFolder } from '../testing/audit-rows.js';
import { callEntry, intentEntry } from '../testing/journal-entries.js';
import { anchorText, readAnchor } from './anchor.js';
import { journalsIn } from './journal-folder.js';
import type { JournalOptions } from './journal-options.js';
import { Journal } from './journal.js';
import { removeFolder } from '../../../../test/testing/remove-folder.js';
import { committed } from '../testing/committed.js';

function journalIn(folder: string, options: Partial<JournalOptions> = {}) {
  const logged: string[] = [];
  const journal = new Journal({
    folder,
    durability: 'process',
    rotateBytes: 1024 * 1024,
    log: (_, message) => logged.push(message),
    consequence: 'So be it.',
    ...options,
  });
  onTestFinished(() => journal.close(0));
  return { journal, logged };
}

/** As if its process had died: the anchor names a process that cannot exist. */
function abandon(folder: string, change: object = {}): void {
  const journal = journalsIn(folder).find(({ isOpen }) => isOpen);
  const anchor = { ...readAnchor(journal!.anchor)!, pid: 2 ** 22 + 1, ...change };
  writeFileSync(journal!.anchor!, anchorText(anchor));
}

const linesIn = (folder: string): string[] =>
  journalsIn(folder).flatMap(({ parts }) => {
    return parts.flatMap(({ path }) => readFileSync(path, 'utf8').trimEnd().split('\n'));
  });

describe('a journal', () => {
  it('that is idle writes its anchor every hour, so that other machines know of it', async () => {
    vi.useFakeTimers({
      toFake: ['Date', 'setInterval', 'clearInterval'],
      now: Date.parse('2026-11-15T01:00:00.000Z'),
    });
    onTestFinished(() => void vi.useRealTimers());
    const folder = journalFolder();
    const { journal } = journalIn(folder);
    await committed(journal, intentEntry(1));
    vi.advanceTimersByTime(20 * 60 * 60 * 1000);
    const [{ anchor } = {}] = journalsIn(folder);
    expect(readAnchor(anchor)).toMatchObject({ time: '2026-11-15T21:00:00.000Z', end: { n: 1 } });
  });

  it('has an intent in its file when the commit resolves, and later the end', async () => {
    const folder = journalFolder();
    const { journal } = journalIn(folder);
    const intent = intentEntry(1);
    expect(await committed(journal, intent)).toBeUndefined();
    expect(recordsIn(folder)).toMatchObject([{ kind: 'intent', tool: 'fs:x' }]);
    journal.note(callEntry(1, intent));
    await vi.waitFor(() => expect(recordsIn(folder)).toHaveLength(2));
    const [first, second] = recordsIn(folder);
    expect(second).toMatchObject({ kind: 'call', intent: first!.id, outcome: 'ok', ms: 1 });
    expect(second).toHaveProperty('fingerprint', (first as { fingerprint: string }).fingerprint);
  });

  it('writes all intents of a turn as one block, with one hash of the block before', async () => {
    const folder = journalFolder();
    const { journal } = journalIn(folder);
    await Promise.all([1, 2, 3].map((i) => committed(journal, intentEntry(i))));
    await Promise.all([4, 5].map((i) => committed(journal, intentEntry(i))));
    const begins = linesIn(folder).map((line) => line.startsWith('{"prev":"'));
    // The header of the file, three intents, and two more.
    expect(begins).toEqual([true, false, false, false, true, false]);
  });

  it('creates no file before its first record, and only files for their owner', async () => {
    const folder = journalFolder();
    const { journal } = journalIn(folder);
    expect(existsSync(folder)).toBe(false);
    await committed(journal, intentEntry(1));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(folder)) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }
  });

  it('begins another file when one is full, and the hash chain continues', async () => {
    const folder = journalFolder();
    const { journal } = journalIn(folder, { rotateBytes: 1_000 });
    for (let i = 0; i < 20; i++) await committed(journal, intentEntry(i));
    await journal.close(1_000);
    const [files] = journalsIn(folder);
    expect(files!.parts.length).toBeGreaterThan(5);
    expect(await verifyFolder(folder)).toMatchObject({
      ok: true,
      records: 20 + files!.parts.length,
    });
  });

  it('begins another file on another day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-15T23:59:59.000Z') });
    onTestFinished(() => void vi.useRealTimers());
    const folder = journalFolder();
    const { journal } = journalIn(folder);
    await committed(journal, intentEntry(1));
    vi.setSystemTime(Date.parse('2026-11-16T00:00:01.000Z'));
    await committed(journal, intentEntry(2));
    await journal.close(1_000);
    expect(journalsIn(folder)[0]!.parts).toHaveLength(2);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true });
  });

  it('with disk durability is on disk up to the record that its anchor names', async () => {
    const folder = journalFolder();
    const { journal } = journalIn(folder, { durability: 'disk', rotateBytes: 2_000 });
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 4 }, (_, i) => committed(journal, intentEntry(i))));
    }
    await journal.close(1_000);
    const [files] = journalsIn(folder);
    const anchor = readAnchor(files!.anchor)!;
    expect(anchor.synced).toBe(anchor.end.n);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true });
  });

  it('that is full counts lost records, and notes them in their place', async () => {
    const folder = journalFolder();
    const { journal, logged } = journalIn(folder, { maxWaiting: 2 });
    for (let i = 0; i < 5; i++) journal.note(callEntry(i));
    expect(journal.status).toEqual({ waiting: 2, lost: 3 });
    await journal.close(1_000);
    expect(recordsIn(folder)).toMatchObject([{}, {}, { kind: 'gap', count: 3 }]);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, lost: 3 });
    expect(logged).toEqual(['The journal can be written again. Records lost: 3.']);
  });
});

describe('deleted files', () => {
  it('a deleted part is followed by a new one, with an alarm', async () => {
    const folder = journalFolder();
    const { journal } = journalIn(folder);
    await committed(journal, intentEntry(1));
    rmSync(journalsIn(folder)[0]!.parts[0]!.path);
    await committed(journal, intentEntry(2));
    await vi.waitFor(() => expect(recordsIn(folder)).toMatchObject([{ kind: 'alarm' }]));
    await committed(journal, intentEntry(3));
    await journal.close(1_000);
    const { ok, flaws } = await verifyFolder(folder);
    expect(ok).toBe(false);
    expect(new Set(flaws.map(({ flaw }) => flaw))).toEqual(new Set(['missing', 'alarm']));
  });

  it('a deleted folder is created again', async () => {
    const folder = journalFolder();
    const { journal } = journalIn(folder);
    await committed(journal, intentEntry(1));
    removeFolder(folder);
    await committed(journal, intentEntry(2));
    await vi.waitFor(() => expect(recordsIn(folder).length).toBeGreaterThan(0));
  });
});

describe('a folder that cannot be written', () => {
  it('is reported once and tried again, and nothing is lost', async () => {
    const folder = journalFolder();
    mkdirSync(dirname(folder), { recursive: true });
    writeFileSync(folder, 'a file in the place of the folder');
    const { journal, logged } = journalIn(folder);
    expect(await committed(journal, intentEntry(1))).toBe('its file cannot be used');
    expect(await committed(journal, intentEntry(2))).toBe('its file cannot be used');
    expect(journal.status).toMatchObject({ waiting: 2, trouble: 'its file cannot be used' });
    rmSync(folder);
    await vi.waitFor(() => expect(journal.trouble).toBeUndefined(), { timeout: 60_000 });
    expect(recordsIn(folder)).toHaveLength(2);
    expect(logged).toEqual([
      'The journal cannot be written: its file cannot be used. So be it.',
      'The journal can be written again. Records lost: 0.',
    ]);
  });
});

describe('F3: an anchor', () => {
  it('that cannot be read does not count as missing', async () => {
    const folder = journalFolder();
    const { journal } = journalIn(folder);
    await committed(journal, intentEntry(1));
    await journal.close(1_000);
    const { anchor } = journalsIn(folder)[0]!;
    expect(() => readAnchor(join(anchor!, 'below'))).toThrow('ENOTDIR');
    expect(readAnchor(join(folder, 'none'))).toBeUndefined();
    if (process.getuid?.() !== 0) {
      chmodSync(anchor!, 0);
      expect(() => readAnchor(anchor)).toThrow('EACCES');
      chmodSync(anchor!, 0o600);
    }
    writeFileSync(anchor!, '{"journal":');
    expect(() => readAnchor(anchor)).toThrow('its anchor is damaged');
    expect((await verifyFolder(folder)).flaws).toMatchObject([
      { flaw: 'unreadable' },
      { flaw: 'unanchored' },
    ]);
  });
});

describe('the next start', () => {
  /** A journal with three records whose process is dead, as `change` leaves it. */
  async function dead(change: (path: string) => void, anchor: object = {}): Promise<string> {
    const folder = journalFolder();
    const { journal } = journalIn(folder);
    for (let i = 0; i < 3; i++) await committed(journal, intentEntry(i));
    // The anchor is there from the start, and follows later.
    const anchored = () => readAnchor(journalsIn(folder)[0]!.anchor)!.end.n;
    await vi.waitFor(() => expect(anchored()).toBe(3), { timeout: 20_000 });
    abandon(folder, anchor);
    change(journalsIn(folder)[0]!.parts[0]!.path);
    return folder;
  }

  async function restart(folder: string) {
    const { journal } = journalIn(folder);
    await committed(journal, intentEntry(9));
    await journal.close(1_000);
    return recordsIn(folder).filter(({ kind }) => kind !== 'intent');
  }

  it('closes a complete journal', async () => {
    const folder = await dead(() => undefined);
    expect(await restart(folder)).toEqual([]);
    expect(journalsIn(folder).map(({ isOpen }) => isOpen)).toEqual([false, false]);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, notes: [] });
  });

  it('cuts a torn last line off and records it, without an alarm', async () => {
    const folder = await dead((path) => appendFileSync(path, '{"id":"half a rec'));
    const before = await verifyFolder(folder);
    expect(before).toMatchObject({ ok: true, notes: [{ note: 'torn', count: 17 }] });
    expect(await restart(folder)).toMatchObject([{ kind: 'torn', count: 17, severity: 'notice' }]);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, notes: [{ note: 'torn' }] });
    expect(linesIn(folder).every((line) => line.endsWith('}'))).toBe(true);
  });

  it('distinguishes an end that a power failure lost from one that was cut off', async () => {
    const half = (path: string): void => {
      const lines = readFileSync(path, 'utf8').split('\n');
      truncateSync(path, Buffer.byteLength(`${lines.slice(0, 3).join('\n')}\n`));
    };
    const longAgo = { time: '2001-01-01T00:00:00.000Z' };
    const lost = await dead(half, longAgo);
    expect(await verifyFolder(lost)).toMatchObject({
      ok: true,
      notes: [{ note: 'lost-end', count: 1 }],
    });
    expect(await restart(lost)).toMatchObject([{ kind: 'lost-end', count: 1 }]);
    expect(await verifyFolder(lost)).toMatchObject({ ok: true });

    const cut = await dead(half);
    expect(await verifyFolder(cut)).toMatchObject({ ok: false, flaws: [{ flaw: 'truncated' }] });
    expect(await restart(cut)).toMatchObject([{ kind: 'alarm', count: 1 }]);
    // The journals of one millisecond have no order.
    expect((await verifyFolder(cut)).flaws.map(({ flaw }) => flaw).toSorted()).toEqual([
      'alarm',
      'truncated',
    ]);

    // What was on disk cannot be lost by a power failure.
    const synced = await dead(half, { ...longAgo, synced: 3 });
    expect(await verifyFolder(synced)).toMatchObject({ ok: false, flaws: [{ flaw: 'truncated' }] });
  });

  it('F17: says what an earlier process could not write', async () => {
    const folder = await dead(() => undefined, { unwritten: 7, reason: 'the disk is full' });
    expect(await restart(folder)).toMatchObject([
      { kind: 'gap', count: 7, reason: 'the disk is full' },
    ]);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, lost: 7 });
    expect(await restart(folder)).toHaveLength(1);
  });

  it('accepts a journal whose process died before its anchor was updated', async () => {
    const none = { part: 1, size: 0, n: -1, hash: '0'.repeat(64) };
    const folder = await dead(() => undefined, { end: none });
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, flaws: [] });
    expect(await restart(folder)).toEqual([]);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, flaws: [] });
  });

  it('does not touch the journal of a running process', async () => {
    const folder = journalFolder();
    const { journal: other } = journalIn(folder);
    await committed(other, intentEntry(1));
    expect(await restart(folder)).toEqual([]);
    await committed(other, intentEntry(2));
    await other.close(1_000);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, journals: 2 });
  });
});
