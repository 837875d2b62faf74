import { expect, it } from 'vitest';

import { quoted } from './quoted.js';

it.each([
  ['plain', '`plain`'],
  ['a `b`', '`a \\u0060b\\u0060`'],
  ['a\nb\tc\u2028d', '`a b c d`'],
  // Text from right to left stays, and turns nothing around it.
  ['a \u05D0\u05D1 "b" \u0627', '`a \u2068\u05D0\u05D1\u2069 "b" \u2068\u0627\u2069`'],
])('quotes %j', (text, quote) => {
  expect(quoted(text)).toBe(quote);
});
