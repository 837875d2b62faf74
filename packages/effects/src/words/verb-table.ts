/** The usual effect of verbs in tool names. verbs.ts finds the verb of a name. */

import type { Confidence } from './confidence.js';
import type { Endpoint } from '../hints/endpoints.js';

/** What a verb usually does, and how certain that is. */
export interface VerbMeaning {
  readonly endpoint: Endpoint;
  readonly confidence: Confidence;
}

interface VerbRow extends VerbMeaning {
  readonly words: string;
}

/**
 * High: almost always has this effect. Medium: has exceptions, such as `check_in`, a `query` that
 * writes, or the noun `post`. Words without a usual effect (`resolve`, `open`) are not in the
 * table.
 */
export const VERB_ROWS: readonly VerbRow[] = [
  {
    endpoint: 'create',
    confidence: 'high',
    words: 'create add insert upload register import append',
  },
  {
    endpoint: 'create',
    confidence: 'medium',
    words: `upsert make generate copy clone duplicate fork save store record schedule book draft
      attach subscribe provision`,
  },
  {
    endpoint: 'read',
    confidence: 'high',
    words: `get list read search find fetch describe show view count retrieve lookup inspect
      introspect`,
  },
  {
    endpoint: 'read',
    confidence: 'medium',
    words: `query check export download compare diff validate verify preview analyze summarize
      explain browse scan poll watch monitor extract calculate estimate detect discover ping recall`,
  },
  {
    endpoint: 'update',
    confidence: 'high',
    words: 'update edit set rename move patch modify change write',
  },
  {
    endpoint: 'update',
    confidence: 'medium',
    words: `merge replace put toggle enable disable assign unassign mark close reopen restore
      unarchive lock unlock pin unpin configure adjust transition grant approve accept reject
      dismiss rotate scale detach`,
  },
  {
    endpoint: 'delete',
    confidence: 'high',
    words: 'delete remove purge unregister deregister clear drop truncate destroy erase wipe',
  },
  {
    endpoint: 'delete',
    confidence: 'medium',
    words: 'archive revoke reset trash discard uninstall prune flush unlink unsubscribe forget',
  },
  {
    endpoint: 'execute',
    confidence: 'high',
    words: `execute cancel run start stop resume trigger invoke send deploy kill terminate
      restart`,
  },
  {
    endpoint: 'execute',
    confidence: 'medium',
    words: `publish post email launch abort pause call dispatch perform apply install build test
      rollback revert reboot shutdown exec eval evaluate spawn submit sync notify broadcast reply
      forward pay charge refund transfer migrate commit push retry rerun confirm complete invite
      click navigate`,
  },
];

/**
 * Verbs that are also nouns. Only their place in a name shows which: `search_console`, `data_set`.
 */
const ALSO_NOUNS: ReadonlySet<string> = new Set(
  `list search view count upload import set move change patch run start stop email
  copy clone duplicate fork store record schedule book draft
  query check export download diff preview scan poll watch monitor extract estimate ping recall
  merge toggle mark close restore lock pin transition grant scale archive trash
  post launch pause call dispatch install build test rollback shutdown exec eval sync broadcast
  reply forward pay charge refund transfer commit push retry complete invite click`.split(/\s+/),
);

/** A Map and not an object, because a server may name a tool `constructor`. */
export const VERBS: ReadonlyMap<string, VerbMeaning> = new Map(
  VERB_ROWS.flatMap(({ words, ...meaning }) =>
    words.split(/\s+/).map((word): [string, VerbMeaning] => [word, meaning]),
  ),
);

/** Whether the word is almost always a verb, at any place in a name. */
export function isPlainVerb(word: string): boolean {
  return VERBS.has(word) && !ALSO_NOUNS.has(word);
}
