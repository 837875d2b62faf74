/** Explains the hints of a label to people, in one sentence. This is advice; the policy decides. */

import type { LabelHints, Voice } from '../hints/evidence.js';
import { isContradictory, isProvenRead, mayRetry, type Risk, riskOf } from '../hints/risk.js';

const EFFECT: Readonly<Record<Risk, string>> = {
  read: 'Only reads',
  write: 'Adds or changes data',
  destructive: 'May delete or overwrite data',
};

const CLAIMED_EFFECT: Readonly<Record<Risk, string>> = {
  ...EFFECT,
  read: 'Its server says that it only reads',
  write: 'Its server says that it only adds or changes data',
};

const INFERRED_EFFECT: Readonly<Record<Risk, string>> = {
  ...EFFECT,
  read: 'Its own words suggest that it only reads',
  write: 'Its own words suggest that it only adds data',
};

/** One sentence such as "May delete or overwrite data; ask before each call; do not retry." */
export function explain(hints: LabelHints): string {
  return `${effectAndReach(hints)}; ${adviceFor(hints)}.`;
}

/** The first part of it, without advice: "May delete or overwrite data." */
export function explainEffect(hints: LabelHints): string {
  return `${effectAndReach(hints)}.`;
}

function effectAndReach(hints: LabelHints): string {
  return `${effectOf(hints)}${hints.openWorldHint.value ? ', and may reach other systems' : ''}`;
}

function effectOf(hints: LabelHints): string {
  if (isContradictory(hints)) {
    return 'Is marked as both read-only and destructive, so it may delete or overwrite data';
  }
  const { evidence } = hints.destructiveHint;
  if (evidence.by === 'words' && evidence.effect === 'sends') {
    return 'Does something that cannot be taken back';
  }
  const by = whoLowers(hints);
  const effects = by === 'server' ? CLAIMED_EFFECT : by === 'words' ? INFERRED_EFFECT : EFFECT;
  return effects[riskOf(hints)];
}

function adviceFor(hints: LabelHints): string {
  const risk = riskOf(hints);
  if (isProvenRead(hints)) {
    const condition = whoLowers(hints) === 'server' ? 'if so, it is ' : '';
    // A read of another system changes nothing, but it sends data out and returns untrusted text.
    return hints.openWorldHint.value
      ? `${condition}safe to repeat, but check what it sends and what it returns`
      : `${condition}safe to call and to repeat`;
  }
  const retry = mayRetry(hints) ? 'safe to repeat' : 'do not retry';
  return risk === 'destructive' ? `ask before each call; ${retry}` : retry;
}

/** The source of the hint that keeps the risk low. */
function whoLowers({ readOnlyHint, destructiveHint }: LabelHints): Voice {
  return (readOnlyHint.value ? readOnlyHint : destructiveHint).evidence.by;
}
