/** Splits the text of an adapter's file into front matter and body, and joins them again. */

import { withoutBom } from '@callsign/core';
import { Document } from 'yaml';

import { patchYaml, yamlText } from './patch-yaml.js';

const FENCE = /^---[ \t]*\r?$/gm;

export interface AdapterText {
  readonly frontMatter: string;
  readonly body: string;
}

/** A file without front matter is plain YAML or JSON. */
export function splitAdapter(text: string): AdapterText {
  const source = withoutBom(text);
  const [first, second] = source.matchAll(FENCE);
  if (first?.index !== 0 || !second) return { frontMatter: source, body: '' };
  return {
    frontMatter: source.slice(0, second.index),
    body: source.slice(second.index + second[0].length).replace(/^\r?\n/, ''),
  };
}

/**
 * `previous`: the front matter with a person's edits. Only changed values are replaced, so comments
 * stay.
 */
export function joinAdapter(document: unknown, body: string, previous?: string): string {
  const patched = previous === undefined ? undefined : patchYaml(previous, document);
  const yaml =
    patched ??
    // No aliases: they save bytes but make the file hard to read.
    yamlText(new Document(document, { aliasDuplicateObjects: false, version: '1.2' }));
  return `${yaml.startsWith('---\n') ? '' : '---\n'}${yaml}---\n${body}`;
}
