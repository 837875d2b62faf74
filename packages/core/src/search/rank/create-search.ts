/**
 * Ranks tools by the words of a question, in any order: BM25 with synonyms, beginnings of words,
 * and typing errors.
 */

import { editDistance, lowerWords } from '@callsign/naming';

import { withoutPhrases } from '../words/phrases.js';
import { stemOf } from '../words/stem.js';
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
const SYNONYM = 0.8;
const BEGINNING = 0.3;
const KIN = 0.3;
const SLIP = 0.4;
const PAIR = 0.5;
const ASIDE = 0.3;
/** The weight of a further matching word in a tool that already has a better one. */
const FURTHER = 0.25;
/** Letters. Shorter words begin too many others, or differ from them in one letter. */
const LEAST_BEGINNING = 3;
const LEAST_WHOLE = 4;
/** Letters that related words have in common at least, and at most behind them. */
const LEAST_ROOT = 5;
const MOST_ENDING = 3;
const MOST_LONG_ENDING = 5;
/** What remains of the score of a tool that changes something, if the question asks to know something. */
const NOT_READING = 0.6;

/** Builds the index once. Create a new search when the tools change. */
export function createSearch<T>(
  things: readonly T[],
  toolOf: (thing: T) => SearchedTool,
): Search<T> {
  const tools = things.map(toolOf);
  const index = createToolIndex(tools);
  return function search(query) {
    const { terms, pairs, asides } = queryTerms(query);
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
    for (const aside of asides) {
      for (const [at, score] of scored(index, aside, ASIDE)) {
        // Alone it finds nothing: it only decides between tools that another word has found.
        if (scores[at]! > 0) scores[at]! += score;
      }
    }
    const isQuestion = ASKS.test(query);
    const shareOf = (at: number): number => {
      const fit = isQuestion && tools[at]!.reads === false ? NOT_READING : 1;
      return fit * Math.sqrt(covered[at]! / (whole || 1));
    };
    return things
      .map((thing, at) => ({ thing, score: scores[at]! * shareOf(at) }))
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
    else if (isKin(short, long)) yield [word, KIN];
    else if (!isKnown && short.length >= LEAST_WHOLE && editDistance(term, word, 1) <= 1) {
      yield [word, SLIP];
    }
  }
}

/** Whether two stems have the same root: `vulnerab-l` and `vulnerab-ility`. */
function isKin(short: string, long: string): boolean {
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  return (
    same >= LEAST_ROOT &&
    short.length - same <= MOST_ENDING &&
    long.length - same <= MOST_LONG_ENDING
  );
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

/** Turns a question into search terms. */
interface QueryTerms {
  /** Stems, each once. */
  readonly terms: readonly string[];
  /** Neighbours joined to one word: `screen shot` also searches for `screenshot`. */
  readonly pairs: readonly string[];
  /** Words that many questions have and few tools: `latest`, `my`. */
  readonly asides: readonly string[];
}

const MAX_LENGTH = 1000;
const MAX_TERMS = 32;

/** Leaves out stop words, unless the question has no other words. */
function queryTerms(query: string): QueryTerms {
  const words = lowerWords(query.slice(0, MAX_LENGTH));
  const meant = withoutPhrases(words);
  const telling = meant.filter((word) => !STOP_WORDS.has(word) && !ASIDE_WORDS.has(word));
  const chosen = (telling.length > 0 ? telling : meant).slice(0, MAX_TERMS);
  const asides = telling.length > 0 ? meant.filter((word) => ASIDE_WORDS.has(word)) : [];
  return {
    terms: [...new Set(chosen.map(stemOf))],
    pairs: chosen.slice(1).map((word, i) => stemOf(`${chosen[i]}${word}`)),
    asides: [...new Set(asides.slice(0, MAX_TERMS).map(stemOf))],
  };
}

/** The beginning of a question that asks to know something. `How do I delete …` does not. */
const ASKS =
  /^\s*(?:(?:who|which|what|when|where|why|is|are|does|did|has|have)\b|how (?!(?:do|can|to)\b))/i;

/** Words of a question that say nothing about a tool. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a again also am an and are as at be been but by can could did do does for from had has have how i
  if in into is it its just let me much now of on one onto or our please should so some somebody
  someone something that the their them then there these they this those to us want was we were
  what when where which who whose why will with would you your`.split(/\s+/),
);

/** Words that help to choose between tools, but say too little to find one. */
const ASIDE_WORDS: ReadonlySet<string> = new Set(
  'current currently latest mine my newest recent recently'.split(' '),
);
