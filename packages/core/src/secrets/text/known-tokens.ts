/** Redacts secrets by their own form: tokens of well-known services, and values after `Bearer`. */

import { REDACTED } from './redacted.js';

/** Every pattern takes time in proportion to the text. */
const TOKENS: readonly RegExp[] = [
  /(?<![A-Za-z0-9])(?:gh[oprsu]_|github_pat_|glpat-|ldpat_|xox[abeoprs]-|[prs]k_(?:live|test)_|AKIA|ASIA|AIza|ya29\.|dop_v1_|SG\.|shp(?:at|ss)_)[\w.~+=-]{8,}/g,
  /(?<![A-Za-z0-9])(?:npm_|hf_)[A-Za-z0-9]{20,}/g,
  /(?<![A-Za-z0-9_-])sk-(?:(?=[\w-]{0,60}\d)[\w-]{8,}|[A-Za-z]{16,})/g,
  /(?<![A-Za-z0-9])(?:sbp_|lin_api_|ntn_|gsk_|pplx-|tvly-|figd_|dckr_pat_|xapp-|glrt-|pypi-AgE|ATATT3)[\w.=-]{16,}/g,
  // Vault, Dynatrace, Terraform.
  /(?<![A-Za-z0-9])(?:hvs\.|dt0c01\.|[A-Za-z0-9]{14}\.atlasv1\.)[\w.-]{20,}/g,
  /(?<![A-Za-z0-9])(?:bkua_|fio-u-|gldt-|glptt-|HRKU-AA|napi_|NRAK-|PMAK-|pnu_|r8_|rubygems_|tk-us-|sgp_|tfp_|lin_oauth_|FLWSECK_TEST-|AGE-SECRET-KEY-1)[\w-]{20,}/g,
  // Vendors whose prefix runs into the rest, so the rest is as long as theirs.
  /(?<![A-Za-z0-9])(?:AKCp[A-Za-z0-9]{60,}|ATBB[A-Za-z0-9]{24,}|EZ[AT]K[A-Za-z0-9]{54}|EAA[A-Z][A-Za-z0-9]{60,}|AKID[A-Za-z0-9]{32}|AQVN[\w-]{35,}|oy2[a-z0-9]{43}|API-[A-Z0-9]{26})(?![A-Za-z0-9])/g,
  // Hexadecimal digits alone could be any id: only as long as theirs, after a prefix of theirs.
  /(?<![A-Za-z0-9_-])(?:fc|key)-[0-9a-f]{32}(?![\w-])|(?<![A-Za-z0-9])sdk-live-[0-9a-f]{40}(?![\w-])/g,
  /(?<![A-Za-z0-9])(?:pat-[a-z]{2}\d|access-(?:sandbox|development|production))-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
  /(?<![A-Za-z0-9])re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![A-Za-z0-9])/g,
  // Of any vendor: a prefix that ends with a word for secrets, and a long rest that is not hexadecimal.
  /(?<![A-Za-z0-9_-])(?:[a-z0-9]{1,12}[_-]){0,3}[a-z0-9]{0,8}(?:secret|token|tkn|key|pat|sk|sec|pw|auth|blob_rw|(?<=_)(?:test|live))[_-](?=[A-Za-z0-9_-]{0,40}[G-Zg-z])(?=[A-Za-z0-9_-]{0,40}\d)(?=[A-Za-z0-9_-]{0,60}[A-Za-z0-9]{20})[A-Za-z0-9]+(?:[_-][A-Za-z0-9]{16,}){0,2}/gi,
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

/** No token is shorter. Most texts have no such word, and one search is cheaper than many. */
const LONG_WORD = /[\w.~+=-]{11}/;

export function redactTokens(text: string): string {
  const safe = LONG_WORD.test(text)
    ? TOKENS.reduce((rest, token) => rest.replaceAll(token, REDACTED), text)
    : text;
  return safe.replaceAll(SCHEME, `$1$2${REDACTED}`);
}

/** Whether a whole value looks like a key: a known token, or long and random and not a path. */
export function isSecretValue(value: string): boolean {
  if (/^(?=[^\d]{0,100}\d)[A-Za-z0-9+_=-]{32,}$/.test(value)) return true;
  return redactTokens(value) === REDACTED;
}
