/** The target of every link exists, including the heading. */

import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { anchorsOf, linksOf, pagesBelow, type Page } from './testing/markdown.js';

const pages = pagesBelow();
const byPath = new Map(pages.map((page) => [page.path, page]));

/** What is wrong with a link, if anything. Web addresses are not checked. */
function problemOf(page: Page, link: string): string | undefined {
  if (/^(https?|mailto):/.test(link)) return undefined;
  const [file = '', anchor] = link.split('#');
  if (file.startsWith('/'))
    return `${link} begins with a slash, and means another place everywhere`;
  const path = file === '' ? page.path : posix.join(posix.dirname(page.path), decodeURI(file));
  if (path.startsWith('..')) return `${link} leads out of the repository`;
  if (!existsSync(join(ROOT, path))) return `${link} leads to ${path}, which is not there`;
  if (anchor === undefined) return undefined;
  const target = byPath.get(path) ?? byPath.get(posix.join(path, 'README.md'));
  if (!target) return `${link} names a heading in what is no page`;
  return anchorsOf(target).has(anchor) ? undefined : `${link}: ${path} has no heading #${anchor}`;
}

describe('links', () => {
  it('exist, so that the checks below are not empty', () => {
    expect(pages.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['README.md', 'docs/README.md', 'docs/lint/README.md']),
    );
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(100);
  });

  it.each(pages.map((page) => [page.path, page] as const))('of %s have a target', (_, page) => {
    const problems = linksOf(page).flatMap((link) => problemOf(page, link) ?? []);
    expect(problems).toEqual([]);
  });

  it('and file names in code lead to files that exist', () => {
    const file = /`((?:packages|test|docs|scripts|bench|examples|conformance|apps)\/[\w./-]+)`/g;
    const named = pages.flatMap((page) =>
      [...page.text.matchAll(file)].map(([, path]) => [page.path, path!] as const),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(([, path]) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('to a missing file, heading or folder are found', () => {
    const page = { path: 'docs/x.md', text: '[a](gone.md) [b](names.md#gone) [c](../README.md)' };
    expect(linksOf(page).map((link) => problemOf(page, link))).toEqual([
      'gone.md leads to docs/gone.md, which is not there',
      'names.md#gone: docs/names.md has no heading #gone',
      undefined,
    ]);
  });

  it.each(['docs', 'docs/clients', 'docs/recipes', 'docs/lint'])(
    'of the index of %s name every page of the folder',
    (folder) => {
      const index = byPath.get(`${folder}/README.md`)!;
      const named = linksOf(index).map((link) => posix.join(folder, link.replace(/#.*/, '')));
      const inFolder = pages.map(({ path }) => path).filter((p) => posix.dirname(p) === folder);
      expect(inFolder.filter((path) => path !== index.path && !named.includes(path))).toEqual([]);
    },
  );
});
