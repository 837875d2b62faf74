/** Reads a pattern's text into parts with their positions. Checks braces and nothing else. */

export interface PatternPart {
  readonly kind: 'literal' | 'variable';
  /** The literal text, or the variable's name. */
  readonly text: string;
  /** Where it starts in the pattern, from 0. */
  readonly position: number;
  /** Literal text that comes from a bound variable. Its position is that of the variable. */
  readonly bound?: true;
}

export interface BraceFault {
  readonly kind: 'unclosed' | 'stray' | 'empty';
  readonly position: number;
}

export interface ParsedPattern {
  readonly parts: readonly PatternPart[];
  readonly faults: readonly BraceFault[];
}

const TOKEN = /\{(?<name>[^{}]*)\}|(?<text>[^{}]+)|(?<brace>[{}])/gy;

/** Replaces bound variables with literal text. */
export function parsePattern(
  pattern: string,
  bound: Readonly<Record<string, string>>,
): ParsedPattern {
  const parts: PatternPart[] = [];
  const faults: BraceFault[] = [];
  for (const { index, groups = {} } of pattern.matchAll(TOKEN)) {
    const name = groups['name']?.trim();
    if (groups['text'] !== undefined) {
      parts.push({ kind: 'literal', text: groups['text'], position: index });
    } else if (groups['brace'] !== undefined) {
      faults.push({ kind: groups['brace'] === '{' ? 'unclosed' : 'stray', position: index });
    } else if (name === undefined || name === '') faults.push({ kind: 'empty', position: index });
    else if (bound[name] !== undefined && Object.hasOwn(bound, name)) {
      const text = bound[name];
      if (text !== '') parts.push({ kind: 'literal', text, position: index, bound: true });
    } else parts.push({ kind: 'variable', text: name, position: index });
  }
  return { parts, faults };
}
