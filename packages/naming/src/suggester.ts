/** Guesses which tool a wrong name meant. Runs on the error path, over thousands of names in a millisecond. */

import { editDistance } from './edit-distance.js';
import type { NamedTool } from './named-tool.js';

/** The best few candidates for a wrong name, best first; ties in the order of their names. */
export type Suggester = (wrong: string, limit: number) => NamedTool[];

interface Folded {
  readonly tool: NamedTool;
  readonly whole: string;
  readonly server: string;
  readonly short: string;
  readonly letters: number;
}

/** Longer than any real name; what is beyond it would only cost time. */
const READ_AT_MOST = 256;
const SEPARATORS = /:|__|\/|\./;

// How good each kind of guess is, in slips of the finger; a lower score is a better guess.
const MISSING_PREFIX = 1;
const SLIP_AND_MISSING_PREFIX = 1.5;
const OTHER_SERVER = 5;

export function createSuggester(tools: readonly NamedTool[]): Suggester {
  const all = tools.map(foldTool);
  const byWhole = groupBy(all, ({ whole }) => whole);
  const byShort = groupBy(all, ({ short }) => short);
  const byServer = groupBy(all, ({ server }) => server);
  // A hashed name is found by itself too: its stem may differ from the identity.
  const byName = groupBy(all, ({ tool }) => fold(tool.name));

  return function suggest(wrong, limit) {
    const text = wrong.slice(0, READ_AT_MOST);
    const whole = fold(text);
    if (whole === '') return [];
    const scores = new Map<NamedTool, number>();
    const score = ({ tool }: Folded, value: number): void => {
      if (value < (scores.get(tool) ?? Infinity)) scores.set(tool, value);
    };

    // Right but for case, separator or punctuation: nothing else can be meant.
    for (const found of byWhole.get(whole) ?? byName.get(whole) ?? []) score(found, 0);
    if (scores.size === 0) {
      for (const found of byShort.get(whole) ?? []) score(found, MISSING_PREFIX);
      const cut = text.search(SEPARATORS);
      if (cut > 0) scoreParts(fold(text.slice(0, cut)), fold(text.slice(cut)));
      scoreSlips(whole);
    }
    return [...scores]
      .toSorted(([a, x], [b, y]) => x - y || (a.name < b.name ? -1 : 1))
      .slice(0, limit)
      .map(([tool]) => tool);

    function scoreParts(server: string, short: string): void {
      for (const found of byShort.get(short) ?? []) {
        const slips = editDistance(server, found.server, slipsAllowed(server));
        score(found, slips <= slipsAllowed(server) ? slips : OTHER_SERVER);
      }
      const allowed = slipsAllowed(short);
      for (const found of byServer.get(server) ?? []) {
        const slips = editDistance(short, found.short, allowed);
        if (slips <= allowed) score(found, slips);
      }
    }

    function scoreSlips(typed: string): void {
      const allowed = slipsAllowed(typed);
      const letters = lettersOf(typed);
      for (const candidate of all) {
        // A slip brings in at most one letter that the candidate lacks; most candidates fall out here.
        if (bitCount(letters & ~candidate.letters) > allowed) continue;
        const slips = editDistance(typed, candidate.whole, allowed);
        if (slips <= allowed) score(candidate, slips + 0.5);
        const shortSlips = editDistance(typed, candidate.short, allowed);
        if (shortSlips <= allowed) score(candidate, shortSlips + SLIP_AND_MISSING_PREFIX);
      }
    }
  };
}

function foldTool(tool: NamedTool): Folded {
  const server = fold(tool.ref.server.slice(0, READ_AT_MOST));
  const short = fold(tool.ref.tool.slice(0, READ_AT_MOST));
  const whole = server + short;
  return { tool, whole, server, short, letters: lettersOf(whole) };
}

/** Letters and digits alone, in lower case: what remains of a name when punctuation is not trusted. */
function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** One slip in a short word, up to four in a long one. */
function slipsAllowed(text: string): number {
  return Math.min(4, Math.max(1, Math.floor(text.length / 4)));
}

function lettersOf(text: string): number {
  let letters = 0;
  for (let i = 0; i < text.length; i++) letters |= 1 << (text.charCodeAt(i) & 31);
  return letters;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function groupBy(items: readonly Folded[], key: (item: Folded) => string): Map<string, Folded[]> {
  const groups = new Map<string, Folded[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
