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

/** Code that waits for longer at its top level is not used. Otherwise it would block this start, and all later reloads. */
const LOAD_MS = 10_000;
/** How often code at an address has not loaded in time. Node would wait for the same attempt again. */
const hung = new Map<string, number>();

/** A path is relative to the configuration; anything else is a package. */
export async function importEntry<T>(
  use: string,
  file: string,
  { is, noun, advice }: ImportedEntry<T>,
  report: Report,
): Promise<T | undefined> {
  const isPath = /^\.{0,2}[/\\]/.test(use) || /^[a-z]:[/\\]/i.test(use);
  const address = isPath ? pathToFileURL(resolve(dirname(file), use)).href : use;
  const attempt = hung.get(address);
  try {
    const imported = await inTime(
      import(isPath && attempt !== undefined ? `${address}?attempt=${attempt}` : address),
    );
    if (imported === undefined) {
      hung.set(address, (attempt ?? 0) + 1);
      report(
        `"${use}" did not load within ${LOAD_MS / 1_000} s`,
        'its top level, or that of an import, waits for something: move that into a function',
      );
      return undefined;
    }
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

/** `undefined`: it takes too long. */
async function inTime(
  loading: Promise<{ readonly default?: unknown }>,
): Promise<{ readonly default?: unknown } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((giveUp) => {
    timer = setTimeout(() => giveUp(undefined), LOAD_MS);
  });
  return Promise.race([loading, late]).finally(() => clearTimeout(timer));
}

/** Problems of an entry at a path. */
export function reportAt(problems: Problem[], file: string, path: string): Report {
  return (message, advice, at = path) => {
    problems.push({ code: 'module', file, line: 0, column: 0, path: at, message, advice });
  };
}
