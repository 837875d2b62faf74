/** The beginning of an answer to a search without a result. */
export const NOTHING_FOUND =
  'Nothing has these words. Try other words for the same thing, or only one: what it is about.';
