/** The problems that a change of a configuration would add. */

import type { Problem } from '@callsign/config';

import { parseConfig, type ParseOptions } from './parse-config.js';

export interface AddedProblems {
  /** Problems for which the change must not be saved. */
  readonly broken: readonly Problem[];
  /** The others: a variable may be set where the gateway runs. */
  readonly minor: readonly Problem[];
}

const MINOR: ReadonlySet<string> = new Set(['missing-variable', 'no-servers']);

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

function identityOf({ code, path, message }: Problem): string {
  return JSON.stringify([code, path, message]);
}
