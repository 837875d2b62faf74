/** Formats problems for people. Does not quote the line: a line of a configuration may hold a secret. */

import type { Problem } from './problem.js';

/** Two lines each: where and what, then what to do. */
export function formatProblems(problems: readonly Problem[]): string {
  return problems.map(formatProblem).join('\n');
}

function formatProblem({ file, line, column, path, message, advice }: Problem): string {
  const place = line === 0 ? file : `${file}:${line}:${column}`;
  const what = [place, path, message].filter((part) => part !== '').join('  ');
  return `${printable(what)}\n    → ${printable(advice)}`;
}

/** Keys in the file may hold control characters. A terminal would act on them. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
