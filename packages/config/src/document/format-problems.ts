/** Problems as people read them. The line itself is not quoted: a line of a configuration may hold a secret. */

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

/** A file from a stranger may hold control characters in its keys; a terminal would obey them. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
