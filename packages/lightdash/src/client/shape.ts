/**
 * Checks the outermost shape of an answer: an object, a list or a page. Fields are checked by the
 * tools.
 */

import { LightdashError } from './lightdash-error.js';
import type { Page } from './page.js';

/** `what` names the expected data in the error message. */
export function asObject<T extends object>(value: unknown, what: string): T {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as T;
  throw unexpected(what, 'an object');
}

/** A list of objects. Other elements are not valid results. */
export function asList<T extends object>(value: unknown, what: string): readonly T[] {
  if (!Array.isArray(value)) throw unexpected(what, 'a list');
  return value.map((each) => asObject<T>(each, what));
}

export function asPage<T extends object>(value: unknown, what: string): Page<T> {
  const page = asObject<Page<T>>(value, what);
  return { ...page, data: asList<T>(page.data, what) };
}

function unexpected(what: string, wanted: string): LightdashError {
  return new LightdashError(
    'malformed',
    `Lightdash did not return ${wanted} for ${what}. Its version may not be compatible with this server.`,
  );
}
