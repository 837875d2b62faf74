/**
 * Names in which the verb belongs to the thing that is asked for: `update_history` updates no
 * history.
 */

import type { Endpoint } from '../hints/endpoints.js';
import { isPlainVerb, VERBS } from './verb-table.js';

/** Fixed expressions: the verb and the last word. */
const EXPRESSIONS: ReadonlySet<string> = new Set([
  'edit distance',
  'patch notes',
  'remove background',
  'set difference',
  'set intersection',
  'set union',
]);

/** Things that are often made for the answer and not stored: `create_report`, `add_numbers`. */
const MADE_FOR_THE_ANSWER: ReadonlySet<string> = new Set(
  'chart diagram diff estimate graph hash numbers plan prompt query report summary'.split(' '),
);

/**
 * Whether a name asks about an action and does not perform it: `upload_status`. By its verb and
 * last word.
 */
export function isNounPhrase(verb: string, last: string): boolean {
  const endpoint = VERBS.get(verb)?.endpoint;
  // Sending counts, even if it sends a preview.
  if (endpoint === undefined || endpoint === 'read' || verb === 'send') return false;
  return EXPRESSIONS.has(`${verb} ${last}`) || isAnswer(last, verb, endpoint);
}

function isAnswer(last: string, verb: string, endpoint: Endpoint): boolean {
  if (last === 'preview') return true;
  // A history can be deleted, and a status set.
  if (last === 'history') return endpoint !== 'delete';
  if (last === 'status' || last === 'progress') return isDeed(verb, endpoint);
  return endpoint === 'create' && MADE_FOR_THE_ANSWER.has(last);
}

/**
 * `upload_status` and `deploy_status` read a status; `update_status` and `create_status` change
 * one.
 */
function isDeed(verb: string, endpoint: Endpoint): boolean {
  return endpoint === 'execute' || (endpoint === 'create' && !isPlainVerb(verb));
}
