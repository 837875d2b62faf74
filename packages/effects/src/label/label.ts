/** The label of a tool: its risk, its four hints, and the evidence for each hint. */

import type { Disbelief, Evidence, LabelHint, LabelHints } from '../hints/evidence.js';
import { type Hint, SPEC_DEFAULTS, type StatedHints, statedHint } from '../hints/hints.js';
import { type ClearChange, clearChange } from '../inference/clear-change.js';
import { type Inference, inferRisk } from '../inference/infer.js';
import { isContradictory, type Risk, riskOf } from '../hints/risk.js';
import { titleOf } from './titles.js';
import { type Trust, trustedClaim } from '../hints/trust.js';

/** A tool as its server lists it, and what the operator says about the tool and its server. */
export interface LabelledTool {
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  /** The server's annotations, unchecked. */
  readonly annotations?: unknown;
  /** How far the server's claims are believed. Unset: `checked`. */
  readonly trust?: Trust | undefined;
  /** The operator's hints for this tool. */
  readonly override?: StatedHints | undefined;
  /** A label that the operator accepted for exactly this definition. */
  readonly accepted?: StatedHints | undefined;
  /** The operator's assumption about tools of this server that state no hints. */
  readonly assumed?: StatedHints | undefined;
}

/** A claim that contradicts the tool's own words, or another claim. */
export interface Contradiction {
  readonly hint: RiskHint;
  readonly claim: boolean;
  /** The evidence against it, as a clause: `the name says delete`. */
  readonly because: string;
}

/** What the gateway acts on. */
export interface Label {
  readonly risk: Risk;
  readonly hints: LabelHints;
  /** Unset: no claim is contradicted. */
  readonly contradiction?: Contradiction | undefined;
}

/**
 * The hints that decide the risk. A server that states neither says nothing about the risk of its
 * tool.
 */
const RISK_HINTS = ['readOnlyHint', 'destructiveHint'] as const;

type RiskHint = (typeof RISK_HINTS)[number];

/**
 * For each hint the first source with a value counts: the operator, the server as far as it is
 * believed, the operator's assumption about the server, the tool's own words, the specification's
 * default. Words count only if the server says nothing about the tool's risk, and never for a
 * server with trust `none`.
 */
export function labelTool(tool: LabelledTool): Label {
  const { trust = 'checked' } = tool;
  const isSilent = RISK_HINTS.every((hint) => statedHint(tool.annotations, hint) === undefined);
  const words = { ...tool, title: titleOf(tool) };
  const inference = isSilent && trust !== 'none' ? inferRisk(words) : undefined;
  const change = !isSilent && trust === 'checked' ? clearChange(words) : undefined;
  const hint = (each: Hint): LabelHint => labelHint(each, tool, change, inference);
  const hints: LabelHints = {
    readOnlyHint: hint('readOnlyHint'),
    destructiveHint: hint('destructiveHint'),
    idempotentHint: hint('idempotentHint'),
    openWorldHint: hint('openWorldHint'),
  };
  const contradiction = contradictionIn(hints);
  return { risk: riskOf(hints), hints, ...(contradiction ? { contradiction } : {}) };
}

function labelHint(
  hint: Hint,
  tool: LabelledTool,
  change: ClearChange | undefined,
  inference: Inference | undefined,
): LabelHint {
  const own = statedHint(tool.override, hint);
  if (own !== undefined) return { value: own, evidence: { by: 'you', how: 'override' } };
  const accepted = statedHint(tool.accepted, hint);
  if (accepted !== undefined) return { value: accepted, evidence: { by: 'you', how: 'accepted' } };

  const disbelieved = disbeliefIn(hint, tool, change);
  if (disbelieved === undefined) {
    const claimed = statedHint(tool.annotations, hint);
    if (claimed !== undefined) return { value: claimed, evidence: { by: 'server' } };
  } else if (tool.trust !== 'none') {
    const { because } = disbelieved;
    return { value: SPEC_DEFAULTS[hint], evidence: { by: 'words', because, disbelieved } };
  }
  return withDisbelief(
    assumedHint(hint, tool) ?? inferredHint(hint, inference) ?? defaultHint(hint),
    disbelieved,
  );
}

/**
 * The claim, if it does not count: its server is not trusted, or the tool's own words contradict
 * it.
 */
function disbeliefIn(
  hint: Hint,
  { annotations, trust }: LabelledTool,
  change: ClearChange | undefined,
): Disbelief | undefined {
  const claim = statedHint(annotations, hint);
  if (claim === undefined) return undefined;
  if (trustedClaim(annotations, hint, trust) === undefined) {
    return { claim, because: 'it is not trusted' };
  }
  if (change === undefined || claim === SPEC_DEFAULTS[hint]) return undefined;
  const isRefuted = hint === 'readOnlyHint' || (hint === 'destructiveHint' && change.removes);
  return isRefuted ? { claim, because: change.because } : undefined;
}

function assumedHint(hint: Hint, { assumed }: LabelledTool): LabelHint | undefined {
  const value = statedHint(assumed, hint);
  return value === undefined ? undefined : { value, evidence: { by: 'assumed' } };
}

/** Words only state the risk. They say nothing about idempotentHint or openWorldHint. */
function inferredHint(hint: Hint, inference: Inference | undefined): LabelHint | undefined {
  if (inference === undefined) return undefined;
  const evidence: Evidence = { by: 'words', because: inference.because };
  if (hint === 'readOnlyHint') return { value: inference.risk === 'read', evidence };
  if (hint === 'destructiveHint') return { value: inference.risk === 'destructive', evidence };
  return undefined;
}

function defaultHint(hint: Hint): LabelHint {
  return { value: SPEC_DEFAULTS[hint], evidence: { by: 'default' } };
}

function withDisbelief(
  { value, evidence }: LabelHint,
  disbelieved: Disbelief | undefined,
): LabelHint {
  if (disbelieved === undefined || evidence.by === 'you') return { value, evidence };
  return { value, evidence: { ...evidence, disbelieved } };
}

function contradictionIn(hints: LabelHints): Contradiction | undefined {
  for (const hint of RISK_HINTS) {
    const { evidence } = hints[hint];
    if (evidence.by !== 'words' || evidence.disbelieved === undefined) continue;
    return { hint, ...evidence.disbelieved };
  }
  if (!isContradictory(hints) || hints.readOnlyHint.evidence.by !== 'server') return undefined;
  return { hint: 'readOnlyHint', claim: true, because: 'destructiveHint is true as well' };
}
