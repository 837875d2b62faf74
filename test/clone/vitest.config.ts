/**
 * For `npm run test:clone`: the test that `npm test` leaves out, because it runs every command of
 * the README.
 */

import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

import { common } from '../../vitest.config.js';

export default defineConfig({
  ...common,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { ...common.test, include: ['test/clone/*.test.ts'], exclude: [] },
});
