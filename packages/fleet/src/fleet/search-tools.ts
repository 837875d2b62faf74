/** Tools by what people are looking for: names weigh most, then titles, parameters, descriptions. */

import { definitionOfTool } from '@callsign/admin';
import type { Entry } from '@callsign/core';
import { editDistance, wordsOf } from '@callsign/naming';

export interface FoundEntry {
  readonly entry: Entry;
  readonly score: number;
}

/** How much a word in a field is worth, and how much of it a likeness. */
const WEIGHTS = { name: 8, server: 4, title: 4, parameters: 2, description: 1 } as const;
const SAME = 1;
const BEGINNING = 0.6;
const SLIP = 0.4;
/** Shorter words are a slip away from too many others. */
const LEAST_FOR_SLIP = 4;
/** Descriptions may be of any length; what matters stands at their beginning. */
const MAX_WORDS = 400;

type Field = keyof typeof WEIGHTS;
type Words = Readonly<Record<Field, readonly string[]>>;

/** Best first; tools that have more of the words come before those that have fewer. */
export function searchTools(entries: Iterable<Entry>, query: string): FoundEntry[] {
  const terms = [...new Set(wordsIn(query))].slice(0, 32);
  const documents = Array.from(entries, (entry) => ({ entry, words: wordsOfTool(entry) }));
  const likeness = documents.map(({ words }) => terms.map((term) => bestFor(term, words)));
  const rarity = terms.map((_, i) => {
    const having = likeness.filter((scores) => scores[i]! > 0).length;
    return Math.log(1 + documents.length / Math.max(1, having));
  });
  return documents
    .map(({ entry }, at) => {
      const scores = likeness[at]!;
      const found = scores.filter((score) => score > 0).length;
      const sum = scores.reduce((total, score, i) => total + score * rarity[i]!, 0);
      return { entry, score: (sum * found) / Math.max(1, terms.length) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || compare(a.entry.canonical, b.entry.canonical));
}

function wordsOfTool(entry: Entry): Words {
  const { title, description, parameters } = definitionOfTool(entry);
  return {
    name: wordsIn(entry.ref.tool),
    server: wordsIn(entry.ref.server),
    title: wordsIn(title),
    parameters: parameters.flatMap(({ name }) => wordsIn(name)),
    description: wordsIn(description),
  };
}

function wordsIn(text: string): string[] {
  return wordsOf(text.slice(0, 8 * MAX_WORDS))
    .slice(0, MAX_WORDS)
    .map((word) => word.toLowerCase());
}

function bestFor(term: string, words: Words): number {
  const fields = Object.keys(WEIGHTS) as Field[];
  const scores = fields.map((field) => {
    return WEIGHTS[field] * Math.max(0, ...words[field].map((word) => alike(term, word)));
  });
  return Math.max(...scores);
}

function alike(term: string, word: string): number {
  if (term === word) return SAME;
  if (word.startsWith(term) || (term.startsWith(word) && word.length >= 3)) return BEGINNING;
  const isLong = term.length >= LEAST_FOR_SLIP && word.length >= LEAST_FOR_SLIP;
  return isLong && editDistance(term, word, 1) <= 1 ? SLIP : 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
