/**
 * Redacts passwords that a statement or a file states without a sign after their name: SQL, `.netrc`
 * and XML.
 */

import { REDACTED } from './redacted.js';

/** No character with which a shell would go on, so that no command can hide in a value. */
const PLAIN = String.raw`[^\s"'|;&<>\x60]`;
/** Stays within one statement. */
const WITHIN = String.raw`[^;|&<>\x60]{0,200}?`;

/** What comes before the value, the value, and what comes after it. */
const STATEMENTS: readonly RegExp[] = [
  // `ALTER USER x WITH PASSWORD 'x'`, `CREATE USER x IDENTIFIED BY 'x'`.
  String.raw`(\b(?:alter|create|grant)\s${WITHIN}\b(?:password|identified\s{1,4}(?:with\s{1,4}\S{1,60}\s{1,4})?(?:by|as))\s{1,4}')(${PLAIN}+)(')`,
  String.raw`(\bset\s{1,4}password\s{1,4}for\s${WITHIN}=\s{0,4}')(${PLAIN}+)(')`,
  String.raw`(\b(?:machine\s{1,4}\S{1,200}|default)\s{1,4}login\s{1,4}\S{1,200}\s{1,4}password\s{1,4})(${PLAIN}+)()`,
].map((statement) => new RegExp(statement, 'gi'));

/** `<password>x</password>`. */
const ELEMENT = /(<([\w.:-]{1,100})(?:\s[^<>]{0,200})?>\s{0,4})([^\s"'|;&<>`$]+)(?=\s{0,4}<\/\2>)/g;
/** `<add key="password" value="x"/>`. */
const ATTRIBUTE = /(\b(?:key|name)="([^"<>]{1,100})"\s{1,4}value=")([^"<>`$]+)(?=")/g;

/** What each of them contains. Most texts contain nothing of it, and one search is cheaper than five. */
const SIGN = /password|identified|<\/|value="/i;

export function redactStatements(text: string, isSecret: (name: string) => boolean): string {
  if (!SIGN.test(text)) return text;
  const hidden = (whole: string, before: string, name: string): string =>
    isSecret(name) ? before + REDACTED : whole;
  return STATEMENTS.reduce((rest, each) => rest.replaceAll(each, `$1${REDACTED}$3`), text)
    .replaceAll(ELEMENT, hidden)
    .replaceAll(ATTRIBUTE, hidden);
}
