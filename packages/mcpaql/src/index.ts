// An adapter: its document, the problems of the document, and the schema for editors.
export { loadAdapter, parseAdapter } from './adapter/parse-adapter.js';
export { authVariables } from './adapter/auth-schemes.js';
export type { AdapterResult } from './adapter/parse-adapter.js';
export { adapterSchema } from './adapter/document-schema.js';
export type { AdapterProblem, AdapterProblemCode } from './adapter/adapter-problem.js';
export type {
  AdapterDocument,
  Auth,
  HttpTarget,
  McpTarget,
  NativeTarget,
  OperationDocument,
  PaginationDocument,
  PaginationStyle,
  ParamDocument,
  ParamType,
  PropertyShape,
  RateLimitDocument,
  Target,
  TypeDocument,
  ValueShape,
} from './adapter/adapter-document.js';
export type { Adapter, Operation, Pagination, Param } from './adapter/adapter.js';
export { HTTP_METHODS } from './adapter/maps-to.js';
export type { HttpMethod, Mapping, TemplatePart } from './adapter/maps-to.js';
export { assumedDanger, isAtLeast } from './adapter/danger.js';
export type { DangerLevel } from './adapter/danger.js';
export { requestParams } from './adapter/request-params.js';
export { createLinker, linkShapes } from './adapter/link-shapes.js';
export { shareShapes } from './adapter/share-shapes.js';
export type { Shapes } from './adapter/share-shapes.js';
export { SCHEMA_NAME } from './adapter/value-keys.js';
export { fingerprint, reviewPrint } from './adapter/review.js';
export type { WrittenOperation } from './adapter/review.js';
export { callVerdict, isAccepted, TRUST_LEVELS } from './adapter/trust.js';
export type { TrustLevel } from './adapter/trust.js';
export { RESERVED_OPERATIONS } from './adapter/reserved-operations.js';
export { typeFits } from './adapter/type-fits.js';

export { sharedParams, writeAdapter } from './runtime/adapter-json.js';

// Serving an adapter: five tools, with their names, labels and protocol.
export { createAdapterSource } from './source/adapter-source.js';
export type { AdapterSource, AdapterSourceOptions } from './source/adapter-source.js';
export { adapterTools } from './endpoints/adapter-tools.js';
export { endpointItem } from './endpoints/endpoint-tool.js';
export type { EndpointTool } from './endpoints/endpoint-tool.js';
export { nameClashes, toolNames } from './endpoints/tool-names.js';
export type { NameClash, ToolNamesOptions } from './endpoints/tool-names.js';
export { acceptedParams } from './protocol/accepted-params.js';
export type { ErrorCode } from './protocol/protocol-error.js';

// Reading what an adapter's tools answer.
export { readEnvelope, type ToolResult } from './protocol/envelope.js';
