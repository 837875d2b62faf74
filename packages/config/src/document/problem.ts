/**
 * A problem in a file: what is wrong, where, and what to do. Warnings have the same shape. The one
 * problem model of the product.
 */

/** `Code`: the codes that a kind of file can have. */
export interface Problem<Code extends string = string> {
  readonly code: Code;
  readonly file: string;
  /** From 1; 0 if the problem is the file itself. */
  readonly line: number;
  /** From 1; 0 if the problem is the file itself. */
  readonly column: number;
  /** Such as `mcpServers.github.env.TOKEN`; empty for the whole document. */
  readonly path: string;
  /** What is wrong. Contains no value of a server entry: any value may be a secret. */
  readonly message: string;
  /** What to do. */
  readonly advice: string;
}

/** The codes that every kind of file can have. */
export type DocumentProblemCode =
  // The file itself.
  | 'file-not-found'
  | 'file-unreadable'
  | 'file-not-utf8'
  // Its text.
  | 'syntax'
  | 'too-deep'
  | 'duplicate-key'
  | 'reserved-key'
  // Its shape.
  | 'unknown-key'
  | 'missing-key'
  | 'wrong-type'
  | 'wrong-value'
  // Its meaning.
  | 'contradiction';

/** Keys into a document, from its root. */
export type Path = readonly (string | number)[];

/**
 * Writes a path as `mcpServers.github.args[1]`. Keys that are not plain words are quoted and
 * escaped.
 */
export function pathText(path: Path): string {
  return path
    .map((segment, i) => {
      if (typeof segment === 'number') return `[${segment}]`;
      if (!/^[\w$-]+$/.test(segment)) return `[${JSON.stringify(segment)}]`;
      return i === 0 ? segment : `.${segment}`;
    })
    .join('');
}

/** A problem of the file itself, which has no line. */
export function fileProblem<Code extends string>(
  code: Code,
  file: string,
  message: string,
  advice: string,
): Problem<Code> {
  return { code, file, line: 0, column: 0, path: '', message, advice };
}

/**
 * For people. Two lines per problem: place and message, then the advice. Does not quote the line,
 * since it may hold a secret.
 */
export function formatProblems(problems: readonly Problem[]): string {
  return problems.map(formatProblem).join('\n');
}

function formatProblem({ file, line, column, path, message, advice }: Problem): string {
  const place = line === 0 ? file : `${file}:${line}:${column}`;
  const what = [place, path, message].filter((part) => part !== '').join('  ');
  return `${printable(what)}\n    → ${printable(advice)}`;
}

/** Escapes control characters, which keys in the file may hold and a terminal would act on. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
