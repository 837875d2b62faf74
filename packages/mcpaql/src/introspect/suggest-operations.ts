/** Suggests operations for an unknown name, by its words in any order or by its letters. */

import { stemsOf } from '@callsign/core/search';
import { editDistance } from '@callsign/naming';

import { ProtocolError } from '../protocol/protocol-error.js';

const MAX_SUGGESTIONS = 5;
const MAX_LENGTH = 64;

/** Best first, at most five. */
export function suggestOperations(called: string, known: Iterable<string>): string[] {
  const text = called.slice(0, MAX_LENGTH);
  const wanted = new Set(stemsOf(text));
  const slips = Math.max(2, Math.floor(text.length / 3));
  return Array.from(known, (name) => ({ name, score: scoreOf(name, text, wanted, slips) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.name.length - b.name.length)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

/** `seen`: the operations that this caller may see. Only these are suggested. */
export function unknownOperation(
  operation: string,
  seen: Iterable<string>,
  /** How the caller finds operations. */
  advice: string,
): ProtocolError {
  const called = operation.slice(0, MAX_LENGTH);
  const near = suggestOperations(called, seen);
  const guess = near.length === 0 ? '' : ` Did you mean '${near.join("' or '")}'?`;
  const message = `There is no operation '${called}'.${guess} ${advice}`;
  return new ProtocolError('NOT_FOUND_OPERATION', message, {
    operation: called,
    ...(near.length === 0 ? {} : { available: near }),
  });
}

/** Between 0 and 2: the share of common words, plus the similarity of letters. */
function scoreOf(name: string, text: string, wanted: ReadonlySet<string>, slips: number): number {
  const own = new Set(stemsOf(name));
  const both = [...wanted].filter((word) => own.has(word)).length;
  const words = both / Math.max(wanted.size, own.size, 1);
  // One word in place of another is another operation, however alike they look: delete, create.
  const isSwapped = wanted.size === own.size && [...wanted].some((word) => !isLike(word, own));
  if (isSwapped) return 0;
  const distance = editDistance(text, name.slice(0, MAX_LENGTH), slips);
  const letters = distance <= slips ? 1 - distance / (slips + 1) : 0;
  return (words > 0.5 ? words : 0) + letters;
}

function isLike(word: string, others: ReadonlySet<string>): boolean {
  const slips = Math.max(1, Math.floor(word.length / 4));
  return [...others].some((other) => editDistance(word, other, slips) <= slips);
}
