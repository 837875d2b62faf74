import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { temporaryFolder } from '../../../../test/e2e/gateway-process.js';
import { rememberedGreeting, rememberGreeting } from './greetings.js';

it('keeps greetings where only their owner can read and replace them', () => {
  const folder = temporaryFolder();
  const config = join(folder, 'callsign.json');
  writeFileSync(config, '{}');
  const greeting = { instructions: 'Use it.', capabilities: { tools: {} } };
  rememberGreeting(config, greeting);
  expect(rememberedGreeting(config)).toEqual(greeting);
  const state = join(process.env['XDG_STATE_HOME']!, 'callsign');
  for (const path of [state, join(state, 'greetings')])
    expect(statSync(path).mode & 0o777).toBe(0o700);
});
