// Finds sections of pages by words, with the search that ranks tools in the gateway.
import { createSearch, stemsOf } from '@callsign/core/search';

const MAX_RESULTS = 12;
/** How much a section of a page about the code counts, and one that contains the query as it is typed. */
const LATER = 0.5;
const LITERAL = 1.6;
const AROUND = 60;

/** Loads what is searched, once, and resolves to the search. */
export function loadSearch(assets) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = new URL('search-data.js', assets).href;
    script.addEventListener('load', () => resolve(searchOver(globalThis.callsignPages)));
    script.addEventListener('error', () => reject(new Error('The search could not be loaded.')));
    document.head.append(script);
  });
}

function searchOver({ pages, sections }) {
  const search = createSearch(sections, ({ page, heading, text }) => ({
    name: heading,
    title: pages[page].title,
    description: text,
  }));
  return function find(query) {
    const typed = query.toLowerCase();
    const factor = ({ page, heading, text }) =>
      (pages[page].later ? LATER : 1) *
      (`${heading} ${text}`.toLowerCase().includes(typed) ? LITERAL : 1);
    const found = search(query)
      .map(({ thing, score }) => ({ section: thing, score: score * factor(thing) }))
      .toSorted((a, b) => b.score - a.score);
    const results = new Map();
    for (const { section } of found) {
      const { href, title } = pages[section.page];
      const address = section.anchor === '' ? href : `${href}#${section.anchor}`;
      if (results.has(address)) continue;
      const excerpt = excerptOf(section.text, query);
      results.set(address, { address, title, heading: section.heading, excerpt });
      if (results.size === MAX_RESULTS) break;
    }
    return [...results.values()];
  };
}

/** The text around the first word of the query. */
function excerptOf(text, query) {
  const wanted = new Set(stemsOf(query));
  const match = [...text.matchAll(/[\p{L}\p{N}]+/gu)].find(([word]) =>
    stemsOf(word).some((stem) => wanted.has(stem)),
  );
  const at = match?.index ?? 0;
  const start = at <= AROUND ? 0 : text.indexOf(' ', at - AROUND) + 1;
  return (start > 0 ? '… ' : '') + text.slice(start, start + 3 * AROUND);
}
