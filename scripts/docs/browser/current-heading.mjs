// Marks the section that is being read in the list "On this page".
import { reveal } from './reveal.mjs';

/** A heading counts as read when it is this near to the top. */
const TOP = 96;

export function markCurrentHeading(contents) {
  const links = [...contents.querySelectorAll('a')];
  const headings = links.map((link) =>
    document.getElementById(decodeURIComponent(link.hash.slice(1))),
  );
  let current;
  let isPlanned = false;
  const mark = () => {
    isPlanned = false;
    const after = headings.findIndex((heading) => heading.getBoundingClientRect().top > TOP);
    const link = links[(after === -1 ? links.length : after) - 1];
    if (link === current) return;
    current?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'location');
    current = link;
    if (link) reveal(contents, link);
  };
  addEventListener(
    'scroll',
    () => {
      if (!isPlanned) requestAnimationFrame(mark);
      isPlanned = true;
    },
    { passive: true },
  );
  mark();
}
