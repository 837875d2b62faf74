/**
 * For `npm run test:clone`: the test that `npm test` leaves out, because it runs every command of
 * the README.
 */

import { defineConfig } from 'vitest/config';

import { common } from '../../vitest.config.js';

export default defineConfig({
  ...common,
  root: new URL('../..', import.meta.url).pathname,
  test: { ...common.test, include: ['test/clone/*.test.ts'], exclude: [] },
});
