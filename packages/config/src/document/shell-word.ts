/** Writes a word for a command line that a person copies. */

/** Characters that no shell changes. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** Puts the word in quotes if a shell would change it. `plain`: words that need none. */
export function shellWord(word: string, plain: RegExp = PLAIN): string {
  return plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
