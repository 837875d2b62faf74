/** Small words with a meaning: risk, state, decision. Colour never says more than the word. */

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
};

export function Badge({ word }: { readonly word: string }) {
  return <span class={`badge ${KINDS[word] ?? 'dim'}`}>{word}</span>;
}
