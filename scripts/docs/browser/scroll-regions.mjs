// Tables and code that are wider than the page scroll by themselves. Then the keyboard must reach them too.

export function watchScrollRegions(elements) {
  const update = (element) => {
    const scrolls = element.scrollWidth > element.clientWidth;
    if (scrolls === element.hasAttribute('tabindex')) return;
    if (scrolls) {
      element.tabIndex = 0;
      element.setAttribute('role', 'group');
      element.setAttribute('aria-label', element.matches('pre') ? 'Code' : 'Table');
    } else {
      for (const name of ['tabindex', 'role', 'aria-label']) element.removeAttribute(name);
    }
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) update(target);
  });
  for (const element of elements) observer.observe(element);
}
