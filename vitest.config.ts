import { defineConfig, type Plugin, type ViteUserConfig } from 'vitest/config';

import { FINDINGS } from './test/requirements/findings.js';
import { LeftOutReporter } from './test/requirements/left-out.js';
import { REGISTER } from './test/requirements/register.js';
import { RequirementReporter } from './test/requirements/requirement-reporter.js';
import { isSlowRun, SLOW_TESTS } from './test/slow-tests.js';
import { testFiles } from './test/requirements/test-files.js';

/** A plugin, not an entry of `reporters`: `--reporter` on the command line would replace that. */
const requirements: Plugin = {
  name: 'callsign-requirements',
  configureVitest({ vitest }) {
    // Called for each project; the reporter is for all of them.
    const { reporters } = vitest.config;
    if (reporters.some((each) => each instanceof RequirementReporter)) return;
    const requirement = new RequirementReporter([...REGISTER, ...FINDINGS], testFiles);
    reporters.push(new LeftOutReporter(), requirement);
  },
};

const PACKAGES = 'packages/*/src/**/*.test.ts';
const WHOLE = 'test/**/*.test.ts';

/** What all tests need, however they are run. */
export const common = {
  plugins: [requirements],
  resolve: { conditions: ['callsign-source'] },
  ssr: { resolve: { conditions: ['callsign-source'] } },
  test: {
    include: [PACKAGES, WHOLE],
    // `test/clone` types the whole README: `npm run test:clone`.
    exclude: ['test/clone/**', '**/node_modules/**'],
    globalSetup: ['test/build.ts', 'test/adapter-runtime.ts'],
    setupFiles: ['test/own-state.ts'],
    // Limits for a test that hangs. No test expects anything of them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    // Tests mostly wait for processes that they have started.
    maxWorkers: 4,
  },
} satisfies ViteUserConfig;

const { test } = common;
const chosen = (all: string, folder: string): ViteUserConfig['test'] =>
  isSlowRun
    ? { include: SLOW_TESTS.filter((path) => path.startsWith(folder)) }
    : { include: [all], exclude: [...test.exclude, ...SLOW_TESTS] };

export default defineConfig({
  ...common,
  test: {
    ...test,
    projects: [
      // One process loads the modules once for many files.
      {
        ...common,
        test: { ...test, ...chosen(PACKAGES, 'packages'), name: 'packages', isolate: false },
      },
      { ...common, test: { ...test, ...chosen(WHOLE, 'test'), name: 'whole', isolate: false } },
    ],
  },
});
