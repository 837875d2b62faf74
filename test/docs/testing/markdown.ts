/** The pages of the repository as data: where they are, their fenced blocks, their headings and links. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createAnchors } from '../../../scripts/docs/anchors.mjs';
import { ROOT } from '../../architecture/tree.js';

export interface Page {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Fence {
  /** The text after the opening fence, such as `json`. */
  readonly language: string;
  readonly text: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
}

/** Folders with pages that are not ours. */
const FOREIGN = /(?:^|\/)(?:node_modules|dist|\.git|coverage)$|^(?:conformance|bench\/peers)$/;

/** Every page below a folder of the repository; of all of it, if none is named. */
export function pagesBelow(folder = ''): Page[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return FOREIGN.test(path) ? [] : pagesBelow(path);
    if (!entry.isFile() || !entry.name.endsWith('.md')) return [];
    return [{ path, text: readFileSync(join(ROOT, path), 'utf8') }];
  });
}

export function fencesOf({ text }: Page): Fence[] {
  const fences: Fence[] = [];
  let open: { language: string; line: number; lines: string[]; indent: number } | undefined;
  for (const [i, line] of text.split('\n').entries()) {
    const [, indent = '', language = ''] = /^( *)```\s*(\S*)/.exec(line) ?? [];
    const isFence = line.trimStart().startsWith('```');
    if (!open && isFence) open = { language, line: i + 1, lines: [], indent: indent.length };
    else if (open && isFence) {
      fences.push({ language: open.language, line: open.line, text: open.lines.join('\n') });
      open = undefined;
    } else open?.lines.push(line.slice(open.indent));
  }
  return fences;
}

/** The page without its code, in which brackets are no links. */
function proseOf({ text }: Page): string {
  return text.replace(/^ *```[^]*?^ *```/gm, '').replace(/(`+)[^`]+\1/g, '');
}

/** The targets of the links of a page, as written. */
export function linksOf(page: Page): string[] {
  const prose = proseOf(page);
  const inline = prose.matchAll(/\]\(<?([^()\s>]+)>?(?: "[^"]*")?\)/g);
  const named = prose.matchAll(/^\[[^\]]+\]: <?(\S+?)>?$/gm);
  const html = prose.matchAll(/\b(?:href|src)="([^"]+)"/g);
  return [...inline, ...named, ...html].map(([, target]) => target!);
}

/** The anchors that a link may have after `#`: headings in the form that GitHub gives them. */
export function anchorsOf({ text }: Page): Set<string> {
  const anchorOf = createAnchors();
  const outside = text.replace(/^ *```[^]*?^ *```/gm, '');
  const headings = [...outside.matchAll(/^#{1,6} +(.+?)\s*#*$/gm)];
  const anchors = new Set(headings.map(([, heading]) => anchorOf(heading!)));
  for (const [, id] of outside.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id!);
  return anchors;
}
