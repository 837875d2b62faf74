/** Which endpoint a stranger's tool belongs to, by its hints, then its name, then its description. */

import { type Confidence, lessSure } from '../words/confidence.js';
import type { Endpoint } from '../hints/endpoints.js';
import { HINTS, type StatedHints } from '../hints/hints.js';
import { type Trust, trustedClaim } from '../hints/trust.js';
import { VERBS } from '../words/verb-table.js';
import { type Verb, verbOf } from '../words/verbs.js';
import { wordsOf } from '../words/words.js';

/** What is looked at of a listed tool. */
export interface ClassifiedTool {
  readonly name: string;
  readonly annotations?: unknown;
  readonly description?: unknown;
  /** How far its server is believed; with `none` hints count only where they raise the risk. */
  readonly trust?: Trust | undefined;
}

/** Where a tool seems to belong. */
export interface Classification {
  readonly endpoint: Endpoint;
  readonly confidence: Confidence;
  /** The evidence, for people. */
  readonly because: string;
}

interface Row {
  readonly said: StatedHints;
  /** The endpoints that the verb in the name may choose among. */
  readonly byVerb: readonly Endpoint[];
  readonly otherwise: Omit<Classification, 'because'>;
}

/**
 * What believed hints decide; the first row that fits counts. A contradiction is read as destructive.
 * A verb that a row does not admit is overruled, for hints say more than names, and leaves a doubt.
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

/** Words of a description that count wherever they stand. */
const REMOVAL: ReadonlySet<string> = new Set([
  'delete',
  'remove',
  'purge',
  'destroy',
  'erase',
  'wipe',
]);

/** Without any evidence the endpoint of most caution. */
const UNKNOWN: Classification = Object.freeze({
  endpoint: 'execute',
  confidence: 'low',
  because: 'nothing says what it does',
});

/**
 * A guess at where a tool belongs, how sure it is and on what it rests. Hints come first as far as
 * they are believed, then the verb in the name, then the description. A guess sorts tools for
 * people. It is no ground for a decision: that is the label (label.ts).
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
    // To delete and to destroy nothing do not go together.
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

/** The verb that opens the description; but a word of removal counts wherever it stands. */
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

/** Descriptions say `Deletes`, `Fetches` and `Copies` where names say `delete`, `fetch` and `copy`. */
function baseForm(word: string): string {
  const stems = [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
  return stems.find((stem) => VERBS.has(stem)) ?? word;
}
