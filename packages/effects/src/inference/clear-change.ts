/** Finds words that clearly state a change. Claims of a server are checked against them. */

import { isNounPhrase } from '../words/noun-phrases.js';
import { wordsOf } from '../words/words.js';
import { type ToolWords, type Voices, voicesOf } from './infer.js';
import type { Reading } from './reading.js';
import { isProgramName } from './schema-reading.js';
import { isSurelyVerb } from './verb-effects.js';

/** A change that the tool's own words state. */
export interface ClearChange {
  /** It deletes or overwrites, so `destructiveHint: false` is wrong too. */
  readonly removes: boolean;
  /** A clause for people: `the name says delete`. */
  readonly because: string;
}

/** Verbs that do not say what happens: `run_report` may only read. */
const VAGUE: ReadonlySet<string> = new Set(
  `run execute perform call invoke start build test evaluate exec eval trigger apply navigate click
  forward post patch format block merge sync put complete confirm set change move mark lock pin
  dispatch close watch email draft connect disconnect`.split(/\s+/),
);

/**
 * Verbs that delete or overwrite. `remove` is not one: servers use it for taking a label off an
 * item.
 */
const REMOVALS: ReadonlySet<string> = new Set(
  'delete destroy erase wipe purge drop truncate kill terminate overwrite'.split(' '),
);

const RUNS: ReadonlySet<string> = new Set(['run', 'execute', 'exec', 'eval']);

/**
 * A change that the name states with a clear verb and the description does not deny; a change that
 * the description and a parameter state; a change that a parameter offers; or a program that the
 * tool runs. `undefined`: no clear change, so claims stand.
 */
export function clearChange(tool: ToolWords): ClearChange | undefined {
  const voices = voicesOf(tool);
  if (voices.description.isReadOnly) return undefined;
  return named(tool, voices) ?? described(voices) ?? chosen(voices) ?? ran(voices);
}

function named({ name }: ToolWords, voices: Voices): ClearChange | undefined {
  const said = voices.name;
  if (said?.says !== 'destructive' && said?.says !== 'write') return undefined;
  const words = wordsOf(name);
  if (VAGUE.has(said.word) || isNounPhrase(said.word, words.at(-1) ?? '')) return undefined;
  // `add` may add numbers.
  if (said.says === 'write' && words.length === 1) return undefined;
  const others = [voices.title, voices.description.head];
  if (others.some(readsInstead)) return undefined;
  return { removes: REMOVALS.has(said.word), because: said.because };
}

/** The description and a parameter both state a change: `Write the bytes`, to an `outputPath`. */
function described({ name, title, description, schema }: Voices): ClearChange | undefined {
  const { head } = description;
  if (head?.says !== 'destructive' || schema === undefined) return undefined;
  if (VAGUE.has(head.word) || !isSurelyVerb(head.word)) return undefined;
  if ([name, title].some(readsInstead)) return undefined;
  return { removes: REMOVALS.has(head.word), because: head.because };
}

/** `operation: [list, get, set]`. */
function chosen({ schema }: Voices): ClearChange | undefined {
  if (!schema?.changes) return undefined;
  const removal = schema.changes.find((each) => REMOVALS.has(wordsOf(each)[0] ?? ''));
  if (removal === undefined) return { removes: false, because: schema.because };
  // Names the worst choice: "can be create" does not contradict a claim to delete nothing.
  return { removes: true, because: `the parameter ${schema.word} can be ${removal}` };
}

/**
 * A tool that runs a program it is given. Only the program shows whether that changes something.
 */
function ran({ name, description, schema }: Voices): ClearChange | undefined {
  if (schema?.says !== 'destructive' || !isProgramName(schema.word)) return undefined;
  const runs = [name, description.head].some((each) => each && RUNS.has(each.word));
  return runs ? { removes: false, because: schema.because } : undefined;
}

function readsInstead(reading: Reading | undefined): boolean {
  return reading !== undefined && ['read', 'likely-read', 'maybe-read'].includes(reading.says);
}
