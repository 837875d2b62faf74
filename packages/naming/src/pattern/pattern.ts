/** A name pattern such as `{server}:{tool}`, compiled once: values to a name, and a name back to values. */

import { parsePattern, type PatternPart } from './pattern-parser.js';
import { patternProblems, type PatternProblem } from './pattern-problems.js';
import type { PatternOptions, PatternScope, PatternValues } from './pattern-scope.js';

export interface NamePattern {
  readonly text: string;
  readonly parts: readonly PatternPart[];
  format(values: PatternValues): string;
  /** The inverse of `format`, where the name has one reading. `undefined` for a name of another form. */
  parse(name: string): PatternValues | undefined;
}

export type CompiledPattern =
  | { readonly ok: true; readonly pattern: NamePattern }
  | { readonly ok: false; readonly problems: readonly PatternProblem[] };

/** Compiles a pattern, or returns everything that is wrong with it. */
export function compilePattern(text: string, options: PatternOptions): CompiledPattern {
  const parsed = parsePattern(text, options.bind ?? {});
  const problems = patternProblems(parsed, text, options);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, pattern: buildPattern(text, parsed.parts, options.scope) };
}

/** For patterns written in code: a mistake in one is a bug, so it throws. */
export function namePattern(text: string, options: PatternOptions): NamePattern {
  const compiled = compilePattern(text, options);
  if (compiled.ok) return compiled.pattern;
  const reasons = compiled.problems.map(({ message, advice }) => `${message} ${advice}`);
  throw new Error(`Pattern "${text}" does not compile. ${reasons.join(' ')}`);
}

function buildPattern(
  text: string,
  parts: readonly PatternPart[],
  scope: PatternScope,
): NamePattern {
  const variables = parts.filter((part) => part.kind === 'variable').map(({ text: name }) => name);
  const matcher = new RegExp(`^${parts.map((part) => partSource(part, scope)).join('')}$`, 's');
  return {
    text,
    parts,
    format(values) {
      let name = '';
      for (const part of parts) {
        name += part.kind === 'literal' ? part.text : (values[part.text] ?? '');
      }
      return name;
    },
    parse(name) {
      const match = matcher.exec(name);
      if (match === null) return undefined;
      return Object.fromEntries(variables.map((variable, i) => [variable, match[i + 1]!]));
    },
  };
}

/** Free variables match as little as possible: a name splits at the first separator, as the convention says. */
function partSource(part: PatternPart, scope: PatternScope): string {
  if (part.kind === 'literal') return escapeRegExp(part.text);
  const { oneOf } = scope.variables[part.text]!;
  return oneOf ? `(${oneOf.map(escapeRegExp).join('|')})` : '(.+?)';
}

function escapeRegExp(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&');
}
