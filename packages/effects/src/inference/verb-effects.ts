/** The effect of a verb in a tool's name or description, as far as it matters for the risk. */

import { isPlainVerb, VERBS } from '../words/verb-table.js';

/**
 * - `reads`: almost always a read.
 * - `mostly-reads`: a read if name and description both say so: `extract`.
 * - `may-read`: says little on its own: `report`, `generate`, `resolve`.
 * - `adds`: leaves existing things unchanged.
 * - `harms`: overwrites, removes, or runs something.
 * - `unclear`: changes something and may overwrite: `upload`, `save`, `import`.
 */
export type Effect = 'reads' | 'mostly-reads' | 'may-read' | 'adds' | 'harms' | 'unclear';

/**
 * Verbs that are not in the verb table, and verbs of the table that need a more exact word: all
 * that create something, and all that may read.
 */
const ROWS: readonly (readonly [effect: Effect, words: string])[] = [
  ['reads', 'return enumerate obtain peek tail grep glob whoami stat geocode autocomplete'],
  [
    'mostly-reads',
    `query check compare diff validate preview analyze analyse summarize explain
    extract calculate estimate detect discover look locate compute parse lint rank suggest
    recommend scrape crawl research identify measure diagnose troubleshoot explore`,
  ],
  [
    'may-read',
    `verify browse display scan poll watch monitor ping recall gather collect convert translate review determine evaluate
    echo wait snapshot screenshot audit trace resolve ask answer provide report visualize
    render filter sort map classify transcribe investigate access`,
  ],
  ['adds', 'create add insert register append send post email reply notify forward invite'],
  ['adds', 'clone duplicate fork schedule draft attach subscribe comment'],
  [
    'harms',
    `upsert overwrite format uninstall deactivate suspend block ban evict expire void delist
    unpublish disconnect unset unassign untag unlink unmerge squash rebase amend rm rmdir
    invalidate expunge deprovision decommission rebuild regenerate`,
  ],
  [
    'unclear',
    `make generate copy save store record book provision upload import download export publish submit
    activate connect pull checkout stash tag open select press type fill hover tap swipe drag
    scroll resize handle emulate login logout authenticate authorize sign order buy sell
    switch initialize init setup mint bind link share follow star vote react upvote
    capture finalize persist ingest index cache manage process control play use
    fix repair advance increment decrement consume drain acquire dequeue empty`,
  ],
];

/** Verbs of these rows that are often nouns. Only their position in a name shows which. */
const ALSO_NOUNS: ReadonlySet<string> = new Set(
  `return display tail stat look research review wait snapshot screenshot audit trace answer
  report render filter sort map walk format block void link record book download export tag open
  type fill tap drag scroll handle sign order star vote index cache process control play use share
  follow comment email post forward draft schedule copy connect login logout switch measure rank
  echo press select evaluate query check preview estimate access trigger deploy resume start stop clone fork pull setup store import
  upload charge transfer refund build ask crawl scrape convert publish reply advance empty`.split(
    /\s+/,
  ),
);

const OWN: ReadonlyMap<string, Effect> = new Map(
  ROWS.flatMap(([effect, words]) =>
    words.split(/\s+/).map((word): [string, Effect] => [word, effect]),
  ),
);

/** The effect of a verb in its base form; `undefined` if the word is not a known verb. */
export function effectOf(word: string): Effect | undefined {
  const own = OWN.get(word);
  if (own !== undefined) return own;
  const meaning = VERBS.get(word);
  if (meaning === undefined) return undefined;
  return meaning.endpoint === 'read' ? 'reads' : 'harms';
}

/** Whether the verb changes anything. */
export function isChange(effect: Effect | undefined): boolean {
  return effect === 'adds' || effect === 'harms' || effect === 'unclear';
}

/** Whether the word is almost never a noun. */
export function isSurelyVerb(word: string): boolean {
  if (ALSO_NOUNS.has(word)) return false;
  return OWN.has(word) || isPlainVerb(word);
}
