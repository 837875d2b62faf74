/** The source of a label's evidence, in words. */

export const GROUND_WORDS: Readonly<Record<string, string>> = {
  you: 'you set it',
  server: 'the server says so',
  assumed: 'your assumption',
  words: 'its own words',
  default: 'the default',
  contradiction: 'contradicted',
  lapsed: 'expired',
};
