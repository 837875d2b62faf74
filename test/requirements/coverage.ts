/** Which requirements a body of tests shows, and what follows from that. */

import type { Requirement } from './requirement.js';

const CITATION = /\bshows\(\s*((?:'[^']+',\s*)+)/g;

/** The ids that a test file's text cites. */
export function citedIn(text: string): string[] {
  return [...text.matchAll(CITATION)].flatMap(([, ids]) =>
    [...ids!.matchAll(/'([^']+)'/g)].map(([, id]) => id!),
  );
}

export interface Coverage {
  /** Cited, or the room is there: these must be shown now. */
  readonly missing: readonly Requirement[];
  /** The room does not exist yet. */
  readonly pending: readonly Requirement[];
}

/** An uncited requirement is missing as soon as its room exists, and pending until then. */
export function coverage(
  register: readonly Requirement[],
  cited: ReadonlySet<string>,
  roomExists: (room: string) => boolean,
): Coverage {
  const uncited = register.filter(({ id }) => !cited.has(id));
  return {
    missing: uncited.filter(({ room }) => roomExists(room)),
    pending: uncited.filter(({ room }) => !roomExists(room)),
  };
}
