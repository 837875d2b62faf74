/** Finds all problems of a pattern in one pass. Each has its position and a fix. */

import { hasInvisible } from '../words/confusables.js';
import type { BraceFault, ParsedPattern } from './pattern-parser.js';
import type { PatternOptions } from './pattern-scope.js';

/** Programs read these codes: keep them stable. */
export type PatternProblemCode =
  | 'empty'
  | 'brace'
  | 'unknown-variable'
  | 'repeated-variable'
  | 'missing-variable'
  | 'indistinct'
  | 'illegal-character'
  | 'missing-text';

/** A problem that people can fix: what is wrong, where, and what to do. */
export interface PatternProblem {
  readonly code: PatternProblemCode;
  /** Where in the pattern, from 0. */
  readonly position: number;
  readonly message: string;
  readonly advice: string;
}

const BRACE_FAULTS: Record<BraceFault['kind'], readonly [message: string, advice: string]> = {
  unclosed: ['An opening brace is never closed.', 'Close it: {tool}.'],
  stray: ['A closing brace has no opening one.', 'Remove it; braces only name variables.'],
  empty: ['A pair of braces is empty.', 'Name a variable in it, or remove it.'],
};

export function patternProblems(
  parsed: ParsedPattern,
  text: string,
  options: PatternOptions,
): PatternProblem[] {
  if (text === '') {
    const example = Object.keys(options.scope.variables)
      .map((name) => `{${name}}`)
      .join('_');
    return [problem('empty', 0, 'The pattern is empty.', `Write one such as ${example}.`)];
  }
  return [
    ...braceProblems(parsed),
    ...variableProblems(parsed, text, options),
    ...literalProblems(parsed, text, options),
  ].toSorted((a, b) => a.position - b.position);
}

function braceProblems({ faults }: ParsedPattern): PatternProblem[] {
  return faults.map(({ kind, position }) => problem('brace', position, ...BRACE_FAULTS[kind]));
}

function* variableProblems(
  { parts }: ParsedPattern,
  text: string,
  { scope }: PatternOptions,
): Generator<PatternProblem> {
  const known = Object.keys(scope.variables);
  const seen = new Set<string>();
  for (const [i, part] of parts.entries()) {
    if (part.kind === 'literal') continue;
    const variable = `{${part.text}}`;
    if (!known.includes(part.text)) {
      const choice = known.map((name) => `{${name}}`).join(', ');
      yield problem('unknown-variable', part.position, `${variable} is unknown.`, `Use ${choice}.`);
      continue;
    }
    if (seen.has(part.text)) {
      const message = `${variable} occurs twice.`;
      yield problem('repeated-variable', part.position, message, 'Keep one of the two.');
    }
    seen.add(part.text);
    const next = parts[i + 1];
    const isFree = (name: string): boolean => scope.variables[name]?.oneOf === undefined;
    if (next?.kind === 'variable' && isFree(part.text) && isFree(next.text)) {
      yield problem(
        'indistinct',
        next.position,
        `Nothing separates ${variable} from {${next.text}}, so a name could be split in many ways.`,
        `Put a separator between them: ${variable}__{${next.text}}.`,
      );
    }
  }
  for (const name of known) {
    // A bound variable has one value for all tools and cannot tell them apart: it counts as
    // missing.
    if (!scope.variables[name]!.required || seen.has(name)) continue;
    const message = `{${name}} is missing, so different tools would share a name.`;
    yield problem('missing-variable', text.length, message, `Add {${name}}.`);
  }
}

function* literalProblems(
  { parts }: ParsedPattern,
  text: string,
  { scope, characters }: PatternOptions,
): Generator<PatternProblem> {
  const { mustContain } = scope;
  const literals = parts.filter(({ kind }) => kind === 'literal');
  if (mustContain && !literals.some((part) => part.text.includes(mustContain.text))) {
    const message = `The pattern does not contain "${mustContain.text}": ${mustContain.why}.`;
    yield problem('missing-text', text.length, message, `Add "${mustContain.text}".`);
  }
  for (const part of literals) {
    let offset = 0;
    for (const character of part.text) {
      const isLegal = characters?.includes(character) ?? !hasInvisible(character);
      if (!isLegal) {
        const message = `${JSON.stringify(character)} is not allowed in names here.`;
        const advice = 'Use letters, digits or underscores; "__" is the usual separator.';
        yield problem('illegal-character', part.position + offset, message, advice);
      }
      if (!part.bound) offset += character.length;
    }
  }
}

function problem(
  code: PatternProblemCode,
  position: number,
  message: string,
  advice: string,
): PatternProblem {
  return { code, position, message, advice };
}
