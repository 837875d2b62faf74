/**
 * Tests that take long and that few changes can break. They are not part of `npm test`, but of
 * `npm run test:slow`, which CI runs too.
 */

export const SLOW_TESTS: readonly string[] = [
  'packages/mcpaql/src/authoring/openapi/import-properties.test.ts',
  'packages/naming/src/render/renderer-properties.test.ts',
  'test/bench/counts.test.ts',
  'test/docs/site.test.ts',
  'test/e2e/cli/mute-server.test.ts',
  'test/e2e/console/pictures.test.ts',
  'test/e2e/console/records.test.ts',
  'test/e2e/console/screens.test.ts',
  'test/e2e/console/servers.test.ts',
  'test/e2e/extensions/approvals-restart.test.ts',
  'test/e2e/extensions/tasks-across.test.ts',
  'test/e2e/governed/limits.test.ts',
  // `cluster.test.ts` of the same folder is part of `npm test`.
  'test/e2e/instances/all-instances.test.ts',
  'test/e2e/instances/drain.test.ts',
  'test/e2e/instances/forged-instance.test.ts',
  'test/e2e/instances/hung-approvals.test.ts',
  'test/e2e/instances/operator-call.test.ts',
  'test/e2e/instances/placed-extensions.test.ts',
  'test/e2e/instances/shared-console.test.ts',
  'test/e2e/instances/shared-keys.test.ts',
  'test/e2e/instances/shared-secrets.test.ts',
  'test/e2e/instances/shared-storage.test.ts',
  'test/e2e/instances/shared-tasks.test.ts',
  'test/e2e/instances/troubled-storage.test.ts',
  'test/e2e/instances/unlike-instances.test.ts',
  'test/e2e/lifecycle/load.test.ts',
  'test/e2e/lifecycle/stop.test.ts',
  'test/e2e/lightdash/command.test.ts',
  'test/e2e/lightdash/sdk-clients.test.ts',
  'test/e2e/limits/connections.test.ts',
  'test/e2e/limits/faults.test.ts',
  'test/e2e/serve/first-word.test.ts',
  'test/mutation/pool.test.ts',
  'test/packaging/published.test.ts',
  'test/simulation/drain.test.ts',
  'test/simulation/simulation.test.ts',
];

/** Set by `npm run test:slow`. */
export const isSlowRun: boolean = process.env['CALLSIGN_TESTS'] === 'slow';
