// The HTML around a page: head, navigation, contents of the page, previous and next.
import { CONTENTS, INDEX, pagesInOrder, pagesOf } from './contents.mjs';
import { escapeHtml } from './html.mjs';
import { relativeTo, siteFile } from './links.mjs';

/**
 * Everything comes from the site. `file:` is for pages that are opened from a disk: not every browser counts other
 * files as `'self'` there. Elsewhere it allows nothing, because a page of the web cannot load files.
 */
const OWN = "'self' file:";
const POLICY = [
  "default-src 'none'",
  ...['script', 'style', 'img', 'font'].map((kind) => `${kind}-src ${OWN}`),
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Fewer headings need no list of them. */
const LEAST_HEADINGS = 2;
const ORDER = pagesInOrder();

/** The whole page as HTML. `titles` gives the title of each page in the navigation. */
export function pageHtml(page, titles) {
  const asset = (name) => relativeTo(page.path, `assets/${name}`);
  const headings = page.headings.filter(({ depth }) => depth <= 3);
  const hasContents = headings.length >= LEAST_HEADINGS;
  const home = relativeTo(page.path, siteFile('README.md'));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="color-scheme" content="dark light">
<meta name="description" content="${escapeHtml(page.summary)}">
<title>${escapeHtml(page.title === 'Callsign' ? 'Callsign' : `${page.title} · Callsign`)}</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('site.css')}">
<script src="${asset('theme.js')}"></script>
<script src="${asset('site.js')}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<button class="menu" type="button" popovertarget="menu">Menu</button>
<a class="brand" href="${home}" aria-label="Callsign, overview"><img src="${asset('icon.svg')}" alt="" width="22" height="22"><span>Callsign</span></a>
<div class="search" role="search" hidden></div>
<button class="theme" type="button" hidden></button>
</header>
<div class="frame">
<nav id="menu" class="pages" popover aria-label="Pages">
${CONTENTS.map((section) => sectionHtml(section, page, titles)).join('\n')}
<p><a href="${relativeTo(page.path, siteFile(INDEX))}"${here(page, INDEX)}>All pages</a></p>
</nav>
<main id="content" tabindex="-1">
${hasContents ? '<button class="on-page" type="button" popovertarget="contents">On this page</button>' : ''}
<article>
${page.html}</article>
${neighboursHtml(page, titles)}
</main>
${hasContents ? contentsHtml(headings) : ''}
</div>
</body>
</html>
`;
}

function here(page, path) {
  return page.path === path ? ' aria-current="page"' : '';
}

function linkHtml(page, path, title) {
  const href = relativeTo(page.path, siteFile(path));
  return `<a href="${href}"${here(page, path)}>${escapeHtml(title)}</a>`;
}

function sectionHtml({ title, entries }, page, titles) {
  const items = entries.map((entry) => `<li>${entryHtml(entry, page, titles)}</li>`).join('\n');
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${items}\n</ul>`;
}

/** A group is open on its own pages. It opens without a script. */
function entryHtml(entry, page, titles) {
  const [first] = pagesOf(entry);
  if (typeof entry === 'string' || !entry.pages) return linkHtml(page, first, titles.get(first));
  const isOpen = pagesOf(entry).includes(page.path);
  const items = pagesOf(entry).map((path) => {
    const title = path === entry.page ? 'Overview' : titles.get(path);
    return `<li>${linkHtml(page, path, title)}</li>`;
  });
  const title = entry.title ?? titles.get(entry.page);
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary>\n<ul>\n${items.join('\n')}\n</ul></details>`;
}

function contentsHtml(headings) {
  const items = headings.map(
    ({ depth, anchor, text }) =>
      `<li class="depth-${depth}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav id="contents" class="contents" popover aria-label="On this page">
<h2>On this page</h2>
<ul>
${items.join('\n')}
</ul>
</nav>`;
}

function neighboursHtml(page, titles) {
  const at = ORDER.indexOf(page.path);
  if (at === -1) return '';
  const link = (path, relation, word) =>
    path === undefined
      ? ''
      : `<a rel="${relation}" href="${relativeTo(page.path, siteFile(path))}"><span>${word}</span> ${escapeHtml(titles.get(path))}</a>`;
  return `<nav class="neighbours" aria-label="Previous and next page">
${link(ORDER[at - 1], 'prev', 'Previous')}
${link(ORDER[at + 1], 'next', 'Next')}
</nav>`;
}
