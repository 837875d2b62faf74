/** Redacts secrets by their own form: tokens of well-known services, and values after `Bearer`. */

import { REDACTED } from './redacted.js';

/** Every pattern takes time in proportion to the text. */
const TOKENS: readonly RegExp[] = [
  /(?<![A-Za-z0-9])(?:gh[oprsu]_|github_pat_|glpat-|ldpat_|xox[abeoprs]-|[prs]k_(?:live|test)_|AKIA|ASIA|AIza|ya29\.|dop_v1_|SG\.|shp(?:at|ss)_)[\w.~+=-]{8,}/g,
  /(?<![A-Za-z0-9])(?:npm_|hf_)[A-Za-z0-9]{20,}/g,
  /(?<![A-Za-z0-9_-])sk-(?:(?=[\w-]{0,60}\d)[\w-]{8,}|[A-Za-z]{16,})/g,
  /(?<![A-Za-z0-9])(?:sbp_|lin_api_|ntn_|gsk_|pplx-|tvly-|figd_|dckr_pat_|xapp-|glrt-|pypi-AgE|ATATT3)[\w.=-]{16,}/g,
  // Bots of Telegram.
  /(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])/g,
  // The last part of a webhook's path is its key.
  /(?<=\bhooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/]{1,60}\/)[A-Za-z0-9]{20,}/g,
  /(?<=\bdiscord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,20}\/)[\w-]{20,}/g,
  // JSON Web Tokens.
  /(?<![A-Za-z0-9])eyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g,
];

/** The value must contain more than letters: `Basic validation failed` is not a secret. */
const SCHEME = /\b(bearer|basic|apikey)(\s{1,4})(?=[^\s"',;]{0,60}[\d+/=_.])[\w.~+/=-]{6,}/gi;

export function redactTokens(text: string): string {
  const safe = TOKENS.reduce((rest, token) => rest.replaceAll(token, REDACTED), text);
  return safe.replaceAll(SCHEME, `$1$2${REDACTED}`);
}

/** Whether a whole value looks like a key: a known token, or long and random and not a path. */
export function isSecretValue(value: string): boolean {
  if (/^(?=[^\d]{0,100}\d)[A-Za-z0-9+_=-]{32,}$/.test(value)) return true;
  return redactTokens(value) === REDACTED;
}
