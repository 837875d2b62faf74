/** The effective hints as one sentence for people; advice, while policy decides. */

import type { EffectiveHints } from './resolve.js';
import { isContradictory, mayRetry, type Risk, riskOf } from './risk.js';

const EFFECT: Readonly<Record<Risk, string>> = {
  read: 'Only reads',
  write: 'Adds or changes',
  destructive: 'May delete or overwrite',
};

/** "May delete or overwrite; ask before each call; do not retry." */
export function explain(effective: EffectiveHints): string {
  const risk = riskOf(effective);
  const effect = isContradictory(effective)
    ? 'Is called both read-only and destructive, so may delete or overwrite'
    : EFFECT[risk];
  const reach = effective.openWorldHint.value ? ', and reaches outside this server' : '';
  return `${effect}${reach}; ${advice(risk, mayRetry(effective))}.`;
}

function advice(risk: Risk, repeatable: boolean): string {
  if (risk === 'read') return 'safe to call and to repeat';
  const retry = repeatable ? 'safe to repeat' : 'do not retry';
  return risk === 'destructive' ? `ask before each call; ${retry}` : retry;
}
