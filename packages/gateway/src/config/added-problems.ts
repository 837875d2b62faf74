/**
 * The problems that an edit of a configuration would add. Problems that exist already do not count.
 */

import type { Problem } from '@callsign/config';

import { parseConfig, type ParseOptions } from './parse-config.js';

/** New problems, by how serious they are. */
export interface AddedProblems {
  /** With one of these, the edit must not be saved. */
  readonly broken: readonly Problem[];
  /** May be right elsewhere: a variable may be set where the gateway runs. */
  readonly minor: readonly Problem[];
}

const MINOR: ReadonlySet<string> = new Set(['missing-variable', 'no-servers']);

/** `before` may be invalid itself: a user must be able to repair a broken file step by step. */
export function addedProblems(before: string, after: string, options: ParseOptions): AddedProblems {
  const known = new Set(problemsIn(before, options).map(identityOf));
  const fresh = problemsIn(after, options).filter((problem) => !known.has(identityOf(problem)));
  return {
    broken: fresh.filter(({ code }) => !MINOR.has(code)),
    minor: fresh.filter(({ code }) => MINOR.has(code)),
  };
}

function problemsIn(text: string, options: ParseOptions): readonly Problem[] {
  const parsed = parseConfig(text, options);
  return parsed.ok ? [] : parsed.problems;
}

/** Without the line: an edit above a problem moves it, and it is still the same problem. */
function identityOf({ code, path, message }: Problem): string {
  return JSON.stringify([code, path, message]);
}
