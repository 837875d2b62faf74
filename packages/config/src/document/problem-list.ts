/** Collects the problems of one text and turns offsets into lines and columns. */

import { pathText, type Path, type Problem } from './problem.js';

interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** The problems of one text. */
export interface ProblemList<Code extends string> {
  add(code: Code, offset: number, path: Path, message: string, advice: string): void;
  positionOf(offset: number): Position;
  /** In the order of the file. */
  sorted(): Problem<Code>[];
}

/** Turns an offset into a line and a column. */
export type Positions = (offset: number) => Position;

/** The positions in a text. Lists of one text share them, so that its lines are counted once. */
export function positionsIn(text: string): Positions {
  // Most texts have no problem, and long ones have very many lines.
  let known: number[] | undefined;
  return (offset) => {
    const lineStarts = (known ??= lineStartsOf(text));
    let [line, after] = [0, lineStarts.length];
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if (lineStarts[middle]! <= offset) line = middle;
      else after = middle;
    }
    return { line: line + 1, column: offset - lineStarts[line]! + 1 };
  };
}

/** `text` is the whole document, since positions are counted in it. */
export function createProblemList<Code extends string>(
  file: string,
  text: string,
  positionOf: Positions = positionsIn(text),
): ProblemList<Code> {
  const problems: Problem<Code>[] = [];
  return {
    add(code, offset, path, message, advice) {
      problems.push({
        code,
        file,
        ...positionOf(offset),
        path: pathText(path),
        message,
        advice,
      });
    },
    positionOf,
    sorted: () => problems.toSorted((a, b) => a.line - b.line || a.column - b.column),
  };
}

function lineStartsOf(text: string): number[] {
  const breaks = text.matchAll(/\r\n|\r|\n/g);
  return [0, ...Array.from(breaks, ({ 0: lineBreak, index }) => index + lineBreak.length)];
}
