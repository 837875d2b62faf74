import { expect, it } from 'vitest';

import { numbersIn } from './call-numbers.js';

it.each([
  ['1-3, 7', [1, 2, 3, 7]],
  [' 2 ', [2]],
  ['2,2', [2]],
  ['', undefined],
  ['0', undefined],
  ['3-1', undefined],
  ['11', undefined],
  ['1;2', undefined],
  ['-1', undefined],
  ['1e1', undefined],
  [3, undefined],
])('the numbers %j mean %j', (text, numbers) => {
  const read = numbersIn(text, 10);
  expect(read && [...read]).toEqual(numbers);
});
