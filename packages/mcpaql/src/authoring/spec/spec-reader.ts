/** Reads an OpenAPI document and follows its references, within limits and only to given documents. */

import { isObject, memberOf } from '@callsign/core';

import type { Findings } from './import-report.js';
import { childOf, pointerOf, type SpecNode } from './spec-node.js';

/** A longer sequence of references is a cycle. */
const MAX_HOPS = 32;
/** Deeper anchors are not found. */
const MAX_NESTING = 64;

/** Other documents that references may lead to. Nothing is fetched here. */
export interface SpecReaderOptions {
  /** The address of the imported document, for relative references. */
  readonly url: string;
  /** Other documents for references, by address. */
  readonly documents: ReadonlyMap<string, unknown>;
}

export class SpecReader {
  readonly root: SpecNode;
  readonly findings: Findings;
  readonly #url: string;
  readonly #documents: ReadonlyMap<string, unknown>;
  /** Anchors by document. */
  readonly #anchored = new Map<string, ReadonlyMap<string, SpecNode>>();

  constructor(root: unknown, findings: Findings, { url, documents }: SpecReaderOptions) {
    this.root = { value: root, document: '', path: '' };
    this.findings = findings;
    this.#url = url;
    this.#documents = documents;
  }

  /** The target of a reference, or the node itself. `undefined` if the target is missing. */
  resolve(node: SpecNode): SpecNode | undefined {
    let at = node;
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const reference = memberOf(at.value, '$ref') ?? memberOf(at.value, '$dynamicRef');
      if (typeof reference !== 'string') return at;
      const next = this.#follow(reference, at);
      if (next === undefined) return undefined;
      at = next;
    }
    this.#lost(node, 'is a reference that leads back to itself');
    return undefined;
  }

  /** A member, with its reference resolved. */
  at(node: SpecNode, ...keys: readonly (string | number)[]): SpecNode {
    return keys.reduce<SpecNode>((inner, key) => {
      const child = childOf(inner, key);
      return this.resolve(child) ?? { ...child, value: undefined };
    }, node);
  }

  /** The members of an object, with references resolved. Broken references are omitted. */
  entries(node: SpecNode): [key: string, node: SpecNode][] {
    if (!isObject(node.value)) return [];
    return Object.keys(node.value).flatMap((key) => {
      const found = this.resolve(childOf(node, key));
      return found ? [[key, found]] : [];
    });
  }

  /** The elements of a list, with references resolved. Broken references are omitted. */
  elements(node: SpecNode): SpecNode[] {
    if (!Array.isArray(node.value)) return [];
    return node.value.flatMap((_, i) => this.resolve(childOf(node, i)) ?? []);
  }

  #follow(reference: string, from: SpecNode): SpecNode | undefined {
    const hash = reference.indexOf('#');
    const address = hash === -1 ? reference : reference.slice(0, hash);
    const fragment = hash === -1 ? '' : reference.slice(hash + 1);
    const document = this.#documentOf(address, from);
    if (document === undefined) {
      this.#lost(from, 'refers to another document, which was not allowed or not found');
      return undefined;
    }
    const root = this.#rootOf(document);
    const node =
      fragment === '' || fragment.startsWith('/')
        ? (nodeAt(root, fragment) ?? (address === '' ? this.#around(from, fragment) : undefined))
        : this.#anchors(root).get(unescaped(fragment));
    if (node) return node;
    this.#lost(from, `refers to ${JSON.stringify(reference.slice(0, 200))}, which does not exist`);
    return undefined;
  }

  #rootOf(document: string): SpecNode {
    const value = document === '' ? this.root.value : this.#documents.get(document);
    return { value, document, path: '' };
  }

  /** A schema of its own, with `$defs`, may be a part of the document. Its references start at it. */
  #around(from: SpecNode, fragment: string): SpecNode | undefined {
    const segments = from.path.split('/');
    for (let length = segments.length; length > 1; length--) {
      const outer = nodeAt(this.#rootOf(from.document), segments.slice(0, length).join('/'));
      const inner = outer && nodeAt(outer, fragment);
      if (inner) return inner;
    }
    return undefined;
  }

  /** The schemas of a document that have an `$anchor`, found at the first reference to one. */
  #anchors(root: SpecNode): ReadonlyMap<string, SpecNode> {
    const known = this.#anchored.get(root.document);
    if (known) return known;
    const anchors = new Map<string, SpecNode>();
    collectAnchors(root, anchors, 0);
    this.#anchored.set(root.document, anchors);
    return anchors;
  }

  /** The key of the document at an address. The imported document has none. */
  #documentOf(address: string, from: SpecNode): string | undefined {
    if (address === '') return from.document;
    const base = from.document || this.#url;
    const url = URL.canParse(address, base || undefined)
      ? new URL(address, base || undefined).href
      : address;
    if (url === this.#url) return '';
    return this.#documents.has(url) ? url : undefined;
  }

  #lost(node: SpecNode, why: string): void {
    this.findings.note('left-out', pointerOf(node), `This ${why}.`);
  }
}

/** The node at a JSON Pointer. */
function nodeAt(root: SpecNode, pointer: string): SpecNode | undefined {
  let node = root;
  for (const segment of pointer.split('/').slice(1)) node = childOf(node, unescaped(segment));
  return node.value === undefined ? undefined : node;
}

function collectAnchors(node: SpecNode, anchors: Map<string, SpecNode>, depth: number): void {
  const { value } = node;
  if (typeof value !== 'object' || value === null || depth > MAX_NESTING) return;
  for (const key of ['$anchor', '$dynamicAnchor']) {
    const name = memberOf(value, key);
    if (typeof name === 'string' && !anchors.has(name)) anchors.set(name, node);
  }
  for (const key of Object.keys(value)) collectAnchors(childOf(node, key), anchors, depth + 1);
}

function unescaped(segment: string): string {
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // Not a valid escape: the percent sign is plain text.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
