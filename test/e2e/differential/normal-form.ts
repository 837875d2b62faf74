/**
 * Removes what may differ between an answer of a server and the same answer through the gateway: the fields of
 * an era, the signer, and names in lists. Everything else is compared token by token: the order of keys,
 * numbers as written, unknown fields and content types.
 */

import { readTree, writeTree, type Tree } from '../clients/json-tree.js';

/** Members of a result that only the stateless era has. */
const ERA_FIELDS = ['resultType', 'ttlMs', 'cacheScope'];
const SIGNATURE = 'io.modelcontextprotocol/serverInfo';

/** A result without the fields of an era and of the signer. */
export function normalResult(text: string): string {
  const plain = without(readTree(text), ERA_FIELDS);
  const meta = memberOf(plain, '_meta');
  if (!meta || !memberOf(meta, SIGNATURE)) return writeTree(plain);
  const unsigned = without(meta, [SIGNATURE]);
  return writeTree(
    isEmpty(unsigned) ? without(plain, ['_meta']) : replaced(plain, '_meta', unsigned),
  );
}

/** The items of a list that come from one server, under their names at that server. */
export function normalItems(list: string, member: string, prefix: string = ''): string[] {
  const items = memberOf(readTree(list), member);
  if (items?.is !== 'array') throw new Error(`no ${member} in ${list}`);
  return items.items
    .filter((item) => nameOf(item).startsWith(prefix))
    .map((item) => writeTree(untitled(renamed(item, prefix))));
}

/** The questions of a server, without the server's own counter; empty if there are none. */
export function normalQuestion(params: string | undefined): string {
  const asked = readTree(params ?? '{}');
  const meta = memberOf(asked, '_meta');
  if (!meta || !memberOf(meta, 'progressToken')) return writeTree(asked);
  const rest = without(meta, ['progressToken']);
  return writeTree(isEmpty(rest) ? without(asked, ['_meta']) : replaced(asked, '_meta', rest));
}

/** Any JSON as its tokens, without space between them. */
export function tokens(text: string | undefined): string | undefined {
  return text === undefined ? undefined : writeTree(readTree(text));
}

function renamed(item: Tree, prefix: string): Tree {
  if (prefix === '') return item;
  const text = JSON.stringify(nameOf(item).slice(prefix.length));
  return replaced(item, 'name', { is: 'scalar', text });
}

/**
 * The gateway writes titles with the server's name, and adds `annotations` for them if there are
 * none.
 */
function untitled(item: Tree): Tree {
  if (!memberOf(item, 'inputSchema')) return item;
  const plain = without(item, ['title']);
  const annotations = memberOf(plain, 'annotations');
  if (!annotations) return plain;
  const rest = without(annotations, ['title']);
  return isEmpty(rest) ? without(plain, ['annotations']) : replaced(plain, 'annotations', rest);
}

function nameOf(item: Tree): string {
  const name = memberOf(item, 'name');
  return name?.is === 'scalar' ? (JSON.parse(name.text) as string) : '';
}

function isEmpty(tree: Tree): boolean {
  return tree.is === 'object' && tree.members.length === 0;
}

function memberOf(tree: Tree, key: string): Tree | undefined {
  return tree.is === 'object'
    ? tree.members.find(([each]) => each === JSON.stringify(key))?.[1]
    : undefined;
}

function without(tree: Tree, keys: readonly string[]): Tree {
  if (tree.is !== 'object') return tree;
  const names = keys.map((key) => JSON.stringify(key));
  return { is: 'object', members: tree.members.filter(([key]) => !names.includes(key)) };
}

function replaced(tree: Tree, key: string, value: Tree): Tree {
  if (tree.is !== 'object') return tree;
  const name = JSON.stringify(key);
  return {
    is: 'object',
    members: tree.members.map(([each, old]) => [each, each === name ? value : old]),
  };
}
