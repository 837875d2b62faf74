// Any MCP server as few tools. A separate export: it loads nothing that reads files or calls APIs.
export { createCrudeView } from './view/crude-view.js';
export type { CrudeView, CrudeViewOptions } from './view/crude-view.js';
export { createSearchView } from './view/search-view.js';
export type { SearchView, SearchViewOptions } from './view/search-view.js';
export { hubOperations } from './view/operation-source.js';
export type { OperationSource, SourceOperation } from './view/operation-source.js';
export type { ClassifiedOperation } from './view/classified-operations.js';
