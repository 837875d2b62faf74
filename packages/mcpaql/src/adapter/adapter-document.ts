/**
 * The content of an adapter's file, with defaults. Importers write documents; `Adapter` is built
 * from one.
 */

import type { Endpoint } from '@callsign/effects';

import type { DangerLevel } from './danger.js';
import type { TrustLevel } from './trust.js';
import type { SCHEMA_NAME } from './value-keys.js';

/**
 * `union`: one of several forms, see `one_of`. `file`: an object with `base64` or `path`. `any`: every
 * JSON value.
 */
export const PARAM_TYPES = [
  'string',
  'integer',
  'number',
  'boolean',
  'array',
  'object',
  'union',
  'file',
  'any',
] as const;

/** The type of a parameter, as an adapter's file writes it. */
export type ParamType = (typeof PARAM_TYPES)[number];

/** The values that a parameter or a part of one accepts. */
export interface ValueShape {
  readonly type: ParamType;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly (string | number | boolean)[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The value must be above it. */
  readonly exclusive_minimum?: number;
  /** The value must be below it. */
  readonly exclusive_maximum?: number;
  readonly multiple_of?: number;
  readonly min_length?: number;
  readonly max_length?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly min_items?: number;
  readonly max_items?: number;
  readonly unique_items?: boolean;
  /** The first elements, one by one. `items` has the rest. */
  readonly prefix_items?: readonly ValueShape[];
  readonly items?: ValueShape;
  readonly min_properties?: number;
  readonly max_properties?: number;
  readonly properties?: Readonly<Record<string, PropertyShape>>;
  /** Whether an object may have keys that are not in `properties`, or what their values are. */
  readonly additional_properties?: boolean | ValueShape;
  /** The forms of a union. A value must fit one of them. */
  readonly one_of?: readonly ValueShape[];
  /**
   * The name of a shape that has the other keys. Only in files: a loaded adapter has no references.
   */
  readonly shape?: string;
  /** Only while a source is imported. */
  readonly [SCHEMA_NAME]?: string;
}

/** A value inside an object. Without `required`, it may be left out. */
export interface PropertyShape extends ValueShape {
  readonly required?: boolean;
}

/** Where in an HTTP request a parameter goes; `payload` is the whole body. */
export const PARAM_PLACES = ['path', 'query', 'header', 'cookie', 'body', 'payload'] as const;

/** The format of a body. */
export const REQUEST_FORMATS = ['json', 'form', 'multipart', 'text', 'binary'] as const;

export const RESPONSE_FORMATS = ['json', 'text', 'binary'] as const;

/**
 * How an object is written outside a JSON body: `a,1,b,2`; with spaces or pipes between them in a
 * query; `a=1,b=2`; one pair per key; `name[a]=1`; JSON.
 */
export const OBJECT_STYLES = ['comma', 'space', 'pipe', 'pairs', 'keys', 'deep', 'json'] as const;

/** How a list is written: `a=1&a=2`; `a=1,2`; `a=1%202`; `a=1|2`; separated by tabs. */
export const LIST_STYLES = ['repeat', 'comma', 'space', 'pipe', 'tab'] as const;

/** How a value in a path begins. */
export const PATH_STYLES = ['label', 'matrix'] as const;

type ParamPlace = (typeof PARAM_PLACES)[number];

/** A parameter of an operation: the values that it accepts, and where they go at the target. */
export interface ParamDocument extends PropertyShape {
  readonly default?: unknown;
  /** Default: the path and the method decide. */
  readonly in?: ParamPlace;
  /** Its name at the target. Default: the same name. */
  readonly as?: string;
  /** How a list is written outside a JSON body: the key repeated, or one value with separators. */
  readonly list_style?: (typeof LIST_STYLES)[number];
  readonly object_style?: (typeof OBJECT_STYLES)[number];
  /** How a value in a path begins: `.a`, or `;name=a`. Default: as it is. */
  readonly path_style?: (typeof PATH_STYLES)[number];
  /** The media type of its part in a multipart body. */
  readonly content_type?: string;
  /** Sensitive values do not appear in messages and records. */
  readonly sensitive?: boolean;
  /** A note for the reviewer, written by importers. */
  readonly review?: string;
}

export const PAGINATION_STYLES = ['offset', 'page', 'cursor', 'link_header'] as const;

/** `link_header`: the response names its next page in the header `Link`. */
export type PaginationStyle = (typeof PAGINATION_STYLES)[number];

/** How the target pages. Paths are dotted keys into the response. */
export interface PaginationDocument {
  readonly style: PaginationStyle;
  readonly default_limit: number;
  readonly max_limit: number;
  /** The target's parameter for the page size. */
  readonly limit_param?: string;
  /** The target's parameter for the position: an offset, a page or a cursor. */
  readonly position_param?: string;
  /** The number of the first page. */
  readonly first_page?: number;
  /** The path of the list. Default: the response is the list. */
  readonly items?: string;
  readonly total?: string;
  readonly next_cursor?: string;
}

interface DangerDocument {
  readonly level: DangerLevel;
  readonly reasons?: readonly string[];
  /** The question for the user. `{param}` is replaced by the value. */
  readonly confirmation_message?: string;
}

/** One operation as written in the file. Its endpoint is the group that it is listed under. */
export interface OperationDocument {
  readonly name: string;
  /** `GET /ships/{ship_id}`, `function:name`, `command:words {param}` or `tool:name`. */
  readonly maps_to: string;
  readonly description?: string;
  /** The address that its path is appended to. Default: `target.base_url`. */
  readonly base_url?: string;
  readonly params: Readonly<Record<string, ParamDocument>>;
  readonly request?: {
    readonly format: (typeof REQUEST_FORMATS)[number];
    readonly content_type?: string;
    /** Whether a body is sent if a call has none of its fields: `{}`, or an empty form. */
    readonly required?: boolean;
  };
  readonly response?: {
    /** The name of a type, for people and models. */
    readonly type?: string;
    readonly description?: string;
    readonly format?: (typeof RESPONSE_FORMATS)[number];
  };
  readonly pagination?: PaginationDocument;
  /** Whether a caller may choose fields. Default: true if the operation reads. */
  readonly supports_fields?: boolean;
  readonly default_fields?: readonly string[];
  readonly field_presets?: Readonly<Partial<Record<'minimal' | 'standard', readonly string[]>>>;
  readonly danger_level?: DangerLevel;
  readonly danger?: DangerDocument;
  readonly requires_confirmation?: boolean;
  readonly non_idempotent?: boolean;
  readonly examples?: readonly {
    readonly description?: string;
    readonly params: Readonly<Record<string, unknown>>;
  }[];
  /** Marks it as deprecated and says what to use instead. */
  readonly deprecated?: string;
  /** A note for the reviewer, written by importers. */
  readonly review?: string;
  /**
   * Missing: a person wrote the operation. `false`: it was imported and is not reviewed. A text: the
   * fingerprint of the definition that a person has reviewed.
   */
  readonly reviewed?: false | string;
}

/** An HTTP API. Only this kind of target can become a generated package. */
export interface HttpTarget {
  readonly transport: 'http';
  readonly base_url: string;
  readonly protocol: 'rest';
  readonly serialization: 'json' | 'form';
  readonly timeout_ms: number;
  /** How often a failed call is repeated, if repeating it is safe. */
  readonly retries: number;
  readonly retry_delay_ms: number;
  readonly private_addresses: 'refused' | 'allowed';
  /** Folders that uploads may be read from, relative to the adapter's file. */
  readonly files: readonly string[];
  /**
   * The folder that binary answers are saved in, relative to the adapter's file. Default: they are
   * not saved.
   */
  readonly downloads?: string;
}

/** A module or a command on this machine. Relative paths start at the adapter's file. */
export interface NativeTarget {
  readonly transport: 'native';
  readonly module?: string;
  readonly command?: readonly string[];
  /** Environment variables that the command may read, besides a few safe ones. */
  readonly env: readonly string[];
  readonly timeout_ms: number;
}

/** An MCP server. The program that serves the adapter provides it. */
export interface McpTarget {
  readonly transport: 'mcp';
  /** Its key in the configuration. */
  readonly server: string;
}

/** Where the operations of an adapter run. */
export type Target = HttpTarget | NativeTarget | McpTarget;

/** One way to sign in. */
export type AuthScheme =
  | {
      readonly type: 'bearer';
      readonly token_env: string;
      readonly header: string;
      readonly prefix: string;
    }
  | {
      readonly type: 'api_key';
      readonly key_env: string;
      readonly header_name?: string;
      readonly query_name?: string;
      readonly cookie_name?: string;
    }
  | { readonly type: 'basic'; readonly username_env: string; readonly password_env: string }
  | {
      readonly type: 'oauth2';
      readonly token_url: string;
      readonly client_id_env: string;
      readonly client_secret_env: string;
      readonly scopes: readonly string[];
    };

/**
 * How to sign in. Credentials are in the environment, never in the file. `all`: every request carries those of all
 * schemes.
 */
export type Auth =
  | { readonly type: 'none' }
  | AuthScheme
  | { readonly type: 'all'; readonly schemes: readonly AuthScheme[] };

export const RATE_WINDOWS = ['second', 'minute', 'hour', 'day'] as const;

export type RateWindow = (typeof RATE_WINDOWS)[number];

/** A limit that the API has. Calls over it are refused before they are sent. */
export interface RateLimitDocument {
  readonly scope: 'global' | 'endpoint' | 'operation';
  readonly endpoint?: Endpoint;
  readonly operation?: string;
  readonly limit: number;
  readonly window: RateWindow;
}

export const TYPE_KINDS = ['enum', 'object', 'scalar', 'union'] as const;

/** A type of the API. It describes responses to people and models; nothing is checked by it. */
export interface TypeDocument {
  readonly kind: (typeof TYPE_KINDS)[number];
  readonly description?: string;
  readonly values?: readonly (string | number)[];
  readonly fields?: Readonly<Record<string, PropertyShape>>;
  readonly members?: readonly string[];
}

/** A whole file. Member names are those of the file, so they are in snake case. */
export interface AdapterDocument {
  readonly name: string;
  readonly type: 'adapter';
  readonly version: string;
  readonly description: string;
  readonly display_name?: string;
  readonly tool_names: { readonly pattern: string; readonly legacy: boolean };
  readonly target: Target;
  readonly auth: Auth;
  readonly headers: Readonly<Record<string, string>>;
  readonly trust: { readonly level: TrustLevel };
  readonly rate_limits: { readonly api_limits: readonly RateLimitDocument[] };
  readonly operations: Readonly<Partial<Record<Endpoint, readonly OperationDocument[]>>>;
  readonly types: Readonly<Record<string, TypeDocument>>;
  /** Shapes by name. Parameters and other shapes refer to them. */
  readonly shapes: Readonly<Record<string, ValueShape>>;
  readonly author?: string;
  readonly tags?: readonly string[];
  readonly triggers?: readonly string[];
  readonly created?: string;
  readonly modified?: string;
}
