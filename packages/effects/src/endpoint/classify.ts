/** Guesses the endpoint of a tool from its hints, then its name, then its description. */

import { type Confidence, lessSure } from '../words/confidence.js';
import type { Endpoint } from '../hints/endpoints.js';
import { HINTS, type StatedHints } from '../hints/hints.js';
import { type Trust, trustedClaim } from '../hints/trust.js';
import { VERBS } from '../words/verb-table.js';
import { type Verb, verbOf } from '../words/verbs.js';
import { wordsOf } from '../words/words.js';

/** The parts of a listed tool that are read. */
export interface ClassifiedTool {
  readonly name: string;
  readonly annotations?: unknown;
  readonly description?: unknown;
  /** How far the server is believed. With `none`, hints count only if they raise the risk. */
  readonly trust?: Trust | undefined;
}

/** The guessed endpoint of a tool. */
export interface Classification {
  readonly endpoint: Endpoint;
  readonly confidence: Confidence;
  /** The evidence, as a clause for people. */
  readonly because: string;
}

/** A set of stated hints, and the endpoints that it allows. */
interface Row {
  readonly said: StatedHints;
  /** The endpoints that the verb in the name may choose among. */
  readonly byVerb: readonly Endpoint[];
  /** For a tool whose verb is not among them. */
  readonly otherwise: Omit<Classification, 'because'>;
}

/**
 * The endpoints that believed hints allow. The first matching row counts. Hints are stronger than
 * names: a verb that the row does not allow is overruled and lowers the confidence. A tool that is
 * both read-only and destructive counts as destructive.
 */
const ROWS: readonly Row[] = [
  {
    said: { destructiveHint: true },
    byVerb: ['update', 'delete', 'execute'],
    otherwise: { endpoint: 'execute', confidence: 'medium' },
  },
  {
    said: { readOnlyHint: true },
    byVerb: [],
    otherwise: { endpoint: 'read', confidence: 'high' },
  },
  {
    said: { destructiveHint: false, idempotentHint: true },
    byVerb: ['create', 'delete'],
    otherwise: { endpoint: 'update', confidence: 'high' },
  },
  {
    said: { destructiveHint: false },
    byVerb: ['create', 'update', 'delete', 'execute'],
    otherwise: { endpoint: 'create', confidence: 'medium' },
  },
  {
    said: { readOnlyHint: false },
    byVerb: ['create', 'update', 'delete', 'execute'],
    otherwise: { endpoint: 'execute', confidence: 'medium' },
  },
];

/** Words that count at any place in a description. */
const REMOVAL: ReadonlySet<string> = new Set([
  'delete',
  'remove',
  'purge',
  'destroy',
  'erase',
  'wipe',
]);

/** The most cautious endpoint, for a tool without evidence. */
const UNKNOWN: Classification = Object.freeze({
  endpoint: 'execute',
  confidence: 'low',
  because: 'nothing says what it does',
});

/**
 * Guesses the endpoint of a tool, with a confidence and the evidence. Hints come first, as far as
 * they are believed; then the verb in the name; then the description. The guess only sorts tools
 * for people: decisions use the label (label.ts).
 */
export function classify(tool: ClassifiedTool): Classification {
  const verb = verbOf(tool.name);
  return byHints(tool, verb) ?? byName(verb) ?? byDescription(tool.description) ?? UNKNOWN;
}

function byHints(
  { annotations, trust }: ClassifiedTool,
  verb: Verb | undefined,
): Classification | undefined {
  const row = ROWS.find(({ said }) =>
    HINTS.every(
      (hint) => said[hint] === undefined || said[hint] === trustedClaim(annotations, hint, trust),
    ),
  );
  if (row === undefined) return undefined;

  const says = HINTS.filter((hint) => row.said[hint] !== undefined)
    .map((hint) => `${hint} ${row.said[hint]}`)
    .join(' and ');
  const { endpoint, confidence } = row.otherwise;
  if (verb !== undefined && row.byVerb.includes(verb.endpoint)) {
    // A delete that destroys nothing is a contradiction.
    const isAgreed = verb.endpoint !== 'delete' || row.said.destructiveHint !== false;
    return {
      endpoint: verb.endpoint,
      confidence: isAgreed && verb.confidence === 'high' ? 'high' : 'medium',
      because: `it says ${says}, and its name says "${verb.word}"`,
    };
  }
  if (verb?.confidence === 'high' && verb.endpoint !== endpoint) {
    return {
      endpoint,
      confidence: 'medium',
      because: `it says ${says}, although its name says "${verb.word}"`,
    };
  }
  return { endpoint, confidence, because: `it says ${says}` };
}

function byName(verb: Verb | undefined): Classification | undefined {
  if (verb === undefined) return undefined;
  const { endpoint, confidence, word } = verb;
  return { endpoint, confidence, because: `its name says "${word}"` };
}

/** By the first verb of the description, except that a word of removal counts at any place. */
function byDescription(description: unknown): Classification | undefined {
  const verbs = typeof description === 'string' ? wordsOf(description).map(baseForm) : [];
  const verb = verbs.find((each) => REMOVAL.has(each)) ?? verbs[0] ?? '';
  const meaning = VERBS.get(verb);
  if (meaning === undefined) return undefined;
  return {
    endpoint: meaning.endpoint,
    confidence: verb === verbs[0] ? lessSure(meaning.confidence) : 'low',
    because: `its description says "${verb}"`,
  };
}

/** The verb that a word is a form of: descriptions say `Deletes`, names say `delete`. */
function baseForm(word: string): string {
  const stems = [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
  return stems.find((stem) => VERBS.has(stem)) ?? word;
}
