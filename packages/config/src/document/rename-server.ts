/** Renames a server in the text of a configuration, and everything that refers to it. */

import type { Node } from 'jsonc-parser';

import { readTree, withoutValue, withPieces, withValue } from './json-edit.js';

/**
 * Callers make sure that a server `oldKey` exists and `newKey` does not. Records the old key under
 * `renamed`, so that old names stay callable.
 */
export function renameServer(text: string, oldKey: string, newKey: string): string {
  const root = readTree(text);
  if (!root) return text;
  const settings = member(root, 'callsign');
  const names = [
    ...['mcpServers', 'servers', 'context_servers'].flatMap((section) =>
      keysOf(member(root, section)).filter(({ value }) => value === oldKey),
    ),
    ...keysOf(member(settings, 'servers')).filter(({ value }) => value === oldKey),
    // The lists of Gemini CLI.
    ...['allowed', 'excluded'].flatMap((list) =>
      (member(member(root, 'mcp'), list)?.children ?? []).filter(({ value }) => value === oldKey),
    ),
    // Older keys of the same server.
    ...valuesOf(member(settings, 'renamed')).filter(({ value }) => value === oldKey),
  ];
  const globs = [
    ...keysOf(member(settings, 'annotations')),
    ...[member(settings, 'tools'), ...valuesOf(member(settings, 'roles'))].flatMap(filtersOf),
    ...(member(member(settings, 'policy'), 'rules')?.children ?? []).flatMap(
      (rule) => member(rule, 'match') ?? [],
    ),
    ...valuesOf(member(settings, 'aliases')),
    ...(member(member(settings, 'metrics'), 'tools')?.children ?? []),
  ].filter(({ value }) => typeof value === 'string' && value.startsWith(`${oldKey}:`));
  const renamed = withPieces(text, [
    ...names.map((node) => piece(node, newKey)),
    ...globs.map((node) => piece(node, newKey + String(node.value).slice(oldKey.length))),
  ]);
  // A key that is in use again is no longer an old key.
  const isBack = keysOf(member(settings, 'renamed')).some(({ value }) => value === newKey);
  const current = isBack ? withoutValue(renamed, ['callsign', 'renamed', newKey]) : renamed;
  return withValue(current, ['callsign', 'renamed', oldKey], newKey);
}

/** The entries of an allow list and a deny list. */
function filtersOf(node: Node | undefined): Node[] {
  return ['allow', 'deny'].flatMap((key) => member(node, key)?.children ?? []);
}

function piece({ offset, length }: Node, text: string) {
  return { offset, length, text: JSON.stringify(text) };
}

function member(node: Node | undefined, key: string): Node | undefined {
  if (node?.type !== 'object') return undefined;
  return node.children?.findLast(({ children }) => children?.[0]?.value === key)?.children?.[1];
}

function keysOf(node: Node | undefined): Node[] {
  return node?.type === 'object'
    ? node.children!.flatMap(({ children }) => children?.[0] ?? [])
    : [];
}

function valuesOf(node: Node | undefined): Node[] {
  return node?.type === 'object'
    ? node.children!.flatMap(({ children }) => children?.[1] ?? [])
    : [];
}
