/** Changes only the parts of a YAML text that differ. Comments and formatting stay. */

import { isDeepStrictEqual } from 'node:util';

import { escapeHidden, isObject } from '@callsign/core';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  visit,
} from 'yaml';

const FORMAT = { lineWidth: 0 } as const;

/**
 * Returns the patched text; `undefined` if that is not possible and the whole text must be written
 * again.
 */
export function patchYaml(text: string, value: unknown): string | undefined {
  try {
    const document = parseDocument(text, { version: '1.2' });
    if (document.errors.length > 0 || hasAliases(document)) return undefined;
    document.contents = patched(document, document.contents as Node | null, value) as never;
    const written = yamlText(document);
    return isDeepStrictEqual(parseDocument(written).toJS(), plain(value)) ? written : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The text without hidden characters: a server chooses names and values, and people review the file.
 * Only between double quotes does YAML have escapes for them.
 */
export function yamlText(document: Document): string {
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== 'string') return;
      if (escapeHidden(node.value, () => '') !== node.value) node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeHidden(document.toString(FORMAT), yamlEscape);
}

function yamlEscape(character: string): string {
  const hex = character.codePointAt(0)!.toString(16).toUpperCase();
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

/** A text with aliases cannot be patched: a change in one place would change others. */
function hasAliases(document: Document): boolean {
  let found = false;
  visit(document, { Alias: () => ((found = true), visit.BREAK) });
  return found;
}

function patched(document: Document, node: Node | null, value: unknown): Node {
  if (isMap(node) && isObject(value)) {
    node.items = node.items.filter(({ key }) => Object.hasOwn(value, keyOf(key)));
    const known = new Map(node.items.map((pair) => [keyOf(pair.key), pair]));
    for (const [key, member] of Object.entries(value)) {
      const pair = known.get(key);
      if (pair) pair.value = patched(document, pair.value as Node | null, member);
      else node.items.push(document.createPair(key, member));
    }
    return node;
  }
  if (isSeq(node) && Array.isArray(value) && value.every((each) => nameOf(each) !== undefined)) {
    const byName = new Map(
      node.items.map((item) => [nameOf(jsOf(document, item as Node)), item as Node]),
    );
    node.items = value.map((each) => patched(document, byName.get(nameOf(each)) ?? null, each));
    return node;
  }
  const isSame =
    node !== null && !isAlias(node) && isDeepStrictEqual(jsOf(document, node), plain(value));
  return isSame ? node : document.createNode(value, { aliasDuplicateObjects: false });
}

function keyOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function nameOf(value: unknown): unknown {
  return isObject(value) ? value['name'] : undefined;
}

function jsOf(document: Document, node: Node): unknown {
  return node.toJS(document) as unknown;
}

/** Without values that YAML cannot express. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
