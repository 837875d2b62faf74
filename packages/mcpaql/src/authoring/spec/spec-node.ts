/**
 * One place in an untrusted document. Only own members are read, so that no prototype is reached.
 */

import { memberOf, visibleText } from '@callsign/core';

export interface SpecNode {
  readonly value: unknown;
  /** The address of its document. Empty for the imported document. */
  readonly document: string;
  /** A JSON Pointer from the root of its document: `/paths/~1ships`. */
  readonly path: string;
}

export function childOf(node: SpecNode, key: string | number): SpecNode {
  const { value, document, path } = node;
  const segment = String(key).replaceAll('~', '~0').replaceAll('/', '~1');
  return { value: memberOf(value, key), document, path: `${path}/${segment}` };
}

/** For people: `#/paths/~1ships`. */
export function pointerOf({ document, path }: SpecNode): string {
  return `${document}#${path}`;
}

/** The name of a schema that is defined by name: `Ship` of `#/components/schemas/Ship`. */
export function schemaName({ path }: SpecNode): string | undefined {
  const [, segment] = /^\/(?:components\/schemas|definitions|\$defs)\/([^/]+)$/.exec(path) ?? [];
  return segment?.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The text of a member, if it is a text and not empty. */
export function textOf(node: SpecNode, key: string): string | undefined {
  const value = memberOf(node.value, key);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The texts of a list. Empty if it is not a list. */
export function wordsAt(node: SpecNode, key: string): string[] {
  const value = memberOf(node.value, key);
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
}

/** One line for people, at most `limit` long: the first paragraph, without invisible characters. */
export function lineOf(text: string | undefined, limit: number): string | undefined {
  const [paragraph = ''] = withoutMarkup((text ?? '').trim().slice(0, 8 * limit))
    .trim()
    .split(/\r?\n[ \t]*\r?\n/, 1);
  // Invisible characters are escaped: the text goes to files, terminals and models.
  const line = visibleText(paragraph.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim(), 2 * limit);
  if (line === '') return undefined;
  return line.length <= limit ? line : `${line.slice(0, limit - 1).trimEnd()}…`;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&nbsp;', ' '],
  ['&amp;', '&'],
]);

/** Converts HTML to text. The end of an element ends a paragraph. */
function withoutMarkup(text: string): string {
  if (!/[<&]/.test(text)) return text;
  return text
    .replace(/<\/(?:p|div|h[1-6]|ul|ol|table)>|<br\s*\/?>\s*<br\s*\/?>/gi, '\n\n')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (entity) => ENTITIES.get(entity)!);
}
