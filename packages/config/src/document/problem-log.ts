/** Collects what a file got wrong, in the order of the file; turns offsets into lines and columns. */

import { getNodePath, type JSONPath, type Node } from 'jsonc-parser';

import type { Problem, ProblemCode } from './problem.js';

/** A spot for which the document holds no node. */
interface Place {
  readonly offset: number;
  readonly path: JSONPath;
}

type Report = (code: ProblemCode, at: Node | Place, message: string, advice: string) => void;

export interface ProblemLog {
  readonly problem: Report;
  readonly warning: Report;
  /** Whether this very value already has a problem, so that another would be an echo. */
  hasProblemAt(node: Node): boolean;
  lineOf(node: Node): number;
  problems(): Problem[];
  warnings(): Problem[];
}

export function createProblemLog(file: string, text: string): ProblemLog {
  const lineStarts = [0];
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n|\r|\n/g)) {
    lineStarts.push(index + lineBreak.length);
  }
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const offsets = new Set<number>();

  return {
    problem(code, at, message, advice) {
      offsets.add(at.offset);
      problems.push(toProblem(code, at, message, advice));
    },
    warning(code, at, message, advice) {
      warnings.push(toProblem(code, at, message, advice));
    },
    hasProblemAt: ({ offset }) => offsets.has(offset),
    lineOf: ({ offset }) => positionOf(offset).line,
    problems: () => problems.toSorted(byPosition),
    warnings: () => warnings.toSorted(byPosition),
  };

  function toProblem(
    code: ProblemCode,
    at: Node | Place,
    message: string,
    advice: string,
  ): Problem {
    const path = pathText('path' in at ? at.path : getNodePath(at));
    return { code, file, ...positionOf(at.offset), path, message, advice };
  }

  function positionOf(offset: number): { line: number; column: number } {
    const line = lineStarts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - lineStarts[line]! + 1 };
  }
}

function byPosition(a: Problem, b: Problem): number {
  return a.line - b.line || a.column - b.column;
}

/** `mcpServers.github.args[1]`; a key that is no plain word stands in quotes, control characters escaped. */
function pathText(path: JSONPath): string {
  return path
    .map((segment, i) => {
      if (typeof segment === 'number') return `[${segment}]`;
      if (!/^[\w$-]+$/.test(segment)) return `[${JSON.stringify(segment)}]`;
      return i === 0 ? segment : `.${segment}`;
    })
    .join('');
}
