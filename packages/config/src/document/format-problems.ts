/** Formats problems for people. Does not quote the line, since it may hold a secret. */

import type { Problem } from './problem.js';

/** Two lines per problem: place and message, then the advice. */
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
