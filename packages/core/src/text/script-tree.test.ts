import { expect, it } from 'vitest';

import { type OfScript, scriptTree } from './script-tree.js';

const row = (id: string, time: number, tool: string, script?: string): OfScript => ({
  id,
  time: `2026-11-15T09:00:${String(time).padStart(2, '0')}.000Z`,
  tool,
  ...(script === undefined ? {} : { script }),
});
const shown = (rows: readonly OfScript[]) =>
  scriptTree(rows).map(({ row: { id }, place }) => `${id} ${place}`);

const RUN = row('run', 1, 'callsign:run', 'x');
const ONE = row('one', 2, 's:t', 'x');
const OTHER = row('other', 3, 's:t');
const TWO = row('two', 4, 's:t', 'x');
const AGAIN = row('again', 5, 'callsign:run', 'x');

it('puts the calls of a script beneath the call that ran it', () => {
  expect(shown([RUN, ONE, OTHER, TWO])).toEqual([
    'run run',
    'one inner',
    'two last',
    'other alone',
  ]);
});

it('puts them by time where the newest come first, too', () => {
  expect(shown([AGAIN, TWO, OTHER, ONE, RUN])).toEqual([
    'other alone',
    'run run',
    'one inner',
    'two inner',
    'again last',
  ]);
});

it('keeps them together if the call that ran them is not there', () => {
  expect(shown([ONE, OTHER, TWO])).toEqual(['one inner', 'two last', 'other alone']);
  expect(shown([TWO])).toEqual(['two last']);
});

it('keeps scripts apart, and loses no row', () => {
  const rows = [RUN, row('b', 2, 'callsign:run', 'y'), ONE, row('c', 3, 's:t', 'y'), OTHER];
  expect(shown(rows)).toEqual(['run run', 'one last', 'b run', 'c last', 'other alone']);
});
