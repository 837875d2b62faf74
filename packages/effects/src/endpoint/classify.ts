/** Finds the endpoint of a tool from its hints, as far as they are believed, and from the judge's reading. */

import { EFFECT_ENDPOINTS, type Endpoint } from '../hints/endpoints.js';
import { HINTS, type StatedHints } from '../hints/hints.js';
import { type Trust, trustedClaim } from '../hints/trust.js';
import { judge, type Operation } from '../judge/judge.js';
import type { Certainty } from '../judge/verbs.js';

/** The parts of a listed tool that are read. */
export interface ClassifiedTool extends Operation {
  readonly annotations?: unknown;
  /** How far the server is believed. With `none`, hints count only if they raise the risk. */
  readonly trust?: Trust | undefined;
}

/** How certain an endpoint is. */
export type Confidence = 'high' | 'medium' | 'low';

/** The guessed endpoint of a tool. */
export interface Classification {
  readonly endpoint: Endpoint;
  readonly confidence: Confidence;
  /** The evidence, as a clause for people. */
  readonly because: string;
}

const BY_CERTAINTY: Readonly<Record<Certainty, Confidence>> = {
  clear: 'high',
  likely: 'medium',
  weak: 'low',
};

/** A set of stated hints, and the endpoints that it allows. */
interface Row {
  readonly said: StatedHints;
  /** The endpoints that the words may choose among. */
  readonly byWords: readonly Endpoint[];
  /** For a tool whose words choose none of them. */
  readonly otherwise: Omit<Classification, 'because'>;
}

/**
 * The endpoints that believed hints allow. The first matching row counts. Hints are stronger than words: what the row does
 * not allow is overruled and lowers the confidence. A tool that is both read-only and destructive counts as destructive.
 */
const ROWS: readonly Row[] = [
  {
    said: { destructiveHint: true },
    byWords: ['update', 'delete', 'execute'],
    otherwise: { endpoint: 'execute', confidence: 'medium' },
  },
  {
    said: { readOnlyHint: true },
    byWords: [],
    otherwise: { endpoint: 'read', confidence: 'high' },
  },
  {
    said: { destructiveHint: false, idempotentHint: true },
    byWords: ['create', 'delete'],
    otherwise: { endpoint: 'update', confidence: 'high' },
  },
  {
    said: { destructiveHint: false },
    byWords: ['create', 'update', 'delete', 'execute'],
    otherwise: { endpoint: 'create', confidence: 'medium' },
  },
  {
    said: { readOnlyHint: false },
    byWords: ['create', 'update', 'delete', 'execute'],
    otherwise: { endpoint: 'execute', confidence: 'medium' },
  },
];

/** Guesses the endpoint of a tool, to sort tools for people. Decisions use the label (label.ts). */
export function classify(tool: ClassifiedTool): Classification {
  const words = byWords(tool);
  const row = ROWS.find(({ said }) =>
    HINTS.every(
      (hint) =>
        said[hint] === undefined || said[hint] === trustedClaim(tool.annotations, hint, tool.trust),
    ),
  );
  if (row === undefined) return words;
  const says = HINTS.filter((hint) => row.said[hint] !== undefined)
    .map((hint) => `${hint} ${row.said[hint]}`)
    .join(' and ');
  const { endpoint, confidence } = row.otherwise;
  if (words.confidence !== 'low' && row.byWords.includes(words.endpoint)) {
    // A delete that destroys nothing is a contradiction.
    const isAgreed = words.endpoint !== 'delete' || row.said.destructiveHint !== false;
    return {
      endpoint: words.endpoint,
      confidence: isAgreed ? words.confidence : 'medium',
      because: `it says ${says}, and ${words.because}`,
    };
  }
  if (words.confidence === 'high' && words.endpoint !== endpoint) {
    return {
      endpoint,
      confidence: 'medium',
      because: `it says ${says}, although ${words.because}`,
    };
  }
  return { endpoint, confidence, because: `it says ${says}` };
}

/** The most cautious endpoint if there is no evidence. */
function byWords(tool: Operation): Classification {
  const { likely, certainty, because, evidence } = judge(tool);
  if (likely !== undefined) {
    return { endpoint: EFFECT_ENDPOINTS[likely], confidence: BY_CERTAINTY[certainty], because };
  }
  const fact = evidence.find(({ effect }) => effect !== undefined);
  if (fact === undefined) return { endpoint: 'execute', confidence: 'low', because };
  return { endpoint: EFFECT_ENDPOINTS[fact.effect!], confidence: 'low', because: fact.because };
}
