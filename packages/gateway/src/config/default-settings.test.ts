import { expect, it } from 'vitest';

import { SERVER_SETTINGS, SETTINGS } from './settings.js';

it('the settings of a plain file are checked in as the schema returns them; vitest -u writes them again', async () => {
  const defaults = { settings: SETTINGS.parse({}), server: SERVER_SETTINGS.parse({}) };
  const text = `${JSON.stringify(defaults, null, 2)}\n`;
  expect(JSON.parse(text)).toStrictEqual(defaults);
  await expect(text).toMatchFileSnapshot('./default-settings.json');
});
