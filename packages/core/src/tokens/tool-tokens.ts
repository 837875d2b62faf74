/** How many tokens a model reads for tools: in the list of a client, a server, a set or a view. */

import type { Item } from '../call/item.js';
import { memberText } from '../json/json-text.js';
import { estimateTokens } from './estimate-tokens.js';

/** The parts of a definition that a model reads. Titles and labels are for the client. */
const READ = ['name', 'description', 'inputSchema'] as const;

/** Items never change, and a definition can be long. */
const known = new WeakMap<Item, number>();

/** The tokens of one tool. Its name may differ a little in each client, which changes little here. */
export function toolTokens(item: Item): number {
  let tokens = known.get(item);
  if (tokens === undefined) {
    const parts = READ.map((part) => `"${part}":${memberText(item.json, part) ?? '""'}`);
    known.set(item, (tokens = estimateTokens(`{${parts.join(',')}}`)));
  }
  return tokens;
}

/** The tokens of a list of tools, such as those of one set. */
export function listTokens(items: Iterable<Item>): number {
  let sum = 0;
  for (const item of items) sum += toolTokens(item);
  return sum;
}
