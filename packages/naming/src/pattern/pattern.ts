/**
 * A name pattern such as `{server}:{tool}`, compiled once. It formats values as a name and parses a
 * name into values.
 */

import { parsePattern, type PatternPart } from './pattern-parser.js';
import { patternProblems, type PatternProblem } from './pattern-problems.js';
import type { PatternOptions, PatternScope, PatternValues } from './pattern-scope.js';

/** A pattern without problems. */
export interface NamePattern {
  readonly text: string;
  readonly parts: readonly PatternPart[];
  format(values: PatternValues): string;
  /**
   * The inverse of `format`, if the name can be read in only one way. `undefined`: the name has
   * another form.
   */
  parse(name: string): PatternValues | undefined;
}

/** The result of `compilePattern`. */
export type CompiledPattern =
  | { readonly ok: true; readonly pattern: NamePattern }
  | { readonly ok: false; readonly problems: readonly PatternProblem[] };

/** Compiles a pattern that a user wrote. Returns all its problems instead of throwing. */
export function compilePattern(text: string, options: PatternOptions): CompiledPattern {
  const parsed = parsePattern(text, options.bind ?? {});
  const problems = patternProblems(parsed, text, options);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, pattern: buildPattern(text, parsed.parts, options.scope) };
}

/** Compiles a pattern that is written in code. Throws, since a mistake there is a bug. */
export function namePattern(text: string, options: PatternOptions): NamePattern {
  const compiled = compilePattern(text, options);
  if (compiled.ok) return compiled.pattern;
  const reasons = compiled.problems.map(({ message, advice }) => `${message} ${advice}`);
  throw new Error(`Pattern "${text}" is not valid. ${reasons.join(' ')}`);
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

/**
 * Free variables match as little as possible, so a name splits at the first separator, as the
 * convention requires.
 */
function partSource(part: PatternPart, scope: PatternScope): string {
  if (part.kind === 'literal') return escapeRegExp(part.text);
  const { oneOf } = scope.variables[part.text]!;
  return oneOf ? `(${oneOf.map(escapeRegExp).join('|')})` : '(.+?)';
}

function escapeRegExp(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&');
}
