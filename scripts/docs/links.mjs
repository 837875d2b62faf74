// Where the links of pages lead on the site.
import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

const ADDRESS = /^[a-z][a-z+.-]*:/i;

/** `docs/README.md` becomes `docs/index.html`. Folders stay, so that pictures are where pages expect them. */
export function siteFile(path) {
  return path
    .toLowerCase()
    .replace(/(?:^|(?<=\/))readme\.md$/, 'index.html')
    .replace(/\.md$/, '.html');
}

/** From one page of the site to a file of the site, relative: the site works below any path, and from a disk. */
export function relativeTo(page, file) {
  return posix.relative(posix.dirname(siteFile(page)), file);
}

/**
 * Returns `resolve(page, link)`, which gives `{ href }` for links that lead somewhere, with the `page` of the site if
 * it is one, and `{ path }` for files of the repository that are not on the site. `repository` is the address of the repository, for links to such files.
 * `files` is the set of files that must be copied to the site, and `problems` gets a sentence for each broken link.
 */
export function createLinks({ root, pages, folders = {}, repository }) {
  const files = new Set();
  const problems = [];

  function resolve(page, link) {
    if (ADDRESS.test(link) || link.startsWith('#')) return { href: link };
    const [file, anchor] = link.split('#');
    const path = posix.join(posix.dirname(page), decodeURI(file)).replace(/\/$/, '');
    const behind = anchor === undefined ? '' : `#${anchor}`;
    const target = [path, posix.join(path, 'README.md'), folders[path]].find((each) =>
      pages.has(each),
    );
    if (target !== undefined) {
      return { href: relativeTo(page, siteFile(target)) + behind, page: target };
    }
    if (path.startsWith('..') || !existsSync(join(root, path))) {
      problems.push(`${page}: ${link} leads to ${path}, which does not exist.`);
      return { href: link };
    }
    const isFolder = statSync(join(root, path)).isDirectory();
    if (path.startsWith('docs/') && !isFolder) {
      files.add(path);
      return { href: relativeTo(page, path) };
    }
    if (repository === undefined) return { path };
    return { href: `${repository}/${isFolder ? 'tree' : 'blob'}/HEAD/${path}${behind}` };
  }

  return { resolve, files, problems };
}
