// Expressions that run in the page of the console and return milliseconds.

/** From a keystroke in the search field to the next painted frame. */
export function filterTime(text) {
  return `new Promise((resolve) => {
    const field = document.querySelector('input[type=search]');
    const start = performance.now();
    field.value = ${JSON.stringify(text)};
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
  })`;
}

/** From the choice of a filter until the list, the numbers and the timeline of the audit screen are painted. */
export function recordsTime(query) {
  return `new Promise((resolve) => {
    const start = performance.now();
    performance.clearResourceTimings();
    location.hash = ${JSON.stringify(`#/audit?${query}`)};
    const isAnswered = (path) => performance.getEntriesByType('resource')
      .some(({ name, responseEnd }) => name.includes(path) && responseEnd > start);
    const look = () => {
      const isShown = document.querySelector('.records tbody tr, .empty') && document.querySelector('.over-time');
      if (isShown && isAnswered('/records?') && isAnswered('/records/stats?')) {
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
      } else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`;
}
