// Text as HTML.
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

/** The text of an attribute that `escapeHtml` wrote. */
export function unescapeHtml(html) {
  return Object.entries(ENTITIES)
    .toReversed()
    .reduce((text, [character, entity]) => text.replaceAll(entity, character), html);
}
