/**
 * Redacts values after a secret's name in text: `password: x`, `"token": "x"`, `--api-key x`,
 * headers.
 */

import { REDACTED } from './redacted.js';
import { valueEnd } from './text-value.js';

/**
 * A name and its separator. A name must start where a word starts, so that long words take linear
 * time.
 */
const PAIR =
  /(?<![\w$.-])([\w$.-]{1,200})(\\{0,3}["']?)(\s{0,4}[:=]\s{0,4})("""|'''|\\{0,3}["'])?/g;
const FLAG = /(?<![\w-])(--?[A-Za-z][\w-]{0,63})(\s{1,4})(["'])?(?=[^\s-])/g;
/** Headers whose whole line is secret, up to a character at which a shell command ends. */
const HEADER =
  /\b((?:proxy-)?authorization|x-[a-z-]{0,30}(?:key|token))(\s{0,4}:\s{0,4})(?!\[redacted\])[^\s"'\\|;&<>`][^\r\n"'\\|;&<>`]*/gi;
const COOKIE =
  /\b((?:set-)?cookie)(\s{0,4}:\s{0,4})(?!\[redacted\])[^\s"'\\|&<>`][^\r\n"'\\|&<>`]*/gi;

/** Words that follow such a name in sentences: `token: the variable is not set`. */
const PROSE: ReadonlySet<string> = new Set(
  (
    'a an the is are was were has have had not no must may can cannot should will would of for in on to from with ' +
    'and or if as at by it its this that your our my set unset missing required optional invalid valid expired wrong ' +
    'incorrect unknown empty denied refused failed found null none true false undefined string number boolean ***'
  ).split(' '),
);

export function redactNamedValues(text: string, isSecret: (name: string) => boolean): string {
  const lines = text.replaceAll(HEADER, `$1$2${REDACTED}`).replaceAll(COOKIE, `$1$2${REDACTED}`);
  const pairs = replaceValues(lines, PAIR, (match) => {
    const [, name = '', nameQuote = '', separator = '', quote = ''] = match;
    const last = name.slice(name.lastIndexOf('.') + 1);
    const isQuery = separator === '=' && /signature$/i.test(last);
    if (!isSecret(last) && !isQuery) return undefined;
    // A JSON member whose value has no quotes: the result must stay JSON.
    const isMember = quote === '' && /["']$/.test(nameQuote) && separator.includes(':');
    return { quote, around: isMember ? nameQuote : '' };
  });
  return replaceValues(pairs, FLAG, ([, flag = '', , quote = '']) =>
    isSecret(flag) ? { quote, around: '' } : undefined,
  );
}

/** How a value is quoted. */
interface Found {
  /** The quote that opened the value, or nothing. */
  readonly quote: string;
  /** The quote to put around the replacement. */
  readonly around: string;
}

function replaceValues(
  text: string,
  heads: RegExp,
  find: (match: RegExpExecArray) => Found | undefined,
): string {
  const parts: string[] = [];
  let done = 0;
  for (const match of text.matchAll(heads)) {
    const start = match.index + match[0].length;
    if (match.index < done) continue;
    const found = find(match);
    if (!found) continue;
    const end = valueEnd(text, start, found.quote);
    const value = text.slice(start, end);
    if (!isHidden(value, found.quote)) continue;
    parts.push(text.slice(done, start), found.around, REDACTED, found.around);
    done = end;
  }
  return done === 0 ? text : parts.join('') + text.slice(done);
}

/**
 * Whether a value is replaced. Not replaced: empty values, words of a sentence, references to
 * variables, nested JSON, and values that are already redacted.
 */
function isHidden(value: string, quote: string): boolean {
  if (value === '' || value.startsWith(REDACTED.slice(0, -1))) return false;
  if (/^\$(?:\{|\(|[A-Z_])/.test(value)) return false;
  if (quote !== '') return true;
  return !/^[{[]/.test(value) && !PROSE.has(value.toLowerCase().replace(/(?<![.:])[.:]+$/, ''));
}
