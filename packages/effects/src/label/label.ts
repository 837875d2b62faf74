/** The label of a tool: its risk, its four hints, and the evidence for each hint. */

import type { Effect } from '../hints/endpoints.js';
import type { Disbelief, Evidence, LabelHint, LabelHints } from '../hints/evidence.js';
import { type Hint, SPEC_DEFAULTS, type StatedHints, statedHint } from '../hints/hints.js';
import { isContradictory, type Risk, riskOf } from '../hints/risk.js';
import type { Evidence as Fact } from '../judge/evidence.js';
import { judge, type Judgement } from '../judge/judge.js';
import { verbOf } from '../judge/verbs.js';
import { wordsOf } from '../judge/words.js';
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
  /** How far the server's claims are believed. Default: `checked`. */
  readonly trust?: Trust | undefined;
  /** The operator's hints for this tool. */
  readonly override?: StatedHints | undefined;
  /** A label that the operator accepted for exactly this definition. */
  readonly accepted?: StatedHints | undefined;
  /** What this tool tried when it was watched. It can raise the risk, never lower it. */
  readonly observed?: ObservedEffect | undefined;
  /** The operator's assumption about tools of this server that state no hints. */
  readonly assumed?: StatedHints | undefined;
}

/** What a tool tried when it was watched, as clauses: `it tried to write /home/ada/x when it was observed`. */
export interface ObservedEffect {
  readonly destroys?: string;
  readonly changes?: string;
  /** It reached out of this machine. */
  readonly reaches?: string;
}

/** A claim that contradicts what was observed, the tool's own words, or another claim. */
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
  /** Missing if no claim is contradicted. */
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
  const isJudged = isSilent ? trust !== 'none' : trust === 'checked';
  const judgement = isJudged ? judge({ ...tool, title: titleOf(tool) }) : undefined;
  const inference = isSilent ? judgement : undefined;
  const change = isSilent ? undefined : judgement?.contradiction;
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
  change: Fact | undefined,
  inference: Judgement | undefined,
): LabelHint {
  const own = statedHint(tool.override, hint);
  if (own !== undefined) return { value: own, evidence: { by: 'you', how: 'override' } };
  const accepted = statedHint(tool.accepted, hint);
  if (accepted !== undefined) return { value: accepted, evidence: { by: 'you', how: 'accepted' } };
  const said = saidHint(hint, tool, change, inference);
  const seen = observedHint(hint, tool);
  if (seen === undefined || seen.value === said.value) return said;
  const claim = statedHint(tool.annotations, hint);
  const { because } = seen;
  const disbelieved =
    claim === undefined || claim === seen.value ? {} : { disbelieved: { claim, because } };
  return { value: seen.value, evidence: { by: 'observed', because, ...disbelieved } };
}

/** What was observed outranks the server and the words of the tool, but only where it raises the risk. */
function observedHint(
  hint: Hint,
  { observed = {} }: LabelledTool,
): { readonly value: boolean; readonly because: string } | undefined {
  const { destroys, changes = destroys, reaches } = observed;
  if (hint === 'readOnlyHint' && changes !== undefined) return { value: false, because: changes };
  if (hint === 'destructiveHint' && destroys !== undefined)
    return { value: true, because: destroys };
  return hint === 'openWorldHint' && reaches !== undefined
    ? { value: true, because: reaches }
    : undefined;
}

/** The hint without what was observed. */
function saidHint(
  hint: Hint,
  tool: LabelledTool,
  change: Fact | undefined,
  inference: Judgement | undefined,
): LabelHint {
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
  change: Fact | undefined,
): Disbelief | undefined {
  const claim = statedHint(annotations, hint);
  if (claim === undefined) return undefined;
  if (trustedClaim(annotations, hint, trust) === undefined) {
    return { claim, because: 'it is not trusted' };
  }
  if (change === undefined || claim === SPEC_DEFAULTS[hint]) return undefined;
  const isRefuted = hint === 'readOnlyHint' || (hint === 'destructiveHint' && isHarm(change));
  return isRefuted ? { claim, because: change.because } : undefined;
}

function assumedHint(hint: Hint, { assumed }: LabelledTool): LabelHint | undefined {
  const value = statedHint(assumed, hint);
  return value === undefined ? undefined : { value, evidence: { by: 'assumed' } };
}

/**
 * Verbs that delete or overwrite. `remove` is not one: servers use it for taking a label off an
 * item.
 */
const REMOVALS: ReadonlySet<string> = new Set(
  'delete destroy erase wipe purge drop truncate kill terminate overwrite'.split(' '),
);

/** Whether a fact contradicts a claim to destroy nothing: it deletes, or its name says that it sends something. */
function isHarm({ where, word, effect }: Fact): boolean {
  const [verb = ''] = wordsOf(word);
  if (effect === 'sends') return where === 'name' && verbOf(verb)?.effect === 'sends';
  return REMOVALS.has(verb) || (effect === 'destroys' && verbOf(verb) === undefined);
}

/**
 * Words state the risk. What cannot be taken back also reaches other systems; else words say nothing about
 * `idempotentHint` and `openWorldHint`.
 */
function inferredHint(hint: Hint, inference: Judgement | undefined): LabelHint | undefined {
  if (inference?.likely === undefined) return undefined;
  const { likely, because } = inference;
  const evidence: Evidence = { by: 'words', because, effect: likely };
  if (hint === 'readOnlyHint') return { value: likely === 'reads', evidence };
  if (hint === 'destructiveHint') return { value: isDestructive(likely), evidence };
  return hint === 'openWorldHint' && likely === 'sends' ? { value: true, evidence } : undefined;
}

function isDestructive(effect: Effect): boolean {
  return effect !== 'reads' && effect !== 'adds';
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
    const isContrary = evidence.by === 'words' || evidence.by === 'observed';
    if (!isContrary || evidence.disbelieved === undefined) continue;
    return { hint, ...evidence.disbelieved };
  }
  if (!isContradictory(hints) || hints.readOnlyHint.evidence.by !== 'server') return undefined;
  return { hint: 'readOnlyHint', claim: true, because: 'destructiveHint is true as well' };
}
