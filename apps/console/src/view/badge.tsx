/** A coloured word for a risk, a state or a decision. The word alone says everything. */

import type { Certainty } from './ground-words.js';

const KINDS: Readonly<Record<string, string>> = {
  read: 'good',
  write: 'warn',
  destructive: 'bad',
  ready: 'good',
  starting: 'warn',
  waiting: 'warn',
  failed: 'bad',
  stopped: 'dim',
  asleep: 'dim',
  draining: 'warn',
  silent: 'warn',
  same: 'good',
  different: 'warn',
  in: 'good',
  allow: 'good',
  confirm: 'warn',
  'dry-run': 'warn',
  deny: 'bad',
  accepted: 'good',
  new: 'warn',
  changed: 'bad',
  gone: 'dim',
  error: 'bad',
  warning: 'warn',
  info: 'dim',
  ok: 'good',
  disabled: 'dim',
  unknown: 'warn',
  // How calls end. Codes that are not here are failures of the gateway or of a server.
  'not ended': 'dim',
  'call-cancelled': 'dim',
  'tool-error': 'warn',
  'policy-denied': 'bad',
  'not-approved': 'bad',
  'access-denied': 'bad',
  'credential-needed': 'bad',
  'limit-reached': 'warn',
  'server-error': 'bad',
  'internal-error': 'bad',
  'upstream-timeout': 'bad',
  'upstream-unavailable': 'bad',
  'upstream-closed': 'bad',
  gap: 'bad',
  alarm: 'bad',
  torn: 'warn',
  'lost-end': 'warn',
  pruned: 'dim',
};

export interface BadgeProps {
  readonly word: string;
  /** How certain a risk is. Only what is certain has the full colour. */
  readonly certainty?: Certainty;
}

export function Badge({ word, certainty = 'stated' }: BadgeProps) {
  return <span class={`badge ${KINDS[word] ?? 'dim'} ${certainty}`}>{word}</span>;
}
