import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['callsign-source'] },
  ssr: { resolve: { conditions: ['callsign-source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/adapter-runtime.ts'],
    setupFiles: ['test/own-state.ts'],
    testTimeout: 20_000,
    // Most of a test is waiting for processes.
    maxWorkers: 2,
    // Real processes on a machine that others use too; at home a test that fails now and then shall be seen.
    retry: process.env['CI'] ? 2 : 0,
  },
});
