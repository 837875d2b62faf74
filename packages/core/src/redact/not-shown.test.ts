import { expect, it } from 'vitest';

import { notShown } from './not-shown.js';

it('says how much is not shown, where and why', () => {
  expect(
    notShown([
      { at: '', characters: 1, because: 'secret' },
      { at: 'a.`b`', characters: 2, because: 'length' },
    ]),
  ).toBe(
    'NOT SHOWN: 1 character of the arguments (looks like a secret); ' +
      '2 characters at `a.\\u0060b\\u0060` (too long).',
  );
});

it('says nothing if everything is shown', () => {
  expect(notShown([])).toBeUndefined();
});
