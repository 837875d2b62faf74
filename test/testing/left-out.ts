/** Tests that need something that not every machine has. */

import { describe } from 'vitest';

import { postgresPrograms } from '../../scripts/postgres/postgres-server.mjs';
import { leftOutTitle } from '../requirements/left-out.js';

/** `missing` says what this machine does not have, and what to do. */
export function describeUnless(
  missing: string | undefined,
  title: string,
  tests: () => void,
): void {
  if (missing === undefined) describe(title, tests);
  else describe.skip(leftOutTitle(title, missing), tests);
}

/** With CALLSIGN_POSTGRES=required, tests fail without a PostgreSQL. */
export const NO_POSTGRES: string | undefined =
  postgresPrograms() !== undefined || process.env['CALLSIGN_POSTGRES'] === 'required'
    ? undefined
    : 'npm has no PostgreSQL for this platform; CALLSIGN_POSTGRES_BIN names the folder of another one';
