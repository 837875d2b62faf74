/** A coloured word for a risk, a state or a decision. The word alone says everything. */

const KINDS: Readonly<Record<string, string>> = {
  read: 'good',
  write: 'warn',
  destructive: 'bad',
  ready: 'good',
  starting: 'warn',
  waiting: 'warn',
  failed: 'bad',
  stopped: 'dim',
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

export function Badge({ word }: { readonly word: string }) {
  return <span class={`badge ${KINDS[word] ?? 'dim'}`}>{word}</span>;
}
