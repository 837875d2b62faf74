import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { auditFolder } from '../../../../test/testing/audit-folder.js';
import {
  anchorPath,
  defaultAuditFolder,
  journalsIn,
  newJournalName,
  partPath,
  sizeOf,
} from './journal-folder.js';

const [OLD, NEW] = ['20261115T093012-aaaaaaa1', '20261116T000000-bbbbbbb2'];

function folderWith(...files: readonly string[]): string {
  const folder = auditFolder();
  for (const file of files) writeFileSync(join(folder, file), 'abc');
  return folder;
}

describe('the journals of a folder', () => {
  it('are sorted by time, and their parts by number', () => {
    const parts = [2, 10, 1, 12345].map((part) => `${OLD}.${String(part).padStart(4, '0')}.jsonl`);
    const folder = folderWith(`${NEW}.0001.jsonl`, ...parts, `${OLD}.anchor`);
    expect(journalsIn(folder)).toEqual([
      {
        name: OLD,
        writer: 'aaaaaaa1',
        parts: [1, 2, 10, 12345].map((part) => ({ part, path: partPath(folder, OLD, part) })),
        anchor: anchorPath(folder, OLD, false),
        isOpen: false,
      },
      {
        name: NEW,
        writer: 'bbbbbbb2',
        parts: [{ part: 1, path: partPath(folder, NEW, 1) }],
        isOpen: false,
      },
    ]);
  });

  it('are open while their anchor says so, and closed once there is an anchor for that', () => {
    const open = folderWith(`${OLD}.open.anchor`);
    expect(journalsIn(open)).toMatchObject([
      { isOpen: true, anchor: anchorPath(open, OLD, true), parts: [] },
    ]);
    const both = folderWith(`${OLD}.open.anchor`, `${OLD}.anchor`);
    expect(journalsIn(both)).toMatchObject([
      { isOpen: false, anchor: anchorPath(both, OLD, false) },
    ]);
  });

  it('are not mixed up with other files', () => {
    const others = [
      'calls.db',
      `x${OLD}.anchor`,
      `${OLD}.anchor.tmp`,
      `${OLD}.1.jsonl`,
      'x-y.anchor',
    ];
    expect(journalsIn(folderWith(...others))).toEqual([]);
  });

  it('are none if there is no folder, but a folder that cannot be read is an error', () => {
    const folder = folderWith('file');
    expect(journalsIn(join(folder, 'none'))).toEqual([]);
    expect(() => journalsIn(join(folder, 'file'))).toThrow('ENOTDIR');
  });
});

describe('a new journal', () => {
  it('has a name with the time and the writer, which no other has', () => {
    const now = new Date('2026-11-15T09:30:12.345Z');
    const names = Array.from({ length: 50 }, () => newJournalName(now));
    for (const { name, writer } of names) {
      expect(name).toBe(`20261115T093012-${writer}`);
      expect(writer).toMatch(/^[a-z0-9]{8}$/);
    }
    expect(new Set(names.map(({ name }) => name)).size).toBe(50);
  });
});

describe('the default folder', () => {
  it.each([
    ['linux', '/home/ada', '/home/ada/.local/state/callsign/audit'],
    ['darwin', '/Users/ada', '/Users/ada/Library/Application Support/callsign/audit'],
    ['win32', 'C:\\Users\\ada', 'C:\\Users\\ada\\AppData\\Local\\callsign\\audit'],
  ] as const)('on %s is in the state folder of the user', (platform, home, folder) => {
    expect(defaultAuditFolder({ platform, home, env: {} })).toBe(folder);
  });
});

describe('the size of a file', () => {
  it('is unknown if there is no file', () => {
    const folder = folderWith('file');
    expect(sizeOf(join(folder, 'file'))).toBe(3);
    expect(sizeOf(join(folder, 'none'))).toBeUndefined();
  });
});
