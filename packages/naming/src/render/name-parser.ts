/** Reads an exact or marked name back into its values. Needs no list of tools. */

import { endsInFingerprint } from '../identity/fingerprint.js';
import type { NamePattern } from '../pattern/pattern.js';
import type { PatternValues } from '../pattern/pattern-scope.js';
import { readRepeatedKey } from './repeated-key.js';
import { readMark, restoreText } from './reversible-mark.js';

export interface NameParser {
  /** The values of a rendered name. `undefined`: the name is hashed or has another form. */
  read(name: string): PatternValues | undefined;
  /** Whether a name reads back as these values. */
  readsAs(values: PatternValues, name: string): boolean;
  /**
   * Whether a text reads back as these values before a mark is added. A text that ends like a mark is not read as one.
   */
  splitsInto(values: PatternValues, text: string): boolean;
  /**
   * The length of the first of two parts, for marks that must say it. `undefined`: there is only
   * one part.
   */
  firstLength(values: PatternValues): number | undefined;
}

/**
 * `leavesOutKeys`: a name without `__` belongs to a tool whose own name begins with its server's
 * key.
 */
export function createNameParser(pattern: NamePattern, leavesOutKeys: boolean): NameParser {
  const variables = pattern.parts.filter(({ kind }) => kind === 'variable').map(({ text }) => text);
  const [first] = variables;

  const parseText = (text: string): PatternValues | undefined => {
    if (!leavesOutKeys || text.includes('__')) return pattern.parse(text);
    const ref = readRepeatedKey(text);
    return ref && { server: ref.server, tool: ref.tool };
  };

  const read = (name: string): PatternValues | undefined => {
    if (endsInFingerprint(name)) return undefined;
    const marked = readMark(name);
    if (marked === undefined) return parseText(name);
    const { stem, mark } = marked;
    const { every, firstLength } = mark;
    if (every !== undefined) return withEvery(every, parseText(stem));
    const text = restoreText(stem, mark);
    return firstLength === undefined ? parseText(text) : splitAt(pattern, firstLength, text);
  };

  const isSame = (parsed: PatternValues | undefined, values: PatternValues): boolean =>
    parsed !== undefined && variables.every((key) => parsed[key] === values[key]);

  return {
    read,
    readsAs: (values, name) => isSame(read(name), values),
    splitsInto: (values, text) => isSame(parseText(text), values),
    firstLength: (values) =>
      variables.length === 2 && first !== undefined ? values[first]?.length : undefined,
  };
}

function withEvery(
  character: string,
  values: PatternValues | undefined,
): PatternValues | undefined {
  if (values === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, value.replaceAll('_', character)]),
  );
}

/**
 * Splits a text where the length of the first part is known. The literal text between is not
 * compared: callers accept a name only if its values render as that name.
 */
function splitAt(
  { parts }: NamePattern,
  firstLength: number,
  text: string,
): PatternValues | undefined {
  const values: Record<string, string> = {};
  let start = 0;
  for (const [i, { kind, text: part }] of parts.entries()) {
    if (kind === 'variable') {
      const isFirst = Object.keys(values).length === 0;
      const length = isFirst ? firstLength : text.length - start - literalLength(parts.slice(i));
      values[part] = text.slice(start, start + length);
      start += length;
    } else start += part.length;
  }
  return values;
}

function literalLength(parts: NamePattern['parts']): number {
  return parts.reduce((sum, { kind, text }) => sum + (kind === 'literal' ? text.length : 0), 0);
}
