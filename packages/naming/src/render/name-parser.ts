/** Reads an exact or marked name back into its values, without a list of tools. */

import { endsInFingerprint } from '../identity/fingerprint.js';
import type { NamePattern } from '../pattern/pattern.js';
import type { PatternValues } from '../pattern/pattern-scope.js';
import { readRepeatedKey } from './repeated-key.js';
import { readMark, restoreText } from './reversible-mark.js';

export interface NameParser {
  /** The values of a rendered name. `undefined` for hashed names and names of another form. */
  read(name: string): PatternValues | undefined;
  /** Whether a name reads back as these values. */
  readsAs(values: PatternValues, name: string): boolean;
  /** The same for a text without a mark, even if it ends like one. */
  splitsInto(values: PatternValues, text: string): boolean;
  /** The length of the first part, where only the length separates the parts. `undefined`: there is one part. */
  firstLength(values: PatternValues): number | undefined;
}

/** `leavesOutKeys`: a name without `__` is that of a tool which carries its server's key. */
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
 * Splits a text of two parts where the length of the first is known. The literal text is not compared:
 * a name counts only if its values render as that name.
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
