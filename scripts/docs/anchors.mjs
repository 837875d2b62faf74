// What a link may name behind `#`: GitHub's way to write a heading.

/** Gives each heading of one page its anchor. A repeated heading gets a number. */
export function createAnchors() {
  const taken = new Set();
  return function anchorOf(heading) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let again = 1; taken.has(anchor); again++) anchor = `${slug}-${again}`;
    taken.add(anchor);
    return anchor;
  };
}
