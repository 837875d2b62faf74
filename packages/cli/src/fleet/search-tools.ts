/** Searches tools by words, with the same ranking as the search view of the gateway. */

import type { Entry } from '@callsign/core';
import { createSearch } from '@callsign/core/search';
import { definitionOfTool } from '@callsign/gateway/admin';

export interface FoundEntry {
  readonly entry: Entry;
  readonly score: number;
}

/** Best first. */
export function searchTools(entries: Iterable<Entry>, query: string): FoundEntry[] {
  const search = createSearch([...entries], (entry) => {
    const { ref, risk } = entry;
    return {
      name: ref.tool,
      server: ref.server,
      ...definitionOfTool(entry),
      reads: risk === 'read',
    };
  });
  return search(query).map(({ thing, score }) => ({ entry: thing, score }));
}
