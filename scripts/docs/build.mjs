// Builds the documentation site from the Markdown files of the repository.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { brokenLinks } from './check-links.mjs';
import { coloursFrom } from './colours.mjs';
import { CONTENTS, INDEXES, pagesInOrder, pagesOf } from './contents.mjs';
import { createLinks, siteFile } from './links.mjs';
import { readPage } from './page.mjs';
import { searchData } from './search-data.mjs';
import { pageHtml } from './template.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BROWSER = fileURLToPath(new URL('browser', import.meta.url));
const CONSOLE = join(ROOT, 'apps/console');
const SEARCH_DATA = 'assets/search-data.js';
const STYLES = ['frame.css', 'lists.css', 'text.css', 'search.css', 'narrow.css'];

/** Writes the site into `out` and returns the number of pages. Throws if a link leads nowhere. */
export async function buildSite({ out, repository }) {
  const paths = [...pagesInOrder(), ...INDEXES];
  const links = createLinks({
    root: ROOT,
    pages: new Set(paths),
    folders: firstPages(),
    repository,
  });
  const texts = new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
  const titleOf = (path) => /^# (.+)$/m.exec(texts.get(path))[1];
  const pages = paths.map((path) =>
    readPage(path, texts.get(path), { resolve: links.resolve, titleOf }),
  );
  refuse(links.problems);
  const titles = titlesOf(pages);
  empty(out);
  const write = (file, text) => {
    mkdirSync(dirname(join(out, file)), { recursive: true });
    writeFileSync(join(out, file), text);
  };
  for (const page of pages) write(siteFile(page.path), pageHtml(page, titles));
  for (const file of links.files) write(file, readFileSync(join(ROOT, file)));
  write(SEARCH_DATA, searchData(pages, titles, sectionTitles(), siteFile));
  write('assets/site.css', styles());
  copyAssets(join(out, 'assets'));
  await bundleScripts(join(out, 'assets'));
  refuse(brokenLinks(out));
  return pages.length;
}

/** Removes an earlier site, and nothing else. */
function empty(out) {
  if (!existsSync(out) || readdirSync(out).length === 0) return;
  if (!existsSync(join(out, SEARCH_DATA))) {
    throw new Error(`${out} is not empty and is not a site. Choose another folder.`);
  }
  rmSync(out, { recursive: true });
}

function refuse(problems) {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** A link to the folder of a group without an index leads to its first page. */
function firstPages() {
  const groups = CONTENTS.flatMap(({ entries }) => entries).filter(({ folder }) => folder);
  return Object.fromEntries(groups.map(({ folder, pages }) => [folder, pages[0]]));
}

/** The title of each page in the navigation: its heading, unless the contents have a shorter one. */
function titlesOf(pages) {
  const titles = new Map(pages.map(({ path, title }) => [path, title]));
  for (const { page, title } of CONTENTS.flatMap(({ entries }) => entries)) {
    if (page !== undefined && title !== undefined) titles.set(page, title);
  }
  return titles;
}

function sectionTitles() {
  return new Map(
    CONTENTS.flatMap(({ title, entries }) => entries.flatMap(pagesOf).map((path) => [path, title])),
  );
}

function styles() {
  const colours = coloursFrom(readFileSync(join(CONSOLE, 'src/style/console.css'), 'utf8'));
  return colours + STYLES.map((name) => readFileSync(join(BROWSER, name), 'utf8')).join('');
}

function copyAssets(folder) {
  const font = createRequire(join(CONSOLE, 'package.json'));
  const inter = '@fontsource-variable/inter';
  copyFileSync(join(CONSOLE, 'public/icon.svg'), join(folder, 'icon.svg'));
  copyFileSync(
    font.resolve(`${inter}/files/inter-latin-wght-normal.woff2`),
    join(folder, 'inter.woff2'),
  );
  // The font may be passed on only with its licence.
  copyFileSync(font.resolve(`${inter}/LICENSE`), join(folder, 'font-license.txt'));
}

/** Classic scripts: browsers refuse modules of pages that are opened from a disk. */
async function bundleScripts(outdir) {
  await build({
    entryPoints: ['theme.mjs', 'site.mjs'].map((name) => join(BROWSER, name)),
    outdir,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    conditions: ['callsign-source'],
    // Of a part of `naming` that no page uses, so it is left out.
    external: ['node:crypto'],
    logLevel: 'warning',
  });
}
