/**
 * Guesses which tool a wrong name means. Runs only for unknown names. It pauses for each tool,
 * because there may be thousands.
 */

import { editDistance } from '../words/edit-distance.js';
import { withoutFingerprint } from '../identity/fingerprint.js';
import { withoutReversibleMark } from '../render/reversible-mark.js';
import type { NamedTool } from '../render/named-tool.js';
import { lowerWords } from '../words/words.js';

/** The best candidates for a wrong name, best first. Equal ones are sorted by name. */
export type Suggester = (wrong: string, limit: number) => Generator<undefined, NamedTool[]>;

/** A tool with what guesses compare, computed once. */
interface Folded {
  readonly tool: NamedTool;
  readonly server: string;
  readonly short: string;
  readonly whole: string;
  /** A bit for each letter that occurs. */
  readonly letters: number;
  /** Read on demand. */
  words?: readonly string[];
}

type Pauses = Generator<undefined, void>;
type Groups = Map<string, Folded[]>;

/** Characters. No real name is longer, and reading more would only cost time. */
const READ_AT_MOST = 256;
const SEPARATORS = /:|__|\/|\./;
/** The prefixes of clients: `mcp__callsign__`, `mcp_callsign_`. */
const CLIENT_PREFIX = /^mcp__?[^_:]+(?:_[^_:]+)*?__?(?=[^_])/i;

// The score of each kind of guess, in typing errors. Lower is better.
const MISSING_PREFIX = 1;
const SLIP_AND_MISSING_PREFIX = 1.5;
const OTHER_SERVER = 5;
const ONLY_SERVER = 6;
const SHARED_WORDS = 7;
/** Guesses that are further from the best one are left out: they are hardly meant. */
const NEAR = 1.5;

/** The tools by what a wrong name may have in common with them. */
interface ToolIndex {
  readonly all: Folded[];
  readonly byWhole: Groups;
  readonly byShort: Groups;
  readonly byServer: Groups;
  /** A marked or hashed name is found with its mark, */
  readonly byName: Groups;
  /** and without it: its stem may differ from the identity. */
  readonly byStem: Groups;
}

export function* buildSuggester(tools: Iterable<NamedTool>): Generator<undefined, Suggester> {
  const index = createIndex();
  for (const tool of tools) {
    yield;
    addTool(index, tool);
  }
  return function* suggest(wrong, limit) {
    const text = wrong.slice(0, READ_AT_MOST);
    const unprefixed = text.replace(CLIENT_PREFIX, '');
    const scores = new Map<NamedTool, number>();
    const score = scorer(scores);
    for (const reading of new Set([text, unprefixed])) yield* scoreReading(index, reading, score);
    if (scores.size === 0) yield* scoreWords(index, unprefixed, score);
    let best = Infinity;
    for (const found of scores.values()) best = Math.min(best, found);
    return [...scores]
      .filter(([, found]) => found <= best + NEAR)
      .toSorted(([a, x], [b, y]) => x - y || (a.name < b.name ? -1 : 1))
      .slice(0, Math.max(0, limit))
      .map(([tool]) => tool);
  };
}

function createIndex(): ToolIndex {
  return {
    all: [],
    byWhole: new Map(),
    byShort: new Map(),
    byServer: new Map(),
    byName: new Map(),
    byStem: new Map(),
  };
}

function addTool(index: ToolIndex, tool: NamedTool): void {
  const folded = foldTool(tool);
  index.all.push(folded);
  addTo(index.byWhole, folded.whole, folded);
  addTo(index.byShort, folded.short, folded);
  addTo(index.byServer, folded.server, folded);
  addTo(index.byName, fold(tool.name), folded);
  if (!tool.exact) addTo(index.byStem, fold(withoutAnyMark(tool.name)), folded);
}

function* scoreReading(index: ToolIndex, text: string, score: Score): Pauses {
  const { byWhole, byName, byStem, byShort, byServer } = index;
  const whole = fold(text);
  if (whole === '') return;
  // Only case or punctuation differ, so no other tool can be meant.
  const right = byWhole.get(whole) ?? byName.get(whole) ?? byStem.get(fold(withoutAnyMark(text)));
  for (const found of right ?? []) score(found, 0);
  if (right) return;
  for (const found of byShort.get(whole) ?? []) score(found, MISSING_PREFIX);
  for (const found of byServer.get(whole) ?? []) score(found, ONLY_SERVER);
  const cut = text.search(SEPARATORS);
  const server = cut > 0 ? fold(text.slice(0, cut)) : undefined;
  if (server !== undefined) yield* scoreParts(index, server, text.slice(cut), score);
  yield* scoreSlips(index, text, server, score);
}

