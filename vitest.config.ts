import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['callsign-source'] },
  ssr: { resolve: { conditions: ['callsign-source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 20_000,
  },
});
