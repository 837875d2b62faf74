/**
 * Ranks tools by the words of a question, in any order: BM25 with synonyms, beginnings of words,
 * and typing errors.
 */

import { editDistance } from '@callsign/naming';

import { queryTerms } from '../words/query-terms.js';
import { synonymsOf } from '../words/synonyms.js';
import type { SearchedTool } from './searched-tool.js';
import { createToolIndex, type ToolIndex } from './tool-index.js';

/** A result. Scores are comparable within one search only. */
export interface Found<T> {
  readonly thing: T;
  readonly score: number;
}

/** The results, best first. Things without any word of the question are left out. */
export type Search<T> = (query: string) => Found<T>[];

/** The weight of another word in place of the one in the question; the word itself has 1. */
const SYNONYM = 0.7;
const BEGINNING = 0.3;
const SLIP = 0.4;
const PAIR = 0.5;
/** The weight of a further matching word in a tool that already has a better one. */
const FURTHER = 0.25;
/** Letters. Shorter words begin too many others, or differ from them in one letter. */
const LEAST_BEGINNING = 3;
const LEAST_WHOLE = 4;

/** Builds the index once. Create a new search when the tools change. */
export function createSearch<T>(
  things: readonly T[],
  toolOf: (thing: T) => SearchedTool,
): Search<T> {
  const index = createToolIndex(things.map(toolOf));
  return function search(query) {
    const { terms, pairs } = queryTerms(query);
    const scores = new Float64Array(index.size);
    const covered = new Float64Array(index.size);
    let whole = 0;
    for (const term of terms) {
      const { found, rarity } = lookUp(index, term);
      whole += rarity;
      for (const [at, score] of found) {
        scores[at]! += score;
        covered[at]! += rarity;
      }
    }
    for (const pair of pairs) {
      for (const [at, score] of scored(index, pair, PAIR)) scores[at]! += score;
    }
    return things
      .map((thing, at) => ({ thing, score: scores[at]! * Math.sqrt(covered[at]! / (whole || 1)) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
  };
}

interface LookedUp {
  /** The score of each tool for this term. */
  readonly found: ReadonlyMap<number, number>;
  readonly rarity: number;
}

/**
 * The score of each tool for one word of the question. A synonym counts as no rarer than the word
 * itself.
 */
function lookUp(index: ToolIndex, term: string): LookedUp {
  const best = new Map<number, number>();
  const take = (word: string, share: number, limit = Infinity): void => {
    for (const [at, score] of scored(index, word, share, limit)) {
      const before = best.get(at) ?? 0;
      best.set(at, Math.max(before, score) + FURTHER * Math.min(before, score));
    }
  };
  take(term, 1);
  const exact = best.size;
  const limit = exact ? index.rarity(exact) : Infinity;
  for (const synonym of synonymsOf(term)) take(synonym, SYNONYM, limit);
  for (const [word, share] of alike(index, term)) take(word, share);
  const occurrences = exact || best.size;
  return { found: best, rarity: occurrences === 0 ? 0 : index.rarity(occurrences) };
}

/** Similar words with their weights. Typing errors count only if no tool has the word itself. */
function* alike({ postings }: ToolIndex, term: string): Generator<[string, number]> {
  const isKnown = postings.has(term);
  for (const word of postings.keys()) {
    if (word === term) continue;
    const [short, long] = word.length < term.length ? [word, term] : [term, word];
    const least = short === term ? LEAST_BEGINNING : LEAST_WHOLE;
    if (short.length >= least && long.startsWith(short)) yield [word, BEGINNING];
    else if (!isKnown && short.length >= LEAST_WHOLE && editDistance(term, word, 1) <= 1) {
      yield [word, SLIP];
    }
  }
}

function* scored(
  { postings, rarity }: ToolIndex,
  word: string,
  share: number,
  limit = Infinity,
): Generator<[number, number]> {
  const found = postings.get(word);
  if (!found) return;
  const factor = share * Math.min(limit, rarity(found.size));
  for (const [at, weight] of found) yield [at, factor * weight];
}
