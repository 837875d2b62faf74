// Tables, code and pictures that are wider than the page scroll by themselves. Then the keyboard must reach them too.

const NAMES = { pre: 'Code', div: 'Table', p: 'Picture' };

export function watchScrollRegions(elements) {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) update(target);
  });
  for (const element of elements) observer.observe(element);
}

function update(element) {
  const scrolls = element.scrollWidth > element.clientWidth;
  if (scrolls === element.hasAttribute('tabindex')) return;
  if (scrolls) {
    element.tabIndex = 0;
    element.setAttribute('role', 'group');
    element.setAttribute('aria-label', NAMES[element.localName]);
  } else {
    for (const name of ['tabindex', 'role', 'aria-label']) element.removeAttribute(name);
  }
}
