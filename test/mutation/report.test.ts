/** When a run of mutation testing fails, and its messages. */

import { describe, expect, it } from 'vitest';

import {
  keyOf,
  readAccepted,
  staleEntries,
  type Result,
} from '../../scripts/mutation/accepted.mjs';
import { listMutants, type Mutant } from '../../scripts/mutation/mutants.mjs';
import { report } from '../../scripts/mutation/report.mjs';

const [one] = listMutants('a.ts', 'function f(a) { return (b = !a); }').filter(
  ({ change }) => change === '!a → a',
) as [Mutant];
const entry = { file: 'a.ts', in: 'f', change: '!a → a', nth: 1, reason: 'Only faster.' };
const result = (state: Result['state'], mutant = one): Result => ({ group: 'g', mutant, state });
const killed = (count: number): Result[] => Array.from({ length: count }, () => result('killed'));

describe('a report', () => {
  it('names survivors with their reason', () => {
    const { text, failures } = report([...killed(9), result('survived')], [entry], []);
    expect(text).toContain('  a.ts:1  f · !a → a  [Only faster.]');
    expect(text).toMatch(/^g +10 +9 +0 +1 +0 +90\.0 %$/m);
    expect(text).toContain('Mutation testing passes.');
    expect(failures).toEqual([]);
  });

  it('marks a survivor without a reason, and fails when there are too many', () => {
    const few = report([...killed(18), result('survived'), result('survived')], [], []);
    expect(few.text).toContain('[NEW]');
    expect(few.failures).toEqual([]);
    const alive = [result('survived'), result('survived'), result('untested')];
    const many = report([...killed(17), ...alive], [], []);
    expect(many.text).toContain('[NEW, no test enters it]');
    expect(many.failures).toEqual(['3 survivors without a reason, at most 10.0 % allowed']);
  });

  it('counts accepted survivors as survivors', () => {
    const { failures } = report(
      [...killed(8), result('survived'), result('survived')],
      [entry],
      [],
    );
    expect(failures).toEqual(['80.0 % killed, at least 85.0 % expected']);
  });

  it('counts a timeout as killed', () => {
    expect(report([...killed(9), result('timeout')], [], []).failures).toEqual([]);
  });

  it('fails with a stale entry', () => {
    const { failures } = report(killed(1), [], ['a.ts: names no mutant']);
    expect(failures).toEqual(['accepted.json: a.ts: names no mutant']);
  });
});

describe('an accepted survivor', () => {
  it('is left alone while its mutant survives, or was not tried', () => {
    expect(staleEntries([entry], [one], [result('survived')])).toEqual([]);
    expect(staleEntries([entry], [one], [])).toEqual([]);
  });

  it.each([
    [{ ...entry, change: '!b → b' }, 'names no mutant'],
    [{ ...entry, nth: 2 }, 'names no mutant'],
    [{ ...entry, reason: '' }, 'has no reason'],
  ])('is stale: %j', (stale, problem) => {
    expect(staleEntries([stale], [one], [])).toEqual([`a.ts · f · ${stale.change}: ${problem}`]);
  });

  it('is stale when its mutant is killed', () => {
    expect(staleEntries([entry], [one], [result('killed')])).toEqual([
      'a.ts · f · !a → a: names a mutant that is killed',
    ]);
  });

  it('is listed once', () => {
    expect(staleEntries([entry, entry], [one], [])).toEqual(['a.ts · f · !a → a: is listed twice']);
  });
});

it('every entry of the list has its own key', () => {
  const keys = readAccepted().map(keyOf);
  expect(new Set(keys).size).toBe(keys.length);
});
