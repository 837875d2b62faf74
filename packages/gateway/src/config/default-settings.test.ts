import { expect, it } from 'vitest';

import { DEFAULT_SERVER_SETTINGS, DEFAULT_SETTINGS } from './default-settings.js';
import { SERVER_SETTINGS, SETTINGS } from './settings-schema.js';

it('the settings of a plain file are the defaults of the schema', () => {
  expect(DEFAULT_SETTINGS).toStrictEqual(SETTINGS.parse({}));
  expect(DEFAULT_SERVER_SETTINGS).toStrictEqual(SERVER_SETTINGS.parse({}));
});
