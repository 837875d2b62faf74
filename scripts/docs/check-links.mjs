// Reads the pages of a built site and returns a sentence for every link that leads nowhere, down to the anchor.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { unescapeHtml } from './html.mjs';

export function brokenLinks(folder) {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]));
  const anchors = new Map([...texts].map(([page, html]) => [page, idsOf(html)]));
  return [...texts].flatMap(([page, html]) =>
    linksOf(html).flatMap((link) => {
      const [file, anchor] = link.split('#');
      const target = file === '' ? page : posix.join(posix.dirname(page), decodeURI(file));
      if (target.startsWith('..') || !existsSync(join(folder, target))) {
        return `${page}: ${link} leads to no file of the site.`;
      }
      if (anchor === undefined || anchors.get(target)?.has(decodeURIComponent(anchor))) return [];
      return `${page}: ${target} has no heading #${anchor}.`;
    }),
  );
}

/** Links within the site; addresses of the web are not tried. */
function linksOf(html) {
  return [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)]
    .map(([, link]) => unescapeHtml(link))
    .filter((link) => !/^[a-z][a-z+.-]*:/i.test(link));
}

function idsOf(html) {
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
}
