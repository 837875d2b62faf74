/** What is wrong with an adapter's file, where, and what to do about it. */

export type ProblemCode =
  // The file itself.
  | 'file-not-found'
  | 'file-unreadable'
  | 'file-not-utf8'
  | 'file-too-large'
  | 'front-matter'
  // Its text.
  | 'syntax'
  | 'too-deep'
  | 'duplicate-key'
  | 'reserved-key'
  // The shape of what it says.
  | 'unknown-key'
  | 'missing-key'
  | 'wrong-type'
  | 'wrong-value'
  // What it means.
  | 'tool-names'
  | 'no-operations'
  | 'duplicate-operation'
  | 'reserved-operation'
  | 'wrong-mapping'
  | 'undeclared-param'
  | 'wrong-default'
  | 'wrong-pattern'
  | 'wrong-endpoint'
  | 'contradiction'
  | 'insecure-address';

export interface Problem {
  readonly code: ProblemCode;
  readonly file: string;
  /** From 1; 0 where the file itself is meant. */
  readonly line: number;
  /** From 1; 0 where the file itself is meant. */
  readonly column: number;
  /** Such as `operations.read[0].maps_to`; empty for the whole document. */
  readonly path: string;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly advice: string;
}

/** Keys into the document, from its root. */
export type Path = readonly (string | number)[];

/** `operations.read[0].maps_to`; a key that is no plain word stands in quotes. */
export function pathText(path: Path): string {
  return path
    .map((segment, i) => {
      if (typeof segment === 'number') return `[${segment}]`;
      if (!/^[\w$-]+$/.test(segment)) return `[${JSON.stringify(segment)}]`;
      return i === 0 ? segment : `.${segment}`;
    })
    .join('');
}
