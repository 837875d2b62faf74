/** Builds an adapter from a checked document: fills in defaults and parses mappings. */

import { type Endpoint, ENDPOINTS, judge, type Operation as Judged } from '@callsign/effects';
import { displayName } from '@callsign/naming';

import type { AdapterDocument, OperationDocument, PaginationDocument } from './adapter-document.js';
import type { Adapter, Operation, Pagination } from './adapter.js';
import { assumedDanger } from './danger.js';
import { type Mapping, parseMapsTo } from './maps-to.js';
import { requestParams } from './request-params.js';
import { isReviewed } from './review.js';

/** A document without references to shapes. */
type LinkedDocument = Omit<AdapterDocument, 'shapes'>;

/**
 * Takes only a document without problems: it does not check again. Relative paths start at `file`.
 */
export function resolveAdapter(document: LinkedDocument, file: string): Adapter {
  const operations = ENDPOINTS.flatMap((endpoint) =>
    (document.operations[endpoint] ?? []).map((each) => resolveOperation(each, endpoint, document)),
  );
  return {
    name: document.name,
    displayName: displayName(document.name, document.display_name),
    version: document.version,
    description: document.description,
    toolNames: document.tool_names,
    target: document.target,
    auth: document.auth,
    headers: new Map(Object.entries(document.headers)),
    trust: document.trust.level,
    rateLimits: document.rate_limits.api_limits,
    operations: new Map(operations.map((operation) => [operation.name, operation])),
    types: new Map(Object.entries(document.types)),
    file,
  };
}

function resolveOperation(
  written: OperationDocument,
  endpoint: Endpoint,
  { target }: LinkedDocument,
): Operation {
  const mapsTo = parseMapsTo(written.maps_to)!;
  const { name, danger, response } = written;
  const { description } = response ?? {};
  const serialization = target.transport === 'http' ? target.serialization : 'json';
  // A large adapter has thousands of operations, and few of them are called.
  const state: { isReviewed?: boolean; isProvenRead?: boolean } = {};
  let params: WeakRef<Operation['params']> | undefined;
  return {
    name,
    endpoint,
    description: written.description ?? '',
    mapsTo,
    baseUrl: written.base_url,
    get params() {
      const known = params?.deref();
      if (known) return known;
      const read = paramsOf(written);
      params = new WeakRef(read);
      return read;
    },
    requestFormat: written.request?.format ?? serialization,
    contentType: written.request?.content_type,
    alwaysHasBody: written.request?.required ?? false,
    response: {
      type: response?.type ?? 'any',
      format: response?.format ?? 'json',
      ...(description === undefined ? {} : { description }),
    },
    pagination: written.pagination && resolvePagination(written.pagination),
    supportsFields: written.supports_fields ?? endpoint === 'read',
    defaultFields: written.default_fields,
    fieldPresets: new Map(Object.entries(written.field_presets ?? {})),
    danger: {
      level: danger?.level ?? written.danger_level ?? assumedDanger(name, endpoint),
      reasons: danger?.reasons ?? [],
      confirmationMessage: danger?.confirmation_message,
    },
    requiresConfirmation: written.requires_confirmation ?? false,
    idempotent: !(written.non_idempotent ?? repeatsHarm(endpoint, mapsTo)),
    examples: written.examples ?? [],
    deprecated: written.deprecated,
    get isReviewed() {
      return (state.isReviewed ??= isReviewed(written, endpoint));
    },
    get isProvenRead() {
      return (state.isProvenRead ??= isProvenRead(written));
    },
  };
}

function paramsOf(written: OperationDocument): Operation['params'] {
  return new Map(
    Object.entries(written.params).map(([name, param]) => {
      return [name, { ...param, name, required: param.required ?? false }];
    }),
  );
}

function isProvenRead(written: OperationDocument): boolean {
  const { name, maps_to, description, params, reviewed, base_url } = written;
  // An imported operation with an address of its own is called only after a review of that address.
  if (reviewed === false || (base_url !== undefined && reviewed !== undefined)) return false;
  const http = httpOf(maps_to);
  const judged = judge({ name, http, description, parameters: requestParams(params) });
  // What is no HTTP request has another claim: its tool's hints, or the operator's choice.
  return http ? judged.isProvenRead : judged.isUndisputed;
}

function httpOf(mapsTo: string): Judged['http'] {
  const [method = '', path] = mapsTo.split(' ', 2);
  return path?.startsWith('/') ? { method, path } : undefined;
}

/**
 * Whether repeating a call may do harm: by the endpoint, else by the rules of HTTP for the method.
 */
function repeatsHarm(endpoint: Endpoint, mapping: Mapping): boolean {
  if (endpoint === 'read') return false;
  if (endpoint === 'create' || endpoint === 'execute') return true;
  return mapping.kind !== 'http' || mapping.method === 'POST' || mapping.method === 'PATCH';
}

const POSITION_PARAMS = {
  offset: 'offset',
  page: 'page',
  cursor: 'cursor',
  link_header: 'page',
} as const;

function resolvePagination(written: PaginationDocument): Pagination {
  return {
    ...written,
    limit_param: written.limit_param ?? (written.style === 'page' ? 'page_size' : 'limit'),
    position_param: written.position_param ?? POSITION_PARAMS[written.style],
    first_page: written.first_page ?? 1,
    default_limit: Math.min(written.default_limit, written.max_limit),
  };
}
