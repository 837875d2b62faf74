/** Collects the problems and warnings of a JSON document, placed by its nodes. */

import { getNodePath, type JSONPath, type Node } from 'jsonc-parser';

import type { ConfigProblem, ConfigProblemCode } from './config-problem.js';
import {
  createProblemList,
  positionsIn,
  type Positions,
  type ProblemList,
} from './problem-list.js';

/** A place without a node in the document, such as a missing value. */
interface Place {
  readonly offset: number;
  readonly path: JSONPath;
}

type Report = (code: ConfigProblemCode, at: Node | Place, message: string, advice: string) => void;

/** Problems make a configuration invalid. Warnings do not. */
export interface ProblemLog {
  readonly problem: Report;
  readonly warning: Report;
  /**
   * Whether this value already has a problem. A second report would only repeat it. Warnings do not
   * count.
   */
  hasProblemAt(node: Node): boolean;
  lineOf(node: Node): number;
  problems(): ConfigProblem[];
  warnings(): ConfigProblem[];
}

/**
 * Lists are in the order of `text`, not in the order of the reports. `positions`: those of the text,
 * for several logs of one text.
 */
export function createProblemLog(
  file: string,
  text: string,
  positions: Positions = positionsIn(text),
): ProblemLog {
  const problems = createProblemList<ConfigProblemCode>(file, text, positions);
  const warnings = createProblemList<ConfigProblemCode>(file, text, positions);
  const offsets = new Set<number>();
  return {
    problem(code, at, message, advice) {
      offsets.add(at.offset);
      addTo(problems, code, at, message, advice);
    },
    warning: (...report) => addTo(warnings, ...report),
    hasProblemAt: ({ offset }) => offsets.has(offset),
    lineOf: ({ offset }) => problems.positionOf(offset).line,
    problems: problems.sorted,
    warnings: warnings.sorted,
  };
}

function addTo(
  list: ProblemList<ConfigProblemCode>,
  ...[code, at, message, advice]: Parameters<Report>
): void {
  list.add(code, at.offset, 'path' in at ? at.path : getNodePath(at), message, advice);
}
