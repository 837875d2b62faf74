// Ranking tools by the words of a question.
export { createSearch, type Found, type Search } from './rank/create-search.js';
export type { SearchedParameter, SearchedTool } from './rank/searched-tool.js';

// One form for the words of a search.
export { stemsOf } from './words/stem.js';
