/** The effective hints as one sentence for people; advice, while policy decides. */

import type { EffectiveHints } from './resolve.js';
import { isContradictory, mayRetry, type Risk, riskOf } from './risk.js';

const EFFECT: Readonly<Record<Risk, string>> = {
  read: 'Only reads',
  write: 'Adds or changes',
  destructive: 'May delete or overwrite',
};

const CLAIMED_EFFECT: Readonly<Record<Risk, string>> = {
  ...EFFECT,
  read: 'Says it only reads',
  write: 'Says it only adds or changes',
};

/** One sentence such as "May delete or overwrite; ask before each call; do not retry." The same hints give the same. */
export function explain(effective: EffectiveHints): string {
  const isOpen = effective.openWorldHint.value;
  const reach = isOpen ? ', and reaches outside this server' : '';
  return `${effectOf(effective)}${reach}; ${adviceFor(effective)}.`;
}

function effectOf(effective: EffectiveHints): string {
  if (isContradictory(effective)) {
    return 'Is called both read-only and destructive, so may delete or overwrite';
  }
  return (isClaimed(effective) ? CLAIMED_EFFECT : EFFECT)[riskOf(effective)];
}

function adviceFor(effective: EffectiveHints): string {
  const risk = riskOf(effective);
  if (risk === 'read') {
    const condition = isClaimed(effective) ? 'if so, ' : '';
    // To read abroad changes nothing, yet the question goes out and anybody's words come back.
    return effective.openWorldHint.value
      ? `${condition}safe to repeat, but mind what goes out and what comes back`
      : `${condition}safe to call and to repeat`;
  }
  const retry = mayRetry(effective) ? 'safe to repeat' : 'do not retry';
  return risk === 'destructive' ? `ask before each call; ${retry}` : retry;
}

/** Whether the hint that keeps the risk low is the server's own word. */
function isClaimed({ readOnlyHint, destructiveHint }: EffectiveHints): boolean {
  return (readOnlyHint.value ? readOnlyHint : destructiveHint).source === 'claim';
}
