/**
 * Removes secrets from text that leaves the server, by their names and forms. It cannot find all
 * secrets.
 */

import { isSecretSetting, REDACTED, redactText } from '@callsign/core/secrets';

/** The longest text that is searched. */
const MAX_INPUT = 20_000;

/** Shorter values are kept: they would match parts of ordinary words. */
const SHORTEST_SECRET = 6;

/**
 * The text without tokens, credentials in addresses and headers, and values of secret environment
 * variables. Everything after the first 20,000 characters is cut off.
 */
export function redact(
  text: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  let clean = text.slice(0, MAX_INPUT);
  for (const secret of secretsOf(environment)) clean = clean.replaceAll(secret, REDACTED);
  return redactText(clean);
}

/** The longest first, so that no secret survives as the rest of a shorter one. */
function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment)
    .flatMap(([name, value]) => (value !== undefined && isSecretSetting(name) ? [value] : []))
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .toSorted((a, b) => b.length - a.length);
}
