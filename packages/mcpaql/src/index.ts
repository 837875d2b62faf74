// An adapter: what its file says, everything that is wrong with it, and the schema for editors.
export { loadAdapter } from './adapter/load-adapter.js';
export { adapterOf, parseAdapter } from './adapter/parse-adapter.js';
export type { AdapterResult } from './adapter/parse-adapter.js';
export { DEFAULT_PATTERN } from './adapter/default-pattern.js';
export { adapterSchema } from './adapter/document-schema.js';
export type { Problem, ProblemCode } from './adapter/problem.js';
export type {
  AdapterDocument,
  Auth,
  HttpTarget,
  McpTarget,
  NativeTarget,
  OperationDocument,
  PaginationDocument,
  ParamDocument,
  ParamType,
  PropertyShape,
  RateLimitDocument,
  Target,
  TypeDocument,
  ValueShape,
} from './adapter/adapter-document.js';
export type { Adapter, Operation, Pagination, Param } from './adapter/adapter.js';
export { parseMapsTo } from './adapter/maps-to.js';
export type { HttpMethod, Mapping, TemplatePart } from './adapter/maps-to.js';
export { assumedDanger, DANGER_LEVELS } from './adapter/danger.js';
export type { DangerLevel } from './adapter/danger.js';
export { TRUST_LEVELS } from './adapter/trust.js';
export type { TrustLevel } from './adapter/trust.js';
export { RESERVED_OPERATIONS } from './adapter/reserved-operations.js';

// Serving one: five tools, with their names, labels and protocol.
export { createAdapterSource } from './adapter-source.js';
export type { AdapterSource, AdapterSourceOptions } from './adapter-source.js';
export { createAdapterGroup } from './adapter-group.js';
export type { AdapterGroup } from './adapter-group.js';
export { adapterTools } from './endpoints/adapter-tools.js';
export type { EndpointTool } from './endpoints/endpoint-tool.js';
export { legacyToolName, nameClashes, toolNames } from './endpoints/tool-names.js';
export type { NameClash, ToolNamesOptions } from './endpoints/tool-names.js';
export { ProtocolError } from './protocol/protocol-error.js';
export type { ErrorCode } from './protocol/protocol-error.js';

// Views: any server as five tools, or as two.
export { hubOperations } from './view/operation-source.js';
export type { OperationSource, SourceOperation } from './view/operation-source.js';
export { createCrudeView } from './view/crude-view.js';
export type { CrudeView, CrudeViewOptions } from './view/crude-view.js';
export { createSearchView } from './view/search-view.js';
export type { SearchView, SearchViewOptions } from './view/search-view.js';
export type { ClassifiedOperation } from './view/classified-operations.js';

// Holding a live server to the protocol.
export { checkConformance } from './conform/check-conformance.js';
export type { ConformanceReport } from './conform/check-conformance.js';
export type { Check } from './conform/check.js';
export type { ListedTool, ToolClient } from './conform/checked-server.js';

// Adapters out of what is there already: an OpenAPI document, the tools of a server.
export { adapterFromOpenApi } from './openapi/import-openapi.js';
export type { OpenApiOptions } from './openapi/import-openapi.js';
export { fetchReferences } from './openapi/fetch-references.js';
export type { FetchedReferences, FetchReferencesOptions } from './openapi/fetch-references.js';
export { adapterFromMcp } from './from-mcp/import-mcp.js';
export type { McpImportOptions } from './from-mcp/import-mcp.js';
export type { Finding, FindingKind, ImportedOperation } from './openapi/import-report.js';
export type { ImportReport, ImportResult } from './openapi/import-report.js';

// An adapter as a package that stands alone.
export { generateAdapter } from './generate/generate-adapter.js';
export type { GenerateOptions } from './generate/generate-adapter.js';
