import { expect, it } from 'vitest';

import { ItemFaults } from './item-faults.js';

it('warnings about a list name up to three items, and count more', () => {
  const told = (add: (faults: ItemFaults) => void): string[] => {
    const faults = new ItemFaults('tools/list', 'name');
    const warnings: string[] = [];
    add(faults);
    faults.report((message) => warnings.push(message));
    return warnings;
  };
  expect(told(() => undefined)).toEqual([]);
  const few = told((faults) => {
    faults.nameless();
    faults.wrong('a', 'it is wrong');
    faults.wrong('b', 'it is wrong');
    faults.tooLong('c'.repeat(300));
    faults.twice('d');
  });
  expect(few).toEqual([
    '1 items of tools/list were left out: they have no name',
    '"a" of tools/list was left out: it is wrong',
    '"b" of tools/list was left out: it is wrong',
    `"${'c'.repeat(100)}" was left out: its definition is too long`,
    '"d" is listed twice; the first one is used',
  ]);
  const many = new ItemFaults('tools/list', 'name');
  for (let n = 0; n < 100_000; n++) many.wrong(`x${n}`, 'it is wrong');
  expect(many.count).toBe(100_000);
  const warnings: string[] = [];
  many.report((message) => warnings.push(message));
  expect(warnings).toEqual([
    '100000 items of tools/list such as "x0", "x1", "x2" were left out: it is wrong',
  ]);
});
