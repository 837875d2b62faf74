/** Words of a question that say nothing about a tool. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a also an and are as at be been but by can could current currently did do does for from had has
  have how i if in into is it its just latest let me newest now of on one onto or our please recent
  recently should so some somebody someone something that the their them then there these they this
  those to up us want was we were what when where which who whose why will with would you
  your`.split(/\s+/),
);
