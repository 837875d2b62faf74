/** For `npm run test:clone`: what `npm test` leaves out, because it types the whole README. */

import { defineConfig } from 'vitest/config';

import { common } from '../../vitest.config.js';

export default defineConfig({
  ...common,
  root: new URL('../..', import.meta.url).pathname,
  test: { ...common.test, include: ['test/clone/*.test.ts'], exclude: [] },
});
