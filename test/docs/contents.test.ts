/** The order of the documentation: every page has one place, and the indexes follow it. */

import { posix } from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  CONTENTS,
  INDEX,
  INDEXES,
  pagesInOrder,
  type Entry,
  type Group,
} from '../../scripts/docs/contents.mjs';
import { linksOf, pagesBelow, type Page } from './testing/markdown.js';

const pages = pagesBelow();
const byPath = new Map(pages.map((page) => [page.path, page]));
const listed = pagesInOrder();

/** Pages that belong on the site. */
const WANTED = /^(?:docs\/.+|(?:packages|apps|examples)\/[^/]+\/README|[A-Z]+)\.md$/;

const groups: Group[] = CONTENTS.flatMap(({ entries }) => entries).filter(
  (entry) => typeof entry !== 'string',
);
/** Where an entry is in a list: its page, its folder, or its pages if the list names one of them. */
function placesOf(entry: Entry, shown: readonly string[]): readonly string[] {
  if (typeof entry === 'string') return [entry];
  const { page, folder = '', pages: own = [] } = entry;
  if (page !== undefined) return [page];
  return own.some((path) => shown.includes(path)) ? own : [folder];
}
const targetsOf = (page: Page) =>
  linksOf(page).map((link) => posix.join(posix.dirname(page.path), link.replace(/#.*/, '')));

describe('scripts/docs/contents.mjs', () => {
  it('lists every page', () => {
    const wanted = pages.map(({ path }) => path).filter((path) => WANTED.test(path));
    expect(wanted.length).toBeGreaterThan(100);
    expect(wanted.filter((path) => !INDEXES.includes(path) && !listed.includes(path))).toEqual([]);
  });

  it('lists only pages that exist, and each once', () => {
    expect(listed.filter((path) => !byPath.has(path))).toEqual([]);
    expect(listed.filter((path, at) => listed.indexOf(path) !== at)).toEqual([]);
  });

  it('has the sections and the order of docs/README.md', () => {
    const { text } = byPath.get(INDEX)!;
    const sections = text.split(/^## /m).slice(1);
    expect(sections.map((section) => section.split('\n')[0])).toEqual(
      CONTENTS.map(({ title }) => title),
    );
    for (const [at, { title, entries }] of CONTENTS.entries()) {
      const shown = targetsOf({ path: INDEX, text: sections[at]! });
      expect([title, ...shown]).toEqual([
        title,
        ...entries.flatMap((entry) => placesOf(entry, shown)),
      ]);
    }
  });

  it.each(groups.flatMap(({ page, pages: own = [] }) => (page ? [[page, own] as const] : [])))(
    'has the order of %s',
    (index, own) => {
      const shown = targetsOf(byPath.get(index)!).filter((path) => own.includes(path));
      expect([...new Set(shown)]).toEqual(own);
    },
  );
});
