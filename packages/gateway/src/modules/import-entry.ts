/** Imports the code that an entry of the configuration names with `use`. */

import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Problem } from '@callsign/config';

/** Reports a problem of one entry. */
export type Report = (message: string, advice: string, at?: string) => void;

/** What is expected of the imported code, and how to say that it is something else. */
export interface ImportedEntry<T> {
  /** What the default export must be. */
  readonly is: (value: unknown) => value is T;
  /** Such as "a module of Callsign". */
  readonly noun: string;
  readonly advice: string;
}

/** A path is relative to the configuration; anything else is a package. */
export async function importEntry<T>(
  use: string,
  file: string,
  { is, noun, advice }: ImportedEntry<T>,
  report: Report,
): Promise<T | undefined> {
  const isPath = /^\.{0,2}[/\\]/.test(use) || /^[a-z]:[/\\]/i.test(use);
  const address = isPath ? pathToFileURL(resolve(dirname(file), use)).href : use;
  try {
    const imported = (await import(address)) as { readonly default?: unknown };
    if (is(imported.default)) return imported.default;
    report(`"${use}" is not ${noun}`, advice);
  } catch (error) {
    report(
      `"${use}" cannot be loaded: ${(error as Error).message}`,
      'check the path and its imports',
    );
  }
  return undefined;
}

/** Problems of an entry at a path. */
export function reportAt(problems: Problem[], file: string, path: string): Report {
  return (message, advice, at = path) => {
    problems.push({ code: 'module', file, line: 0, column: 0, path: at, message, advice });
  };
}
