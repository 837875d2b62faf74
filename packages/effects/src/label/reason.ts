/** The reason for a label's risk: the evidence in one word, and a clause for people. */

import type { Evidence, LabelHint, LabelHints, Voice } from '../hints/evidence.js';
import type { Label } from './label.js';

/** The kind of evidence for a risk: a source, or a claim that is contradicted. */
export type Ground = Voice | 'contradiction';

/** All kinds: sources from the strongest to the weakest, then the contradiction. */
export const GROUNDS: readonly Ground[] = [
  'you',
  'observed',
  'server',
  'assumed',
  'words',
  'default',
  'contradiction',
];

/** The evidence behind the risk. A contradicted claim counts before every other source. */
export function groundOf(label: Label): Ground {
  return label.contradiction ? 'contradiction' : decisiveHint(label).evidence.by;
}

/** A clause such as `the server says so` or `the name says list, nothing contradicts`. */
export function reasonFor(label: Label): string {
  const { contradiction } = label;
  if (contradiction) {
    const { hint, claim, because } = contradiction;
    return `the server says ${spoken(hint, claim)}, but ${because}`;
  }
  return voiceReason(decisiveHint(label).evidence, label.hints);
}

/** The hint that decides the risk. */
function decisiveHint({ risk, hints }: Label): LabelHint {
  return risk === 'read' ? hints.readOnlyHint : hints.destructiveHint;
}

function voiceReason(evidence: Evidence, hints: LabelHints): string {
  switch (evidence.by) {
    case 'you':
      return evidence.how === 'accepted' ? 'you accepted it' : 'your configuration says so';
    case 'server':
      return 'the server says so';
    case 'assumed':
      return 'you assume this for the server';
    case 'words':
    case 'observed':
      return evidence.because;
    case 'default':
      return defaultReason(hints);
  }
}

/**
 * For a risk by default: no source says whether the tool destroys anything. One may say that it
 * changes something.
 */
function defaultReason({ readOnlyHint, destructiveHint }: LabelHints): string {
  for (const [hint, { evidence }] of Object.entries({ readOnlyHint, destructiveHint })) {
    if (evidence.by === 'you' || evidence.disbelieved === undefined) continue;
    const { claim, because } = evidence.disbelieved;
    return `the server says ${spoken(hint, claim)}, but ${because}`;
  }
  if (readOnlyHint.evidence.by === 'server') {
    return 'the server says that it changes something, but not that it destroys nothing';
  }
  return 'nothing says otherwise';
}

function spoken(hint: string, claim: boolean): string {
  const word = hint === 'readOnlyHint' ? 'read-only' : 'destructive';
  return claim ? word : `not ${word}`;
}
