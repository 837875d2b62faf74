/** What one verb of a name, a path or a description says about an operation. */

import { isSurelyVerb, type Reading, voicesOf } from '@callsign/effects';
import { lowerWords } from '@callsign/naming';

import { isChangeVerb, isClearChangeVerb } from './change-verbs.js';

export interface Voice {
  readonly word: string;
  readonly isRead: boolean;
  readonly isChange: boolean;
  /** The verb is rarely a noun. */
  readonly isSure: boolean;
}

const READS: readonly Reading['says'][] = ['read', 'likely-read', 'maybe-read'];
const CHANGING: readonly Reading['says'][] = ['write', 'destructive', 'change', 'mixed'];
const JOINTS: ReadonlySet<string> = new Set(['and', 'or', 'then']);

/** What the verb of a name says: `fetch_and_burn` burns. `undefined`: it has no known verb. */
export function nameVoice(name: string): Voice | undefined {
  if (name === '') return undefined;
  const words = lowerWords(name);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  const reading = voicesOf({ name }).name;
  const joined = words.find((word, i) => JOINTS.has(words[i - 1] ?? '') && isChangeVerb(word));
  // `promote_read_replica` promotes; `get_service_request` reads.
  if (isChangeVerb(first)) return changeBy(first);
  if (joined !== undefined) return changeBy(joined);
  if (isChangeVerb(last) && (reading === undefined || !isOfRead(reading))) return changeBy(last);
  return reading && voiceOf(reading);
}

/** If the verb may be a noun, a description may still say that the operation reads. */
export function changeBy(word: string): Voice {
  return { word, isRead: false, isChange: true, isSure: isClearChangeVerb(word) };
}

export function voiceOf(reading: Reading): Voice {
  const { says, word } = reading;
  const isChange = CHANGING.includes(says);
  return {
    word,
    isRead: isOfRead(reading),
    isChange,
    isSure: isChange && says !== 'mixed' && isSurelyVerb(word),
  };
}

function isOfRead({ says }: Reading): boolean {
  return READS.includes(says);
}
