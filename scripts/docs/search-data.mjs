// What the search of the site reads: every section of every page, as a script. A page that is opened from a disk may
// load scripts, and nothing else.

/** The search reads at most 4,000 characters of a text. */
const LONGEST = 3500;

/** Sections of these parts of the navigation are found, after others. */
const LATER = new Set(['The code']);

/** `sectionTitles` gives the part of the navigation that each page is in. */
export function searchData(pages, titles, sectionTitles, hrefOf) {
  const data = {
    pages: pages.map(({ path }) => ({
      href: hrefOf(path),
      title: titles.get(path),
      later: LATER.has(sectionTitles.get(path)),
    })),
    sections: pages.flatMap(({ sections }, page) =>
      sections.flatMap(({ anchor, heading, text }) =>
        pieces(text).map((piece) => ({ page, anchor, heading, text: piece })),
      ),
    ),
  };
  return `globalThis.callsignPages = ${JSON.stringify(data)};\n`;
}

/** A long text in parts, cut between words. */
function pieces(text) {
  const parts = [];
  let rest = text;
  while (rest.length > LONGEST) {
    const cut = rest.lastIndexOf(' ', LONGEST);
    const end = cut > 0 ? cut : LONGEST;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}
