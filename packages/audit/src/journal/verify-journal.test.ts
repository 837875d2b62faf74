import { describe, expect, it } from 'vitest';

import { chainedJournal } from '../testing/chained-journal.js';
import { type Anchor, GENESIS } from './anchor.js';
import { JournalWalk } from './verify-journal.js';

const NAME = '20261115T093012-w';

function walk(lines: readonly string[], anchor: Anchor | undefined, isClosed = true) {
  const walking = new JournalWalk(NAME, anchor, isClosed);
  for (const line of lines) walking.line(line);
  return walking.end();
}

const told = (flaws: readonly { flaw: string; id: string; message: string }[]): string[] =>
  flaws.map(({ flaw, id, message }) => `${flaw} ${id}: ${message}`);

/** Three parts: the records 0 to 4, 5 to 9, and 10 to 12. */
const { parts, ...JOURNAL } = chainedJournal(NAME, [[1, 2, 1], [2, 2], [2]]);
const LINES = parts.flat();

describe('a journal that is whole', () => {
  it('has no flaw, and counts its records', () => {
    expect(walk(LINES, JOURNAL.anchor)).toMatchObject({
      records: 13,
      calls: 10,
      flaws: [],
      notes: [],
    });
  });

  it('may be longer than its anchor while it is written, but not after it was closed', () => {
    const [first, second] = JOURNAL.ends;
    for (const end of [first!, second!, { ...GENESIS }]) {
      const anchor = { ...JOURNAL.anchor, end };
      expect(walk(LINES, anchor, false).flaws).toEqual([]);
      expect(told(walk(LINES, anchor).flaws)).toEqual([
        `edited w-12: Records after ${end.n} were added after the journal was closed.`,
      ]);
    }
  });

  it('may begin after the records that were deleted', () => {
    const rest = LINES.slice(5);
    const anchor = { ...JOURNAL.anchor, pruned: JOURNAL.ends[0]! };
    expect(walk(rest, anchor)).toEqual({ records: 8, calls: 6, flaws: [], notes: [] });
    expect(walk([], { ...anchor, end: JOURNAL.ends[0]! }).flaws).toEqual([]);
    const forged = { ...anchor, pruned: { ...JOURNAL.ends[0]!, hash: 'f'.repeat(64) } };
    expect(told(walk(rest, forged).flaws)).toEqual([
      'edited w-5: Record 5 does not follow the records before it.',
    ]);
  });
});

describe('a journal that was changed', () => {
  const [lines, { anchor }] = [LINES, JOURNAL];
  const edited = (at: number): string[] => lines.with(at, lines[at]!.replace('é', 'e'));

  it.each<[string, readonly string[], string[]]>([
    ['an edit', edited(3), ['edited w-4: One of the records 2 to 3 was changed.']],
    [
      'an edit of two blocks',
      edited(3).with(8, lines[8]!.replace('é', 'è')),
      [
        'edited w-4: One of the records 2 to 3 was changed.',
        'edited w-10: One of the records 8 to 9 was changed.',
      ],
    ],
    ...[
      ['an end that is shorter', edited(12)] as const,
      ['an end that is longer', lines.with(12, lines[12]!.replace('é', 'éé'))] as const,
      ['an end of the same length', lines.with(12, lines[12]!.replace('é', 'è'))] as const,
    ].map(([name, changed]): [string, readonly string[], string[]] => {
      return [name, changed, ['edited w-12: Record 12 is not the one that the anchor knows.']];
    }),
    [
      'a line that is no record',
      lines.toSpliced(3, 0, 'hello'),
      ['edited w-2: The line after record 2 is not a record.'],
    ],
    [
      'a first line that is no record',
      ['hello', ...lines],
      [`edited ${NAME}: The line at the beginning is not a record.`],
    ],
    [
      'a missing record',
      lines.toSpliced(3, 1),
      ['missing w-4: Records missing before record 4: 1.'],
    ],
    [
      'a missing record of the last part',
      lines.toSpliced(11, 1),
      ['missing w-12: Records missing before record 12: 1.'],
    ],
    [
      'a missing block',
      lines.toSpliced(2, 2),
      ['missing w-4: Records missing before record 4: 2.'],
    ],
    [
      'a missing part',
      lines.toSpliced(5, 5),
      [
        'missing w-4: 1 file is missing before part 3.',
        'missing w-10: Records missing before record 10: 5.',
      ],
    ],
    [
      'two missing parts',
      lines.slice(10),
      [
        `missing ${NAME}: 2 files are missing before part 3.`,
        'missing w-10: Records missing before record 10: 10.',
      ],
    ],
    [
      'a part twice',
      [...lines.slice(0, 5), ...lines],
      ['moved w-4: Part 1 is not in its place.', 'moved w-0: Record 0 is not in its place.'],
    ],
    [
      'a record twice',
      lines.toSpliced(4, 0, lines[3]!),
      ['moved w-3: Record 3 is not in its place.'],
    ],
    [
      'a record of another journal',
      lines.with(3, lines[3]!.replace('w-3', 'v-3')),
      ['moved w-2: Record 3 belongs to another journal.'],
    ],
    [
      'a first record without a hash',
      lines.with(0, lines[0]!.replace(/"prev":"0+",/, '')),
      [
        'edited w-0: Record 0 has no hash of the block before it.',
        'missing w-4: 1 file is missing before part 2.',
      ],
    ],
    [
      'a missing end',
      lines.slice(0, -2),
      ['truncated w-10: Records after 10 are missing, up to 12.'],
    ],
    ['nothing', [], [`truncated ${NAME}: All records are missing, up to 12.`]],
  ])('shows %s, and where it is', (_, changed, flaws) => {
    const { flaws: found, records } = walk(changed, anchor);
    expect(told(found)).toEqual(flaws);
    expect(records).toBe(changed.length);
    expect(found.every(({ journal }) => journal === NAME)).toBe(true);
  });

  it('has the name of another one', () => {
    const other = new JournalWalk('20261115T093012-other', anchor, true);
    for (const line of lines.slice(0, 5)) other.line(line);
    expect(told(other.end().flaws).slice(0, 2)).toEqual([
      `moved 20261115T093012-other: Its anchor belongs to the journal ${NAME}.`,
      `moved 20261115T093012-other: Part 1 belongs to the journal ${NAME}.`,
    ]);
  });

  it('has a part in a file with the name of another part', () => {
    const walking = new JournalWalk(NAME, anchor, true);
    for (const [at, part] of parts.entries()) {
      walking.file([1, 2, 7][at]!);
      for (const line of part) walking.line(line);
    }
    expect(told(walking.end().flaws)).toEqual(['moved w-9: The file of part 7 contains part 3.']);
  });

  it('has lost its anchor', () => {
    expect(told(walk(lines, undefined).flaws)).toEqual([
      'unanchored w-12: The anchor is gone, so it is not known where the journal ended.',
    ]);
  });

  it('shows where it can no longer be read', () => {
    const walking = new JournalWalk(NAME, anchor, false);
    walking.unreadable('the disk reports an error');
    expect(told(walking.end().flaws)[0]).toBe(
      `unreadable ${NAME}: Nothing can be read at the beginning: the disk reports an error.`,
    );
  });
});

