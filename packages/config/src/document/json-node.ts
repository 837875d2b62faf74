/** Reads a parsed JSON document by key and path. The last of equal keys counts, as in JSON. */

import type { Node } from 'jsonc-parser';

import type { Path } from './problem.js';

/** A member of an object, with the nodes of its key and its value. */
export interface Member {
  readonly key: string;
  readonly keyNode: Node;
  readonly value: Node;
}

/** The members of an object in the order of the file; none for anything else. */
export function membersOf(node: Node | undefined): Member[] {
  if (node?.type !== 'object') return [];
  return node.children!.map(({ children }) => {
    const [keyNode, value] = children as [Node, Node];
    return { key: keyNode.value as string, keyNode, value };
  });
}

/** `undefined` if there is no such member, or the node is not an object. */
export function memberOf(node: Node | undefined, key: string): Member | undefined {
  return membersOf(node).findLast((member) => member.key === key);
}

/** The node at a path; `undefined` if there is none. */
export function nodeAt(root: Node, path: Path): Node | undefined {
  return path.reduce<Node | undefined>(
    (node, segment) =>
      typeof segment === 'number' ? node?.children?.[segment] : memberOf(node, segment)?.value,
    root,
  );
}
