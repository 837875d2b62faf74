/** What secrets are called, and what they look like. */

import { globMatcher } from '@callsign/core';

/** Anywhere in a key, without regard to case and punctuation. */
const SECRET_PARTS: readonly string[] = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'secret',
  'token',
  'credential',
  'apikey',
  'accesskey',
  'privatekey',
  'signingkey',
  'encryptionkey',
  'authorization',
  'cookie',
];

/** Too short to look for inside other words. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  'pwd',
  'pass',
  'pin',
  'otp',
  'cvv',
  'cvc',
  'jwt',
  'auth',
  'bearer',
]);

/** Each takes time in proportion to the text: no repetition stands next to one that takes the same characters. */
const SECRET_TEXTS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
  /(?:gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|sk-|[prs]k_(?:live|test)_|AKIA|ASIA|AIza|ya29\.|npm_|hf_|dop_v1_|SG\.|shp(?:at|ss)_|eyJ)[\w.~+/=-]{10,}/g,
  /(?<=\b(?:Bearer|Basic) )[\w.~+/=-]{8,}/gi,
  /(?<=:\/\/)[^\s/:@]{0,200}:[^\s/@]{1,200}(?=@)/g,
  /(?<=\b(?:access_token|api_?key|client_secret|passw(?:or)?d|pwd|secret|signature|token)=)[^\s"&';]+/gi,
];

export interface SecretWords {
  isSecretKey(key: string): boolean;
  /** The text with `[redacted]` in place of what looks like a secret. */
  withoutSecrets(text: string): string;
}

/** `keys` are further words in keys; `patterns` are globs, matched against each word of a text. */
export function createSecretWords(
  keys: readonly string[] = [],
  patterns: readonly string[] = [],
): SecretWords {
  const parts = [...SECRET_PARTS, ...keys.map(plainKey).filter((key) => key !== '')];
  const globs = patterns.map(globMatcher);
  return {
    isSecretKey(key) {
      const plain = plainKey(key);
      return SECRET_KEYS.has(plain) || parts.some((part) => plain.includes(part));
    },
    withoutSecrets(text) {
      const safe = SECRET_TEXTS.reduce((rest, secret) => rest.replace(secret, '[redacted]'), text);
      if (globs.length === 0) return safe;
      return safe.replaceAll(/\S+/g, (word) =>
        globs.some((matches) => matches(word)) ? '[redacted]' : word,
      );
    },
  };
}

/** `API-Key`, `api_key` and `apiKey` are one key. */
function plainKey(key: string): string {
  return key
    .slice(0, 200)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
