/** The tests that are not part of `npm test`. CI runs them too. */

/** Files and folders of tests that take long, or need more than Node: `npm run test:slow`. */
export const SLOW_TESTS: readonly string[] = [
  // A browser.
  'test/docs/site.test.ts',
  'test/e2e/accounts/pages.test.ts',
  'test/e2e/console/keyboard.test.ts',
  'test/e2e/console/keys.test.ts',
  'test/e2e/console/lists.test.ts',
  'test/e2e/console/people.test.ts',
  'test/e2e/console/pictures.test.ts',
  'test/e2e/console/records.test.ts',
  'test/e2e/console/screens.test.ts',
  'test/e2e/console/script-question.test.ts',
  'test/e2e/console/servers.test.ts',
  'test/e2e/console/stdio-console.test.ts',
  'test/e2e/sign-in/operator.test.ts',
  'test/e2e/sign-in/pages.test.ts',
  // PostgreSQL.
  'packages/instances/src/postgres',
  'test/e2e/instances',
  // A sandbox.
  'test/e2e/registry/registry.test.ts',
  'test/e2e/sandbox',
  // systemd.
  'test/e2e/connect/real-systemd.test.ts',
  // Time.
  'packages/audit/src/modules/audit-faults.test.ts',
  'packages/audit/src/query/newest-records.test.ts',
  'packages/audit/src/query/threaded-records.test.ts',
  'packages/audit/src/upkeep/upkeep.test.ts',
  'packages/core/src/secrets/detector-speed.test.ts',
  'packages/gateway/src/modules/user-modules.test.ts',
  'packages/gateway/src/results/result-thread.test.ts',
  'packages/mcpaql/src/authoring/generate/generate-adapter.test.ts',
  'packages/mcpaql/src/authoring/imported/shared-document.test.ts',
  'packages/mcpaql/src/authoring/openapi/import-properties.test.ts',
  'packages/naming/src/render/renderer-properties.test.ts',
  'packages/wire/src/upstream/http-channel.test.ts',
  'test/bench/counts.test.ts',
  'test/e2e/adapter/openapi-requests.test.ts',
  'test/e2e/cli/every-command.test.ts',
  'test/e2e/cli/keychain.test.ts',
  'test/e2e/cli/mute-server.test.ts',
  'test/e2e/clients/slow-reader.test.ts',
  'test/e2e/connect/hostile.test.ts',
  'test/e2e/connect/stopped.test.ts',
  'test/e2e/connect/troubles.test.ts',
  'test/e2e/connect/versions.test.ts',
  'test/e2e/differential/differential.test.ts',
  'test/e2e/extensions/approvals-restart.test.ts',
  'test/e2e/extensions/tasks-across.test.ts',
  'test/e2e/governed/kill.test.ts',
  'test/e2e/governed/limits.test.ts',
  'test/e2e/governed/results.test.ts',
  'test/e2e/governed/script-attacks.test.ts',
  'test/e2e/governed/script-kills.test.ts',
  'test/e2e/governed/script-paths.test.ts',
  'test/e2e/governed/verify-beside.test.ts',
  'test/e2e/lifecycle/cold-start.test.ts',
  'test/e2e/lifecycle/crash.test.ts',
  'test/e2e/lifecycle/hung.test.ts',
  'test/e2e/lifecycle/lists.test.ts',
  'test/e2e/lifecycle/load.test.ts',
  'test/e2e/lifecycle/noise.test.ts',
  'test/e2e/lifecycle/roots.test.ts',
  'test/e2e/lifecycle/stop.test.ts',
  'test/e2e/lightdash/command.test.ts',
  'test/e2e/lightdash/sdk-clients.test.ts',
  'test/e2e/limits/connections.test.ts',
  'test/e2e/limits/faults.test.ts',
  'test/e2e/limits/lists.test.ts',
  'test/e2e/limits/long-answers.test.ts',
  'test/e2e/limits/servers.test.ts',
  'test/e2e/limits/slow-readers.test.ts',
  'test/e2e/serve/compiled-code.test.ts',
  'test/e2e/serve/endings.test.ts',
  'test/e2e/serve/survives.test.ts',
  'test/mutation/pool.test.ts',
  'test/packaging/published.test.ts',
  'test/simulation/drain.test.ts',
  'test/simulation/simulation.test.ts',
];

/** Folders with checks of the repository, and the measurements of labels and search: `npm run check`. */
export const CHECKS: readonly string[] = [
  'test/architecture',
  'test/bench',
  'test/docs',
  'test/labels',
  'test/mutation',
  'test/prose',
  'test/requirements',
  'test/search',
  'test/testing',
];

/** The letters of the findings about faults, instances and security: `npm run test:faults`. */
export const FAULTS = 'GLW';

/** The tests of this run. `npm run test:slow`, `test:faults` and `check` set the variable. */
export const GROUP: string = process.env['CALLSIGN_TESTS'] ?? 'usual';

/** A pattern of the tests in a file or folder. */
export const testsIn = (path: string): string =>
  path.endsWith('.ts') ? path : `${path}/**/*.test.ts`;

/** What the command line names, or a folder that it names, is run in any case. */
const isNamed = (path: string): boolean =>
  process.argv.some(
    (word) => word.startsWith(path) || (word.includes('/') && path.startsWith(word)),
  );

/** What a run of the usual tests leaves out, as patterns. */
export const LEFT_OUT: readonly string[] = [...SLOW_TESTS, ...CHECKS]
  .filter((path) => !isNamed(path))
  .map(testsIn);
