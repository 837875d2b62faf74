/** Reads single values of YAML 1.2 (core schema) that are written on one line. */

/** A full parser must read this value. */
export const NOT_PLAIN: unique symbol = Symbol('not plain');

/** A plain value that starts with one of these is something else, such as a list or an alias. */
const INDICATORS = '?:,[]{}#&*!|>\'"%@`';
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);
const LONGEST_WORD = 5;
/** Every text that is a number in some form. */
const NUMBER =
  /^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
/** Numbers that JavaScript writes and reads in the same way as YAML. */
const DECIMAL = /^-?(?:[1-9][0-9]*|0(?=\.)|0$)(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?$/;
const [SPACE, DASH, NINE, PLUS] = [0x20, 0x2d, 0x39, 0x2b];

/** A value without quotes. A comment after it is dropped. */
export function plainScalar(written: string): unknown {
  const text = withoutComment(written);
  if (text === '{}') return {};
  if (text === '[]') return [];
  const first = text.charCodeAt(0);
  if (text === '' || INDICATORS.includes(text[0]!) || isMisread(text, first)) return NOT_PLAIN;
  if (text.length <= LONGEST_WORD) {
    const word = WORDS.get(text);
    if (word !== undefined) return word;
  }
  // Only these can start a number.
  const mayBeNumber = first <= NINE && first >= PLUS;
  if (!mayBeNumber || !NUMBER.test(text)) return text;
  return DECIMAL.test(text) ? Number(text) : NOT_PLAIN;
}

/** Whether the text has a meaning that depends on its place, such as a second key. */
function isMisread(text: string, first: number): boolean {
  if (first === DASH && (text.length === 1 || text.charCodeAt(1) === SPACE)) return true;
  if (text.startsWith('---') || text.startsWith('...') || text === '<<') return true;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    if (at + 1 === text.length || text.charCodeAt(at + 1) === SPACE) return true;
  }
  return text.includes('\t');
}

function withoutComment(text: string): string {
  let hash = text.indexOf('#');
  while (hash > 0 && text.charCodeAt(hash - 1) !== SPACE) hash = text.indexOf('#', hash + 1);
  let end = hash <= 0 ? text.length : hash;
  // Only spaces: `trimEnd` would remove characters that belong to the text.
  while (end > 0 && text.charCodeAt(end - 1) === SPACE) end--;
  return text.slice(0, end);
}

/** The place after the closing quote, or -1 if it is not before `end`. */
export function quotedEnd(text: string, start: number, end: number): number {
  const quote = text[start]!;
  for (let at = text.indexOf(quote, start + 1); at !== -1 && at < end;) {
    if (quote === "'") {
      if (text[at + 1] !== "'" || at + 1 >= end) return at + 1;
      at = text.indexOf(quote, at + 2);
    } else {
      if (!isEscaped(text, at)) return at + 1;
      at = text.indexOf(quote, at + 1);
    }
  }
  return -1;
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0;
  while (text[quote - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** The text in quotes. `undefined` for escapes that JSON does not have. */
export function quotedText(written: string): string | undefined {
  if (written.startsWith("'")) {
    return written.includes('\t') ? undefined : written.slice(1, -1).replaceAll("''", "'");
  }
  try {
    return JSON.parse(written) as string;
  } catch {
    return undefined;
  }
}
