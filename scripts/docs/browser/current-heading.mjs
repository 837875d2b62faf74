// Marks the section that is being read in the list "On this page".

/** A heading counts as read when it is this near to the top. */
const TOP = 96;

export function markCurrentHeading(contents) {
  const links = [...contents.querySelectorAll('a')];
  const headings = links.map((link) => document.getElementById(link.hash.slice(1)));
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
    if (contents.scrollHeight > contents.clientHeight) link?.scrollIntoView({ block: 'nearest' });
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
