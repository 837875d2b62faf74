/**
 * Finds where the tables and pairs of a TOML file stand in its text. The values are not read: a
 * parser has checked the file before.
 */

/** A header such as `[a.b]`, or a pair such as `key = value`, with all of its lines. */
export interface TomlStatement {
  readonly is: 'header' | 'pair';
  /** All keys that lead to it, from the top of the file. */
  readonly path: readonly string[];
  /** Where its first line begins, and where the line after it begins. */
  readonly start: number;
  readonly end: number;
}

const KEY = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+/y;
const BLANK = /(?:[ \t\r\n]|#[^\n]*)*/y;
const DOT = /[ \t]*\.[ \t]*/y;
/** A string, a comment, or one other character. The long forms come first. */
const PIECE =
  /"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[^]/y;

/** In the order of the text. Ends early where the text is not TOML. */
export function tomlStatements(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  let at = matchEnd(BLANK, text, 0);
  while (at < text.length) {
    const start = text.lastIndexOf('\n', at - 1) + 1;
    const brackets = /^\[{0,2}/.exec(text.slice(at, at + 2))![0].length;
    const { keys, end: afterKeys } = readKeys(text, matchEnd(/[ \t]*/y, text, at + brackets));
    if (keys.length === 0) break;
    if (brackets > 0) table = keys;
    const path = brackets > 0 ? keys : [...table, ...keys];
    const end = brackets > 0 ? lineEnd(text, afterKeys) : valueEnd(text, afterKeys);
    statements.push({ is: brackets > 0 ? 'header' : 'pair', path, start, end });
    at = matchEnd(BLANK, text, end);
  }
  return statements;
}

function readKeys(text: string, from: number): { keys: string[]; end: number } {
  const keys: string[] = [];
  let end = from;
  for (let next = from; ; next = matchEnd(DOT, text, end)) {
    if (keys.length > 0 && next === end) return { keys, end };
    const after = matchEnd(KEY, text, next);
    if (after === next) return { keys, end };
    keys.push(plainKey(text.slice(next, after)));
    end = after;
  }
}

/** The key without its quotes. A key with an escape that JSON does not have stays as written. */
function plainKey(written: string): string {
  if (written.startsWith("'")) return written.slice(1, -1);
  if (!written.startsWith('"')) return written;
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

/** Where the line after a value begins. A value may have several lines. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const after = matchEnd(PIECE, text, at);
    const piece = text.slice(at, after);
    if (piece === '[' || piece === '{') depth++;
    else if (piece === ']' || piece === '}') depth--;
    else if (piece === '\n' && depth <= 0) return after;
    at = after;
  }
  return at;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}

/** Where the pattern ends, if it matches here; otherwise here. */
function matchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
