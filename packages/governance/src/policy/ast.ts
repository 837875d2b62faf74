/** Walks through the parts of a parsed condition. */

import type { ASTNode } from '@marcbachmann/cel-js';

/** The name of the function that a node calls. */
export function calledIn(node: ASTNode): string | undefined {
  return node.op === 'call' || node.op === 'rcall' ? node.args[0] : undefined;
}

export function childrenOf(node: ASTNode): ASTNode[] {
  return [node.args as unknown].flat(3).filter(isNode);
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value;
}
