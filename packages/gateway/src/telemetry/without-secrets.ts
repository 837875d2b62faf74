/** Text for logs with what looks like a secret left out: by the key before it, or by its own looks. */

import { createSecretWords } from '@callsign/secrets';

const REDACTED = '[redacted]';
const words = createSecretWords();

/** `"password": "…"`, also where the quotes are escaped. */
const MEMBER = /(\\?")([\w-]{1,80})\1\s{0,3}:\s{0,3}\\?"(?:[^"\\]|\\[^"])*\\?"/g;
/** `Authorization: …`, to the end of the line. */
const HEADER =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key)(\s{0,3}:\s{0,3})[^\r\n"']+/gi;

export function withoutSecrets(text: string): string {
  const byKey = text
    .replaceAll(MEMBER, (member, quote: string, key: string) =>
      words.isSecretKey(key) ? `${quote}${key}${quote}:${quote}${REDACTED}${quote}` : member,
    )
    .replaceAll(HEADER, `$1$2${REDACTED}`);
  return words.withoutSecrets(byKey);
}
