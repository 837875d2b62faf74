/** Phrases whose meaning differs from that of their words. */

const PHRASES: ReadonlyMap<string, string> = new Map([
  ['check off', 'complete'],
  ['fill in', 'fill'],
  ['fill out', 'fill'],
  ['get rid', 'delete'],
  ['hang up', 'end'],
  ['how many', 'count'],
  ['log in', 'login'],
  ['log out', 'logout'],
  ['look for', 'search'],
  ['look up', 'search'],
  ['pull request', 'pull request pr'],
  ['pull requests', 'pull request pr'],
  ['roll back', 'rollback'],
  ['roll out', 'rollout'],
  ['set up', 'configure'],
  ['shut down', 'stop'],
  ['sign in', 'login'],
  ['sign out', 'logout'],
  ['switch off', 'disable'],
  ['switch on', 'enable'],
  ['take away', 'remove'],
  ['throw away', 'delete'],
  ['text message', 'sms'],
  ['text messages', 'sms'],
  ['tick off', 'complete'],
  ['turn off', 'disable'],
  ['turn on', 'enable'],
  ['virtual machine', 'virtual machine vm'],
  ['virtual machines', 'virtual machine vm'],
]);

/** Replaces each phrase by a word with its meaning. */
export function withoutPhrases(words: readonly string[]): string[] {
  const replaced: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const phrase = PHRASES.get(`${words[i]} ${words[i + 1]}`);
    replaced.push(...(phrase?.split(' ') ?? [words[i]!]));
    if (phrase !== undefined) i++;
  }
  return replaced;
}
