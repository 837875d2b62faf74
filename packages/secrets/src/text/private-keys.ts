/**
 * Redacts private keys (PEM) in text, from the first line to the last, if nothing but a key is
 * between them.
 */

import { REDACTED } from './redacted.js';

const BEGIN = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
/** Headers of encrypted keys. */
const HEADER = /^(?:Proc-Type|DEK-Info): [\w,-]{1,80}$/gm;
/**
 * Line breaks: real ones, `
 * ` written as text, or spaces.
 */
const LINES = /(?:\s|\\[nr])+/;
/** The shortest line of a real key, except for its last. */
const MIN_LINE = 16;
/** Longer texts are not keys. This also limits the work for many beginnings with one end. */
const MAX_KEY = 20_000;

export function redactPrivateKeys(text: string): string {
  const parts: string[] = [];
  let done = 0;
  let end: RegExpExecArray | null = null;
  for (const begin of text.matchAll(BEGIN)) {
    if (begin.index < done) continue;
    const from = begin.index + begin[0].length;
    // Search again only if the last end is before this key, so that many beginnings take linear
    // time.
    if (!end || end.index < from) {
      END.lastIndex = from;
      end = END.exec(text);
      if (!end) break;
    }
    if (!isKey(text.slice(from, end.index))) continue;
    parts.push(text.slice(done, begin.index), REDACTED);
    done = end.index + end[0].length;
  }
  return done === 0 ? text : parts.join('') + text.slice(done);
}

function isKey(body: string): boolean {
  if (body.length > MAX_KEY) return false;
  const lines = body
    .replaceAll(HEADER, '')
    .split(LINES)
    .filter((line) => line !== '');
  return lines.every(
    (line, i) =>
      /^[A-Za-z0-9+/=]+$/.test(line) && (line.length >= MIN_LINE || i === lines.length - 1),
  );
}
