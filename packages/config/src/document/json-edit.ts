/** Edits a JSON file with comments. All other text stays exactly the same. */

import { createScanner, parseTree, type Node, type ParseError } from 'jsonc-parser';

import { firstTooDeep } from './json-document.js';

const TOLERANT = { allowTrailingComma: true };
/** Files of other programs may be deeper than a configuration. */
const MAX_DEPTH = 1000;

/** The value of the text; `undefined` if it is not JSON, or nested too deeply. */
export function readJson(text: string): unknown {
  // The parser recurses.
  if (firstTooDeep(text, MAX_DEPTH) !== undefined) return undefined;
  const root = readTree(text);
  return root && valueOf(root);
}

/**
 * Not with the parser's own function: that assigns members, and so a member `__proto__` would become
 * the prototype of its object.
 */
function valueOf({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(valueOf);
  if (type !== 'object') return value as unknown;
  const members = children.map(({ children: [key, member] = [] }) => {
    return [key!.value as string, valueOf(member!)] as const;
  });
  return Object.fromEntries(members);
}

/** The tree of the text; `undefined` if it is not JSON. */
export function readTree(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, TOLERANT);
  return errors.length > 0 ? undefined : root;
}

/** A replacement of a part of a text. */
export interface Piece {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Replaces pieces of the text. They must not overlap. */
export function withPieces(text: string, pieces: readonly Piece[]): string {
  const fromTheEnd = pieces.toSorted((a, b) => b.offset - a.offset);
  return fromTheEnd.reduce(
    (now, { offset, length, text: piece }) =>
      now.slice(0, offset) + piece + now.slice(offset + length),
    text,
  );
}

/**
 * Sets a value: replaces it in place, or adds it at the end of its object. Creates missing parents.
 */
export function withValue(text: string, path: readonly string[], value: unknown): string {
  const layout = layoutOf(text);
  const root = text.trim() === '' ? undefined : readTree(text);
  if (!root) return jsonAt(nested(path, value), '', layout) + layout.eol;
  let node = root;
  for (const [depth, key] of path.entries()) {
    const property = propertyOf(node, key);
    const next = property?.children?.[1];
    if (!next || (next.type !== 'object' && depth < path.length - 1)) {
      const rest = nested(path.slice(depth + 1), value);
      if (next) return replaced(text, next, rest, layout);
      return withMember(text, node, key, rest, layout);
    }
    node = next;
  }
  return replaced(text, node, value, layout);
}

/** Adds an element at the end of an array. The array is created if there is none. */
export function withElement(text: string, path: readonly string[], value: unknown): string {
  const array = nodeOf(text, path);
  if (array?.type !== 'array') return withValue(text, path, [value]);
  const layout = layoutOf(text);
  const json = jsonAt(value, indentAt(text, array.offset) + layout.indent, layout);
  return withChild(text, array, json, layout);
}

/**
 * Removes a value with its comma, its line and the comment on that line. Returns the same text if
 * there is no such value.
 */
export function withoutValue(text: string, path: readonly string[]): string {
  const object = nodeOf(text, path.slice(0, -1));
  const property = object && propertyOf(object, path.at(-1)!);
  return object && property ? withoutChild(text, object, property) : text;
}

/** Removes an element of an array in the same way. */
export function withoutElement(text: string, path: readonly string[], index: number): string {
  const array = nodeOf(text, path);
  const element = array?.type === 'array' ? array.children?.[index] : undefined;
  return array && element ? withoutChild(text, array, element) : text;
}

function nodeOf(text: string, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((node, each) => {
    return node && propertyOf(node, each)?.children?.[1];
  }, readTree(text));
}

function withoutChild(text: string, parent: Node, child: Node): string {
  const siblings = parent.children!;
  const before = siblings[siblings.indexOf(child) - 1];
  const comma = commaBehind(text, endOf(child));
  const own = { offset: child.offset, end: comma === -1 ? endOf(child) : comma + 1 };
  if (comma !== -1 || !before) return withPieces(text, [lineOf(text, own.offset, own.end)]);
  // The new last member has no comma after it.
  const lastComma = commaBehind(text, endOf(before));
  if (/^,[ \t]*$/.test(text.slice(lastComma, child.offset))) {
    return withPieces(text, [{ offset: lastComma, length: own.end - lastComma, text: '' }]);
  }
  return withPieces(text, [
    lineOf(text, own.offset, own.end),
    { offset: lastComma, length: 1, text: '' },
  ]);
}

/** The file's own indentation and line ends. */
interface Layout {
  readonly indent: string;
  readonly eol: string;
}

function layoutOf(text: string): Layout {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(text) ?? [];
  return { indent: indent.startsWith('\t') ? '\t' : indent, eol: endOfLine(text) };
}

function withMember(
  text: string,
  object: Node,
  key: string,
  value: unknown,
  layout: Layout,
): string {
  const inner = indentAt(text, object.offset) + layout.indent;
  return withChild(text, object, `${JSON.stringify(key)}: ${jsonAt(value, inner, layout)}`, layout);
}

/** Adds a member or an element at the end. An object or array on one line stays on one line, if the child fits on it. */
function withChild(text: string, parent: Node, child: string, { indent, eol }: Layout): string {
  const outer = indentAt(text, parent.offset);
  const inner = outer + indent;
  const last = parent.children?.at(-1);
  if (!last) {
    const close = endOf(parent) - 1;
    const before = text.slice(parent.offset + 1, close).trimEnd();
    const piece = `${before}${eol}${inner}${child}${eol}${outer}`;
    const offset = parent.offset + 1;
    return withPieces(text, [{ offset, length: close - offset, text: piece }]);
  }
  const rest = text.slice(endOf(last), endOf(parent) - 1);
  const isOneLine = !text.slice(parent.offset, endOf(parent)).includes('\n');
  if (isOneLine && rest.trim() === '' && !child.includes('\n')) {
    return withPieces(text, [{ offset: endOf(last), length: 0, text: `, ${child}` }]);
  }
  const comma = commaBehind(text, endOf(last));
  const at = comma === -1 ? endOf(last) : comma + 1;
  const end = endOfComment(text, at);
  const pieces = [
    { offset: end, length: 0, text: `${eol}${inner}${child}${comma === -1 ? '' : ','}` },
  ];
  if (comma === -1) pieces.push({ offset: at, length: 0, text: ',' });
  // Both edits may be at the same place; then the comma comes first.
  if (end === at && comma === -1) {
    return withPieces(text, [{ offset: at, length: 0, text: `,${pieces[0]!.text}` }]);
  }
  return withPieces(text, pieces);
}

function replaced(text: string, node: Node, value: unknown, layout: Layout): string {
  const piece = jsonAt(value, indentAt(text, node.offset), layout);
  return withPieces(text, [{ offset: node.offset, length: node.length, text: piece }]);
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function jsonAt(value: unknown, outer: string, { indent, eol }: Layout): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', eol + outer);
}

function propertyOf(node: Node, key: string): Node | undefined {
  if (node.type !== 'object') return undefined;
  return node.children?.findLast(({ children }) => children?.[0]?.value === key);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** The position of the comma after a member, comments skipped; -1 if there is none. */
function commaBehind(text: string, offset: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const next = scanner.getTokenOffset();
  return text.charAt(next) === ',' ? next : -1;
}

/** The end of a comment on the rest of the line, or the position itself. */
function endOfComment(text: string, offset: number): number {
  const [comment = ''] =
    /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/(?=[ \t]*\r?\n))/.exec(text.slice(offset)) ?? [];
  return offset + comment.length;
}

/** The piece to remove: from `offset` to `end`, or the whole line if nothing else is on it. */
function lineOf(text: string, offset: number, end: number): Piece {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const isFirst = text.slice(start, offset).trim() === '';
  const [rest = ''] = /^[ \t]*\r?\n/.exec(text.slice(endOfComment(text, end))) ?? [];
  if (isFirst && rest !== '') {
    return { offset: start, length: endOfComment(text, end) + rest.length - start, text: '' };
  }
  const [space = ''] = /^[ \t]*/.exec(text.slice(end)) ?? [];
  return { offset, length: end + space.length - offset, text: '' };
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function endOfLine(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