function* scoreParts(
  { byShort, byServer }: ToolIndex,
  server: string,
  /** The part after the server, as it was typed. */
  typed: string,
  score: Score,
): Pauses {
  const short = fold(typed);
  const allowed = slipsAllowed(server);
  const named = byServer.get(server);
  for (const found of byShort.get(short) ?? []) {
    const slips = editDistance(server, found.server, allowed);
    if (slips <= allowed) score(found, slips);
    // The tool of another server does something else. It is meant only if there is no such server.
    else if (!named) score(found, OTHER_SERVER);
  }
  // `github:github_create_issue`: the server is named twice.
  const rest = short.startsWith(server) ? short.slice(server.length) : short;
  for (const found of named ?? []) {
    yield;
    if (rest === '') score(found, ONLY_SERVER);
    const slips = editDistance(rest, found.short, slipsAllowed(rest));
    if (slips <= slipsAllowed(rest) && isMisspelled(typed, found.tool.ref.tool))
      score(found, slips);
  }
}

function* scoreSlips(
  { all }: ToolIndex,
  text: string,
  server: string | undefined,
  score: Score,
): Pauses {
  const typed = fold(text);
  const allowed = slipsAllowed(typed);
  const letters = lettersOf(typed);
  for (const candidate of all) {
    yield;
    // `scoreParts` handles the named server. A long server name must not allow more errors in the
    // tool.
    if (candidate.server === server) continue;
    // Each error adds at most one letter that the candidate lacks. This excludes most of them
    // early.
    if (bitCount(letters & ~candidate.letters) > allowed) continue;
    const slips = editDistance(typed, candidate.whole, allowed);
    const { server: key, tool } = candidate.tool.ref;
    if (slips <= allowed && isMisspelled(text, `${key} ${tool}`)) score(candidate, slips + 0.5);
    const shortSlips = editDistance(typed, candidate.short, allowed);
    if (shortSlips <= allowed && isMisspelled(text, tool))
      score(candidate, shortSlips + SLIP_AND_MISSING_PREFIX);
  }
}

/**
 * Whether a name may be a misspelling of another. It is not if a whole word differs: `delete_issue` is
 * four letters from `create_issue`.
 */
function isMisspelled(typed: string, name: string): boolean {
  const words = lowerWords(name.slice(0, READ_AT_MOST));
  const said = lowerWords(typed);
  if (said.length !== words.length) return true;
  return said.every((word, i) => {
    const allowed = slipsAllowed(word);
    return editDistance(word, words[i]!, allowed) <= allowed;
  });
}

/** The last resort: the same words in another order, or all of one name in the other. */
function* scoreWords({ all }: ToolIndex, text: string, score: Score): Pauses {
  const said = new Set(lowerWords(text));
  if (said.size < 2) return;
  for (const candidate of all) {
    yield;
    const { ref } = candidate.tool;
    const words = (candidate.words ??= lowerWords(
      `${ref.server} ${ref.tool}`.slice(0, READ_AT_MOST),
    ));
    const shared = words.reduce((count, word) => count + (said.has(word) ? 1 : 0), 0);
    const likeness = shared / Math.max(said.size, words.length);
    // `delete_file` and `create_file` share most words, and mean opposite things.
    const isSameThing = shared === said.size || shared === words.length;
    if (shared >= 2 && likeness > 0.5 && isSameThing) score(candidate, SHARED_WORDS - likeness);
  }
}

function withoutAnyMark(name: string): string {
  return withoutReversibleMark(withoutFingerprint(name));
}

type Score = (candidate: Folded, value: number) => void;

function scorer(scores: Map<NamedTool, number>): Score {
  return ({ tool }, value) => {
    if (value < (scores.get(tool) ?? Infinity)) scores.set(tool, value);
  };
}

function foldTool(tool: NamedTool): Folded {
  const server = fold(tool.ref.server.slice(0, READ_AT_MOST));
  const short = fold(tool.ref.tool.slice(0, READ_AT_MOST));
  const whole = server + short;
  return { tool, whole, server, short, letters: lettersOf(whole) };
}

/** Letters and digits only, in lower case. */
function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** One typing error in a short word, up to four in a long one. */
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

function addTo(groups: Groups, name: string, folded: Folded): void {
  if (name === '') return;
  const group = groups.get(name);
  if (group) group.push(folded);
  else groups.set(name, [folded]);
}