describe('the end of a journal', () => {
  const [lines, { anchor }] = [LINES, JOURNAL];

  it('may be a part that was never written', () => {
    const end = { ...anchor.end, part: 4, size: 0 };
    expect(walk(lines, { ...anchor, end }).flaws).toEqual([]);
  });

  const longAgo = { ...anchor, time: '2001-01-01T00:00:00.000Z' };
  const cut = lines.slice(0, -1);

  it('may be lost if the machine went down before it was on disk', () => {
    const { flaws, notes } = walk(cut, { ...longAgo, synced: 11 }, false);
    expect(flaws).toEqual([]);
    expect(notes).toMatchObject([{ journal: NAME, note: 'lost-end', count: 1 }]);
  });

  it.each<[string, Anchor, boolean]>([
    ['was on disk', { ...longAgo, synced: 12 }, false],
    ['was closed', longAgo, true],
    ['was written since the last start', anchor, false],
  ])('may not be lost if it %s', (_, known, isClosed) => {
    const { flaws, notes } = walk(cut, known, isClosed);
    expect(flaws).toMatchObject([{ flaw: 'truncated' }]);
    expect(notes).toEqual([]);
  });

  it('may be half a line, but the end of an earlier part may not', () => {
    const walking = new JournalWalk(NAME, anchor, true);
    for (const line of lines.slice(0, 5)) walking.line(line);
    walking.torn(17);
    expect(walking.end().notes).toMatchObject([{ journal: NAME, note: 'torn', count: 17 }]);

    const early = new JournalWalk(NAME, anchor, true);
    for (const line of lines.slice(0, 5)) early.line(line);
    early.torn(17);
    for (const line of lines.slice(5)) early.line(line);
    const { flaws, notes } = early.end();
    expect(told(flaws)).toEqual([
      'edited w-4: Part 1 ends in the middle of a line, and is not the last.',
    ]);
    expect(notes).toEqual([]);
  });
});

describe('events in a journal', () => {
  it.each([
    ['gap', 'gap'],
    ['pruned', 'pruned'],
    ['torn', 'torn'],
    ['lost-end', 'lost-end'],
  ])('of kind %s are notes', (kind, note) => {
    const rest = `,"kind":"${kind}","journal":"other","reason":"a reason","count":3`;
    const {
      parts: [lines],
      anchor,
    } = chainedJournal(NAME, [[1]], rest);
    expect(walk(lines!, anchor)).toEqual({
      records: 2,
      calls: 1,
      flaws: [],
      notes: [{ journal: 'other', note, count: 3, message: 'a reason.' }],
    });
  });

  it('of kind alarm are flaws', () => {
    const rest = ',"kind":"alarm","journal":"other","reason":"a part was deleted","count":0';
    const {
      parts: [lines],
      anchor,
    } = chainedJournal(NAME, [[1]], rest);
    const { flaws, notes } = walk(lines!, anchor);
    expect(told(flaws)).toEqual(['alarm w-1: An alarm about other: a part was deleted.']);
    expect(notes).toEqual([]);
  });
});
