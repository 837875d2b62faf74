/** Everything of a server that the lock file and the quarantine judge: its tools and its instructions. */

import type { Item } from '@callsign/core';
import { canonicalName } from '@callsign/naming';

/** The name of the item that stands for the instructions. No tool has an empty name. */
const INSTRUCTIONS = '';

/** `undefined`: the server gives none. That is an item too, so that later instructions count as a change. */
export function instructionsItem(text: string | undefined): Item {
  const json = JSON.stringify(text === undefined ? {} : { description: text });
  return { name: INSTRUCTIONS, json };
}

export function isInstructions({ name }: Pick<Item, 'name'>): boolean {
  return name === INSTRUCTIONS;
}

/** The tools of a server, and its instructions as one more item. */
export function judgedItems(
  tools: readonly Item[],
  instructions: string | undefined,
): readonly Item[] {
  return [...tools, instructionsItem(instructions)];
}

/** A judged item for people: `server:tool`, or `server (instructions)`. */
export function judgedName(server: string, name: string): string {
  return isInstructions({ name })
    ? `${server} (instructions)`
    : canonicalName({ server, tool: name });
}
