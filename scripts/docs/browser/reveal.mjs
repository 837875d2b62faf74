// Scrolls a list so that one of its links can be seen. `scrollIntoView` would scroll the page too.

export function reveal(list, link) {
  const top = link.offsetTop - list.scrollTop;
  const isSeen = top >= 0 && top + link.offsetHeight <= list.clientHeight;
  if (!isSeen) list.scrollTop = link.offsetTop - list.clientHeight / 2;
}
