/** The tests that are not part of `npm test`. CI runs them too. */

/** Tests that take long and that few changes can break: `npm run test:slow`. */
export const SLOW_TESTS: readonly string[] = [
  'packages/instances/src/postgres/audit/compare-tables.test.ts',
  'packages/instances/src/postgres/audit/postgres-store.test.ts',
  'packages/instances/src/postgres/governance/governance.test.ts',
  'packages/instances/src/postgres/governance/postgres-lock.test.ts',
  'packages/instances/src/postgres/instances/instances.test.ts',
  'packages/instances/src/postgres/storage-problem.test.ts',
  'packages/mcpaql/src/authoring/generate/generate-adapter.test.ts',
  'packages/mcpaql/src/authoring/openapi/import-properties.test.ts',
  'packages/naming/src/render/renderer-properties.test.ts',
  'test/bench/counts.test.ts',
  'test/docs/site.test.ts',
  'test/e2e/adapter/openapi-requests.test.ts',
  'test/e2e/cli/mute-server.test.ts',
  'test/e2e/console/pictures.test.ts',
  'test/e2e/console/records.test.ts',
  'test/e2e/console/screens.test.ts',
  'test/e2e/console/servers.test.ts',
  'test/e2e/sign-in/pages.test.ts',
  'test/e2e/differential/differential.test.ts',
  'test/e2e/extensions/approvals-restart.test.ts',
  'test/e2e/extensions/tasks-across.test.ts',
  'test/e2e/governed/limits.test.ts',
  'test/e2e/governed/script-kills.test.ts',
  'test/e2e/governed/verify-beside.test.ts',
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
  'test/e2e/instances/tried-database.test.ts',
  'test/e2e/instances/troubled-storage.test.ts',
  'test/e2e/instances/unlike-instances.test.ts',
  'test/e2e/lifecycle/load.test.ts',
  'test/e2e/lifecycle/stop.test.ts',
  'test/e2e/lightdash/command.test.ts',
  'test/e2e/instances/cluster.test.ts',
  'test/e2e/lightdash/sdk-clients.test.ts',
  'test/e2e/limits/connections.test.ts',
  'test/e2e/limits/faults.test.ts',
  'test/mutation/pool.test.ts',
  'test/packaging/published.test.ts',
  'test/simulation/drain.test.ts',
  'test/simulation/simulation.test.ts',
];

/** Folders with checks of the repository, and the measurement of labels: `npm run check`. */
export const CHECKS: readonly string[] = [
  'test/architecture',
  'test/bench',
  'test/docs',
  'test/labels',
  'test/mutation',
  'test/prose',
  'test/requirements',
  'test/testing',
];

/** The letters of the findings about faults, instances and security: `npm run test:faults`. */
export const FAULTS = 'GLW';

/** The tests of this run. `npm run test:slow`, `test:faults` and `check` set the variable. */
export const GROUP: string = process.env['CALLSIGN_TESTS'] ?? 'usual';

/** What the command line names, or a folder that it names, is run in any case. */
const isNamed = (path: string): boolean =>
  process.argv.some(
    (word) => word.startsWith(path) || (word.includes('/') && path.startsWith(word)),
  );

/** What a run of the usual tests leaves out, as patterns. */
export const LEFT_OUT: readonly string[] = [
  ...SLOW_TESTS.filter((path) => !isNamed(path)),
  ...CHECKS.filter((folder) => !isNamed(folder)).map((folder) => `${folder}/**`),
];
