/** Splits the text of a pattern into parts with their positions. Checks nothing but braces. */

/** A literal text or a variable. */
export interface PatternPart {
  readonly kind: 'literal' | 'variable';
  /** The literal text, or the variable's name. */
  readonly text: string;
  /** Where it starts in the pattern, from 0. */
  readonly position: number;
  /** Set for literal text that replaced a bound variable. `position` is that of the variable. */
  readonly bound?: true;
}

/** A brace that does not belong to a variable. */
export interface BraceFault {
  readonly kind: 'unclosed' | 'stray' | 'empty';
  readonly position: number;
}

export interface ParsedPattern {
  readonly parts: readonly PatternPart[];
  readonly faults: readonly BraceFault[];
}

const TOKEN = /\{(?<name>[^{}]*)\}|(?<text>[^{}]+)|(?<brace>[{}])/gy;

/** Bound variables become literal text. Never throws: the faults are part of the result. */
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
