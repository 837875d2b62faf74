/** Checks a part of a JSON document against a schema. */

import { getNodePath, getNodeValue, type Node } from 'jsonc-parser';
import type * as z from 'zod';

import { memberOf, nodeAt } from './json-node.js';
import type { Path } from './problem.js';
import type { ProblemLog } from './problem-log.js';
import { checkSchema, type CheckedDocument, type Notation } from './schema-problems.js';

const JSON_NOTATION: Notation = {
  key: 'setting',
  string: 'a string',
  word: (word) => JSON.stringify(word),
  member: (key, example) => `${JSON.stringify(key)}: ${example}`,
};

/**
 * `value` is the node's value with variables replaced. Returns the parsed value, or `undefined` if
 * it does not fit; then the problems are in the log.
 */
export function checkValue<T>(
  schema: z.ZodType<T>,
  value: unknown,
  node: Node,
  log: ProblemLog,
): T | undefined {
  return checkSchema(schema, value, checkedNode(node, log), JSON_NOTATION);
}

function checkedNode(root: Node, log: ProblemLog): CheckedDocument {
  const find = (path: Path): Node | undefined => nodeAt(root, path);
  return {
    valueAt(path) {
      const node = find(path);
      return node && (getNodeValue(node) as unknown);
    },
    hasProblemAt(path) {
      const node = find(path);
      return node !== undefined && log.hasProblemAt(node);
    },
    report(code, path, message, advice) {
      log.problem(code, find(path) ?? missingPlace(root, path), message, advice);
    },
    reportKey(code, path, message, advice) {
      const { keyNode } = memberOf(find(path.slice(0, -1)), String(path.at(-1)))!;
      log.problem(code, keyNode, message, advice);
    },
  };
}

/** A missing value has no place of its own, so it is reported where its object starts. */
function missingPlace(root: Node, path: Path): { offset: number; path: (string | number)[] } {
  const { offset } = nodeAt(root, path.slice(0, -1))!;
  return { offset, path: [...getNodePath(root), ...path] };
}
