/**
 * Tests that take long and that few changes can break. They are not part of `npm test`, but of
 * `npm run test:slow`, which CI runs too.
 */

export const SLOW_TESTS: readonly string[] = [
  'packages/naming/src/render/renderer-properties.test.ts',
  'test/docs/site.test.ts',
  'test/e2e/instances/all-instances.test.ts',
  'test/e2e/instances/drain.test.ts',
  'test/e2e/instances/shared-tasks.test.ts',
  'test/e2e/instances/troubled-storage.test.ts',
  'test/packaging/packages.test.ts',
  'test/simulation/drain.test.ts',
  'test/simulation/simulation.test.ts',
];

/** Set by `npm run test:slow`. */
export const isSlowRun: boolean = process.env['CALLSIGN_TESTS'] === 'slow';
