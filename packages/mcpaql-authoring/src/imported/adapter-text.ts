/** An adapter's file as text: front matter, and a body that people and importers write into. */

import { stringify } from 'yaml';

import { patchYaml } from './patch-yaml.js';

const FENCE = /^---[ \t]*\r?$/gm;

export interface AdapterText {
  readonly frontMatter: string;
  readonly body: string;
}

/** A file without front matter is all front matter: plain YAML, or JSON. */
export function splitAdapter(text: string): AdapterText {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  const [first, second] = source.matchAll(FENCE);
  if (first?.index !== 0 || !second) return { frontMatter: source, body: '' };
  return {
    frontMatter: source.slice(0, second.index),
    body: source.slice(second.index + second[0].length).replace(/^\r?\n/, ''),
  };
}

/** `previous` is the front matter that people have worked on: only what has changed is written into it. */
export function joinAdapter(document: unknown, body: string, previous?: string): string {
  const kept = previous === undefined ? undefined : patchYaml(previous, document);
  const yaml =
    kept ??
    // Aliases save bytes and cost every reader a search.
    stringify(document, { lineWidth: 0, aliasDuplicateObjects: false, version: '1.2' });
  return `${yaml.startsWith('---\n') ? '' : '---\n'}${yaml}---\n${body}`;
}
