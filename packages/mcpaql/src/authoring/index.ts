// Importing: an adapter from an OpenAPI document, or from the tools of an MCP server.
export { adapterFromOpenApi, apiTags } from './openapi/import-openapi.js';
export type { Selection } from './openapi/selection.js';
export type { OpenApiOptions } from './openapi/import-openapi.js';
export { fetchReferences } from './openapi/fetch-references.js';
export type { FetchedReferences, FetchReferencesOptions } from './openapi/fetch-references.js';
export { adapterFromMcp } from './from-mcp/import-mcp.js';
export type { McpImportOptions } from './from-mcp/import-mcp.js';
export type { Finding, FindingKind, ImportedOperation } from './spec/import-report.js';
export type { ImportReport, ImportResult } from './spec/import-report.js';

// A first adapter, to be edited by a person.
export { minimalAdapter } from './imported/minimal-adapter.js';
export type { MinimalAdapter, MinimalOptions } from './imported/minimal-adapter.js';

// Reviewing what was imported.
export { reviewAdapter } from './imported/review-adapter.js';
export type { AdapterReview, PendingOperation } from './imported/review-adapter.js';

// Generating: an npm package from an adapter.
export { generateAdapter } from './generate/generate-adapter.js';
export type { GenerateOptions } from './generate/generate-adapter.js';

// Checking: whether a live server follows the protocol.
export { checkConformance } from './conform/check-conformance.js';
export type { ConformanceReport } from './conform/check-conformance.js';
export type { Check } from './conform/check.js';
export type { ListedTool, ToolClient } from './conform/checked-server.js';

// Trying: whether an API answers as its adapter says.
export { tryReads } from './conform/try-reads.js';
export type { GivenParams, TriedOperation } from './conform/try-reads.js';
