/**
 * Where each word occurs, and how much weight it has there: the parts of a definition, weighed for
 * BM25.
 */

import { stemsOf } from '../words/stem.js';
import type { SearchedParameter, SearchedTool } from './searched-tool.js';

/** Tools are numbered by their position in the list. */
export interface ToolIndex {
  readonly size: number;
  /** Stem → tool → weight of the word in that tool, between 0 and 1. */
  readonly postings: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** How rare a word is, by the number of tools that contain it. */
  rarity(occurrences: number): number;
}

/** A part of a definition and how much its words count. */
interface Part {
  readonly weight: number;
  /** How much the length of the part lowers the weight of its words, from 0 to 1. */
  readonly lengthShare: number;
  words(tool: SearchedTool): string[];
}

const PARTS: readonly Part[] = [
  { weight: 6, lengthShare: 0.6, words: ownWords },
  { weight: 2, lengthShare: 0, words: ({ server = '' }) => stemsOf(server) },
  { weight: 3, lengthShare: 0.5, words: ({ title = '' }) => stemsOf(title) },
  { weight: 1.2, lengthShare: 0.6, words: ({ description = '' }) => stemsOf(description) },
  {
    weight: 1,
    lengthShare: 0.7,
    words: ({ parameters = [] }) => parameters.flatMap(({ name }) => stemsOf(name)),
  },
  {
    weight: 0.2,
    lengthShare: 0.7,
    words: ({ parameters = [] }) => stemsOf(parameters.map(explanationOf).join(' ')),
  },
];

/** BM25's `k1`: how soon further occurrences of a word stop counting. */
const SATURATION = 2.5;

export function createToolIndex(tools: readonly SearchedTool[]): ToolIndex {
  const weights = new Map<string, Map<number, number>>();
  for (const part of PARTS) addPart(weights, tools, part);
  for (const found of weights.values()) {
    for (const [at, weight] of found) found.set(at, weight / (SATURATION + weight));
  }
  return {
    size: tools.length,
    postings: weights,
    rarity: (occurrences) => Math.log(1 + (tools.length - occurrences + 0.5) / (occurrences + 0.5)),
  };
}

function addPart(
  weights: Map<string, Map<number, number>>,
  tools: readonly SearchedTool[],
  { weight, lengthShare, words }: Part,
): void {
  const texts = tools.map(words);
  const total = texts.reduce((sum, { length }) => sum + length, 0);
  const usual = Math.max(1, total / Math.max(1, texts.length));
  for (const [at, text] of texts.entries()) {
    const length = 1 - lengthShare + (lengthShare * text.length) / usual;
    for (const word of text) {
      const found = weights.get(word) ?? new Map<number, number>();
      found.set(at, (found.get(at) ?? 0) + weight / length);
      weights.set(word, found);
    }
  }
}

function explanationOf({ description }: SearchedParameter): string {
  return typeof description === 'string' ? description : '';
}

/**
 * The words of a name without those of the server's key: in `asana_create_task`, `asana` says
 * nothing about the tool. Each word counts once, since paths repeat some: `disputes_dispute_close`.
 */
function ownWords({ name, server = '' }: SearchedTool): string[] {
  const known = new Set(stemsOf(server));
  const words = [...new Set(stemsOf(name))];
  const own = words.filter((word) => !known.has(word));
  return own.length === 0 ? words : own;
}
