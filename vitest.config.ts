import { defineConfig, type Plugin, type ViteUserConfig } from 'vitest/config';

import { FINDINGS } from './test/requirements/findings.js';
import { LeftOutReporter } from './test/requirements/left-out.js';
import { REGISTER } from './test/requirements/register.js';
import { RequirementReporter } from './test/requirements/requirement-reporter.js';
import { SecondTryReporter } from './test/requirements/second-try.js';
import {
  citedElsewhere,
  filesCiting,
  testFiles,
  titlesCiting,
} from './test/requirements/test-files.js';
import { CHECKS, FAULTS, GROUP, LEFT_OUT, SLOW_TESTS, testsIn } from './test/test-groups.js';

/** A plugin, not an entry of `reporters`: `--reporter` on the command line would replace that. */
const requirements: Plugin = {
  name: 'callsign-requirements',
  configureVitest({ vitest }) {
    // What a test of another group shows is not asked of this run.
    const elsewhere = citedElsewhere();
    const asked = [...REGISTER, ...FINDINGS].filter(({ id }) => !elsewhere.has(id));
    const requirement = new RequirementReporter(asked, testFiles);
    vitest.config.reporters.push(new LeftOutReporter(), new SecondTryReporter(), requirement);
  },
};

/** What all tests need, however they are run. */
export const common = {
  plugins: [requirements],
  resolve: { conditions: ['callsign-source'] },
  ssr: { resolve: { conditions: ['callsign-source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    // `test/clone` types the whole README: `npm run test:clone`.
    exclude: ['test/clone/**', '**/node_modules/**'],
    globalSetup: ['test/build.ts', 'test/adapter-runtime.ts'],
    setupFiles: ['test/own-state.ts'],
    // Limits for a test that hangs. No test expects anything of them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    // A machine that CI shares may stand still for longer than a test waits. The end of the run names such tests.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    // Tests mostly wait for processes that they have started.
    maxWorkers: 4,
  },
} satisfies ViteUserConfig;

const { test } = common;
const groups: Record<string, ViteUserConfig['test']> = {
  usual: { exclude: [...test.exclude, ...LEFT_OUT] },
  slow: { include: SLOW_TESTS.map(testsIn) },
  check: {
    include: CHECKS.map(testsIn),
    exclude: [...test.exclude, ...SLOW_TESTS.map(testsIn)],
  },
};

// Found by their titles, in all other groups: a new test needs no entry anywhere.
if (GROUP === 'faults') {
  groups['faults'] = { include: [...filesCiting(FAULTS)], testNamePattern: titlesCiting(FAULTS) };
}

// One process loads the modules once for many files.
export default defineConfig({ ...common, test: { ...test, ...groups[GROUP], isolate: false } });
