import type { Item } from '@callsign/core';

/** An entry of `skills/list` as a Source offers it: named by its URI. */
export function skillItem(json: string): Item {
  return { name: (JSON.parse(json) as { uri: string }).uri, json };
}
