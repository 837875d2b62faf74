/**
 * An adapter ready for use, with all defaults and parsed mappings. The other folders use only this
 * form.
 */

import type { Endpoint } from '@callsign/effects';

import type {
  Auth,
  PaginationDocument,
  PaginationStyle,
  ParamDocument,
  RateLimitDocument,
  REQUEST_FORMATS,
  RESPONSE_FORMATS,
  Target,
  TypeDocument,
} from './adapter-document.js';
import type { DangerLevel } from './danger.js';
import type { Mapping } from './maps-to.js';
import type { TrustLevel } from './trust.js';

/** A parameter with its name. `required` is always set here. */
export interface Param extends ParamDocument {
  readonly name: string;
  readonly required: boolean;
}

/** How the target pages, with the default names of its parameters filled in. */
export interface Pagination extends PaginationDocument {
  readonly style: PaginationStyle;
  readonly limit_param: string;
  readonly position_param: string;
  readonly first_page: number;
}

/** One operation, with every default resolved. Callers need no other knowledge of the file. */
export interface Operation {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly description: string;
  readonly mapsTo: Mapping;
  /** The address that its path is appended to, if it is not that of the target. */
  readonly baseUrl: string | undefined;
  readonly params: ReadonlyMap<string, Param>;
  readonly requestFormat: (typeof REQUEST_FORMATS)[number];
  /** The media type of the body. Default: the default of its format. */
  readonly contentType: string | undefined;
  /** Whether a body is sent if a call has none of its fields. */
  readonly alwaysHasBody: boolean;
  readonly response: {
    readonly type: string;
    readonly description?: string;
    readonly format: (typeof RESPONSE_FORMATS)[number];
  };
  readonly pagination: Pagination | undefined;
  readonly supportsFields: boolean;
  readonly defaultFields: readonly string[] | undefined;
  readonly fieldPresets: ReadonlyMap<string, readonly string[]>;
  readonly danger: {
    readonly level: DangerLevel;
    readonly reasons: readonly string[];
    readonly confirmationMessage: string | undefined;
  };
  readonly requiresConfirmation: boolean;
  /** Whether repeating a call is safe. */
  readonly idempotent: boolean;
  readonly examples: readonly {
    readonly description?: string;
    readonly params: Readonly<Record<string, unknown>>;
  }[];
  readonly deprecated: string | undefined;
  /** Whether a person wrote it, or has reviewed its current definition. */
  readonly isReviewed: boolean;
  /** Whether its method and its words prove that it only reads. */
  readonly isProvenRead: boolean;
}

/** A valid adapter. It is immutable: a changed file is parsed into another one. */
export interface Adapter {
  readonly name: string;
  readonly displayName: string;
  readonly version: string;
  readonly description: string;
  readonly toolNames: { readonly pattern: string; readonly legacy: boolean };
  readonly target: Target;
  readonly auth: Auth;
  readonly headers: ReadonlyMap<string, string>;
  readonly trust: TrustLevel;
  readonly rateLimits: readonly RateLimitDocument[];
  /** By name, in the order of the endpoints, then of the file. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly types: ReadonlyMap<string, TypeDocument>;
  /** The adapter's file. Relative paths start there. */
  readonly file: string;
}
