/** Takes secrets out of text that leaves the server. It knows forms, not meanings: what it misses must not be said. */

const MASK = '[redacted]';

/** More than any message needs, and a limit to the work below. */
const MAX_INPUT = 20_000;

/** Each quantifier before a fixed part is bounded, so that hostile text costs linear time. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  // scheme://user:password@host
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#]{1,512}@/gi, `$1${MASK}@`],
  // A header that carries a credential, to the end of its line or string.
  [
    /\b((?:proxy-)?authorization|(?:set-)?cookie|x-[a-z-]{0,30}(?:key|token))([\\"']{0,3}\s{0,4}[:=]\s{0,4}[\\"']{0,3})[^\r\n"'\\]+/gi,
    `$1$2${MASK}`,
  ],
  // token=…, "api_key": "…", also where JSON stands in a string of JSON.
  [
    /([\w-]{0,40}(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|private[_-]?key|access[_-]?key|signature)[\w-]{0,20}[\\"']{0,3}\s{0,4}[:=]\s{0,4}[\\"']{0,3})(?!\[redacted\])(?:[^\s"'\\&,;)\]}]|\\(?!["']))+/gi,
    `$1${MASK}`,
  ],
  // A scheme of authentication with something that is no word behind it.
  [/\b(bearer|basic|apikey)\s{1,4}(?=[^\s"',;]{0,60}[\d+/=_.])[^\s"',;]{6,}/gi, `$1 ${MASK}`],
  // Tokens that say by their form what they are.
  [
    /\b(?:ldpat_|gh[opsur]_|github_pat_|glpat-|sk-|sk_live_|xox[abprs]-|npm_|hf_|AKIA|ASIA|AIza)[\w-]{8,}/g,
    MASK,
  ],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, MASK],
];

const SECRET_NAME =
  /token|secret|passw(?:or)?d|passphrase|credential|authorization|(?:^|_)key$|apikey|_pat$/i;

/** A shorter value would be found in innocent words. */
const SHORTEST_SECRET = 6;

/**
 * The text without tokens, credentials in addresses and headers, and values of secret environment
 * variables; what goes beyond the first 20,000 characters is cut off.
 */
export function redact(
  text: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  let clean = text.slice(0, MAX_INPUT);
  for (const secret of secretsOf(environment)) clean = clean.replaceAll(secret, MASK);
  for (const [form, replacement] of FORMS) clean = clean.replace(form, replacement);
  return clean;
}

/** The longest first, so that no secret survives as the rest of a shorter one. */
function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment)
    .flatMap(([name, value]) => (value !== undefined && SECRET_NAME.test(name) ? [value] : []))
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .toSorted((a, b) => b.length - a.length);
}
