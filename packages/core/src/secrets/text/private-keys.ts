/**
 * Redacts private keys (PEM) in text, from the first line to the last, if nothing but a key is
 * between them. Of a key that is cut off, only the full lines are redacted: the rest may be a command.
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

/** The first line of a key and full lines of it. A path or a command is hardly ever this long. */
const CUT =
  /(-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)((?:(?:\s|\\[nr]){1,4}[A-Za-z0-9+/=]{60,80}(?![\w+/=]))+)/g;
const BEGINS = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/;
const QUOTED_LINE = /"(?:[A-Za-z0-9+/=]|\\\/){60,80}(?:\\[nr]){0,2}"/y;
const FULL_LINE = /^[A-Za-z0-9+/=]{60,80}\s{0,2}$/;

export function redactPrivateKeys(text: string): string {
  if (!BEGINS.test(text)) return text;
  return redactWhole(text).replaceAll(CUT, `$1 ${REDACTED}`);
}

/** Whether a text begins a private key. In a list of lines, the lines of the key follow. */
export function beginsKey(text: string): boolean {
  return BEGINS.test(text);
}

/** Whether a text is a full line of a key. A shorter one may be a command. */
export function isKeyLine(text: string): boolean {
  return FULL_LINE.test(text);
}

/** Whether the string that starts here in JSON text is a full line of a key. */
export function isKeyLineAt(json: string, start: number): boolean {
  QUOTED_LINE.lastIndex = start;
  return QUOTED_LINE.test(json);
}

function redactWhole(text: string): string {
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
