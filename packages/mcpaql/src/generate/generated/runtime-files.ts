/** The runtime of generated packages, as text; `npx vitest run packages/mcpaql/src/generate -u` writes it anew. */

/* oxlint-disable max-lines -- nobody reads it: its sources stand in the folders around */

const FILES = new Map<string, string>();

export const RUNTIME_FILES: ReadonlyMap<string, string> = FILES;

FILES.set(
  'adapter/adapter-document.ts',
  `/** An adapter as its file says it, defaults filled in. Importers write these; \`Adapter\` is made of one. */

import type { Endpoint } from '../house.js';

import type { DangerLevel } from './danger.js';
import type { TrustLevel } from './trust.js';

export const PARAM_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;

export type ParamType = (typeof PARAM_TYPES)[number];

/** What a value may be. */
export interface ValueShape {
  readonly type: ParamType;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly (string | number | boolean)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly min_length?: number;
  readonly max_length?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly min_items?: number;
  readonly max_items?: number;
  readonly items?: ValueShape;
  readonly properties?: Readonly<Record<string, PropertyShape>>;
  /** Whether an object may hold more than its \`properties\`. */
  readonly additional_properties?: boolean;
}

export interface PropertyShape extends ValueShape {
  readonly required?: boolean;
}

/** Where in an HTTP request a parameter goes; \`payload\` is the whole body. */
export const PARAM_PLACES = ['path', 'query', 'header', 'body', 'payload'] as const;

type ParamPlace = (typeof PARAM_PLACES)[number];

export interface ParamDocument extends PropertyShape {
  readonly default?: unknown;
  /** By the path and the method if absent. */
  readonly in?: ParamPlace;
  /** Its name at the target, where that is not its own. */
  readonly as?: string;
  /** How a list is written into a query: the key again and again, or one value with commas. */
  readonly list_style?: 'repeat' | 'comma';
  /** Its value is kept out of messages and records. */
  readonly sensitive?: boolean;
  /** What a person should look at; importers write it. */
  readonly review?: string;
}

export const PAGINATION_STYLES = ['offset', 'page', 'cursor', 'link_header'] as const;

export type PaginationStyle = (typeof PAGINATION_STYLES)[number];

/** How the target pages. Paths are keys with dots between, into the response. */
export interface PaginationDocument {
  readonly style: PaginationStyle;
  readonly default_limit: number;
  readonly max_limit: number;
  /** The target's parameter for the size of a page. */
  readonly limit_param?: string;
  /** The target's parameter for the place: an offset, a page, a cursor. */
  readonly position_param?: string;
  /** The number of the first page. */
  readonly first_page?: number;
  /** Where the list stands; the response itself if absent. */
  readonly items?: string;
  readonly total?: string;
  readonly next_cursor?: string;
}

interface DangerDocument {
  readonly level: DangerLevel;
  readonly reasons?: readonly string[];
  /** \`{param}\` is filled in. */
  readonly confirmation_message?: string;
}

export interface OperationDocument {
  readonly name: string;
  /** \`GET /ships/{ship_id}\`, \`function:name\`, \`command:words {param}\` or \`tool:name\`. */
  readonly maps_to: string;
  readonly description?: string;
  readonly params: Readonly<Record<string, ParamDocument>>;
  readonly request?: { readonly format: 'json' | 'form' };
  readonly response?: {
    /** The name of a type, for people and models. */
    readonly type?: string;
    readonly description?: string;
    readonly format?: 'json' | 'text';
  };
  readonly pagination?: PaginationDocument;
  /** Whether a caller may choose fields; where it reads, if absent. */
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
  /** What to use in its place. */
  readonly deprecated?: string;
  /** What a person should look at; importers write it. */
  readonly review?: string;
}

export interface HttpTarget {
  readonly transport: 'http';
  readonly base_url: string;
  readonly protocol: 'rest';
  readonly serialization: 'json' | 'form';
  readonly timeout_ms: number;
  /** How often a failed call is sent again, where repeating it does no harm. */
  readonly retries: number;
  readonly retry_delay_ms: number;
  readonly private_addresses: 'refused' | 'allowed';
}

/** A module or a command on this machine; a relative path starts at the adapter's file. */
export interface NativeTarget {
  readonly transport: 'native';
  readonly module?: string;
  readonly command?: readonly string[];
  /** Names of environment variables that the command may see besides a few safe ones. */
  readonly env: readonly string[];
  readonly timeout_ms: number;
}

/** An MCP server that whoever serves the adapter provides. */
export interface McpTarget {
  readonly transport: 'mcp';
  /** Its key in the configuration. */
  readonly server: string;
}

export type Target = HttpTarget | NativeTarget | McpTarget;

/** Where credentials are found. They stand in the environment, never in the file. */
export type Auth =
  | { readonly type: 'none' }
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
    }
  | { readonly type: 'basic'; readonly username_env: string; readonly password_env: string }
  | {
      readonly type: 'oauth2';
      readonly token_url: string;
      readonly client_id_env: string;
      readonly client_secret_env: string;
      readonly scopes: readonly string[];
    };

export const RATE_WINDOWS = ['second', 'minute', 'hour', 'day'] as const;

export type RateWindow = (typeof RATE_WINDOWS)[number];

export interface RateLimitDocument {
  readonly scope: 'global' | 'endpoint' | 'operation';
  readonly endpoint?: Endpoint;
  readonly operation?: string;
  readonly limit: number;
  readonly window: RateWindow;
}

export const TYPE_KINDS = ['enum', 'object', 'scalar', 'union'] as const;

export interface TypeDocument {
  readonly kind: (typeof TYPE_KINDS)[number];
  readonly description?: string;
  readonly values?: readonly (string | number)[];
  readonly fields?: Readonly<Record<string, PropertyShape>>;
  readonly members?: readonly string[];
}

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
  readonly author?: string;
  readonly tags?: readonly string[];
  readonly triggers?: readonly string[];
  readonly created?: string;
  readonly modified?: string;
}
`,
);

FILES.set(
  'adapter/adapter.ts',
  `/** An adapter ready for use: every default decided, every mapping read. What all other folders work on. */

import type { Endpoint } from '../house.js';

import type {
  Auth,
  PaginationDocument,
  PaginationStyle,
  ParamDocument,
} from './adapter-document.js';
import type { RateLimitDocument, Target, TypeDocument } from './adapter-document.js';
import type { DangerLevel } from './danger.js';
import type { Mapping } from './maps-to.js';
import type { TrustLevel } from './trust.js';

export interface Param extends ParamDocument {
  readonly name: string;
  readonly required: boolean;
}

export interface Pagination extends PaginationDocument {
  readonly style: PaginationStyle;
  readonly limit_param: string;
  readonly position_param: string;
  readonly first_page: number;
}

export interface Operation {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly description: string;
  readonly mapsTo: Mapping;
  readonly params: ReadonlyMap<string, Param>;
  readonly requestFormat: 'json' | 'form';
  readonly response: {
    readonly type: string;
    readonly description?: string;
    readonly format: 'json' | 'text';
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
  /** Whether it may be sent again without harm. */
  readonly idempotent: boolean;
  readonly examples: readonly {
    readonly description?: string;
    readonly params: Readonly<Record<string, unknown>>;
  }[];
  readonly deprecated: string | undefined;
}

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
  /** By name, in the order of the endpoints and then of the file. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly types: ReadonlyMap<string, TypeDocument>;
  /** The file that it came from; relative paths in it start there. */
  readonly file: string;
}
`,
);

FILES.set(
  'adapter/danger.ts',
  `/** How dangerous an operation is: what its author says, else what its name says, else what its endpoint says. */

import type { Endpoint } from '../house.js';

/** From harmless to never. */
export const DANGER_LEVELS = [
  'safe',
  'reversible',
  'destructive',
  'dangerous',
  'forbidden',
] as const;

export type DangerLevel = (typeof DANGER_LEVELS)[number];

const BY_ENDPOINT: Readonly<Record<Endpoint, DangerLevel>> = {
  create: 'reversible',
  read: 'safe',
  update: 'reversible',
  delete: 'destructive',
  execute: 'reversible',
};

/** Names that tell more than their endpoint, the worst first: of several that fit, the worst counts. */
const BY_NAME: readonly (readonly [pattern: RegExp, level: DangerLevel])[] = [
  [/^(?:drop|truncate|reset|destroy|wipe)_|^delete_all|_production$/, 'forbidden'],
  [/^(?:force|override|bypass|purge)_|^bulk_delete|_permanently$|_without_backup$/, 'dangerous'],
];

export function isAtLeast(level: DangerLevel, least: DangerLevel): boolean {
  return DANGER_LEVELS.indexOf(level) >= DANGER_LEVELS.indexOf(least);
}

/** The level of an operation whose author states none. Reading is safe, whatever it is called. */
export function assumedDanger(name: string, endpoint: Endpoint): DangerLevel {
  if (endpoint === 'read') return 'safe';
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? BY_ENDPOINT[endpoint];
}
`,
);

FILES.set(
  'adapter/maps-to.ts',
  `/** What an operation is made of at its target: the text of \`maps_to\`, read into parts and back. */

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Literal text, or the place of a parameter. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string };

export type Mapping =
  | {
      readonly kind: 'http';
      readonly method: HttpMethod;
      readonly path: readonly TemplatePart[];
    }
  /** One list of parts for each word: a value never becomes two. */
  | { readonly kind: 'command'; readonly words: readonly (readonly TemplatePart[])[] }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'tool'; readonly name: string };

const HTTP = new RegExp(\`^(\${HTTP_METHODS.join('|')}) (/\\\\S*)$\`);
const NAMED = /^(function|tool):(\\S+)$/;
const COMMAND = /^command:(.*)$/;
const PLACEHOLDER = /\\{([^{}]*)\\}/g;

/** \`undefined\` for text of no known form. */
export function parseMapsTo(text: string): Mapping | undefined {
  const [, method, path] = HTTP.exec(text) ?? [];
  if (method !== undefined) {
    return { kind: 'http', method: method as HttpMethod, path: templateOf(path!) };
  }
  const [, kind, name] = NAMED.exec(text) ?? [];
  if (kind !== undefined) return { kind: kind as 'function' | 'tool', name: name! };
  const [, words] = COMMAND.exec(text) ?? [];
  if (words === undefined) return undefined;
  return { kind: 'command', words: words.split(' ').filter(Boolean).map(templateOf) };
}

/** The parameters that stand in a mapping. */
export function placeholdersOf(mapping: Mapping): string[] {
  const parts =
    mapping.kind === 'http' ? mapping.path : mapping.kind === 'command' ? mapping.words.flat() : [];
  return parts.flatMap((part) => (part.kind === 'param' ? part.name : []));
}

function templateOf(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const { 0: whole, 1: name = '', index } of text.matchAll(PLACEHOLDER)) {
    if (index > end) parts.push({ kind: 'text', text: text.slice(end, index) });
    parts.push({ kind: 'param', name });
    end = index + whole.length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}
`,
);

FILES.set(
  'adapter/reserved-operations.ts',
  `/** Names of operations that belong to the protocol itself. */

export const INTROSPECT = 'introspect';

export const RESERVED_OPERATIONS: ReadonlySet<string> = new Set([
  INTROSPECT,
  'execute_agent',
  'complete_execution',
  'abort_execution',
  'confirm_operation',
  'record_execution_step',
  'verify_challenge',
]);
`,
);

FILES.set(
  'adapter/trust.ts',
  `/** How far an adapter has been looked at, and what it may do at each stage. */

import { type DangerLevel, isAtLeast } from './danger.js';

/** From a first draft to what somebody vouches for. */
export const TRUST_LEVELS = [
  'untested',
  'generated',
  'validated',
  'community_reviewed',
  'certified',
] as const;

export type TrustLevel = (typeof TRUST_LEVELS)[number];

export type Verdict = 'allow' | 'confirm' | 'deny';

/** The worst that an adapter of each level may do; an untested one may only be introspected. */
const WORST: Readonly<Record<TrustLevel, DangerLevel | undefined>> = {
  untested: undefined,
  generated: 'safe',
  validated: 'destructive',
  community_reviewed: 'dangerous',
  certified: 'forbidden',
};

/** Whatever destroys is confirmed first, at every level of trust. */
export function verdictOn(danger: DangerLevel, trust: TrustLevel): Verdict {
  const worst = WORST[trust];
  if (worst === undefined || (danger !== worst && isAtLeast(danger, worst))) return 'deny';
  return isAtLeast(danger, 'destructive') ? 'confirm' : 'allow';
}

/** The least trust at which an operation of this danger is not refused. */
export function trustNeededFor(danger: DangerLevel): TrustLevel {
  return TRUST_LEVELS.find((level) => verdictOn(danger, level) !== 'deny') ?? 'certified';
}
`,
);

FILES.set(
  'adapter/type-fits.ts',
  `/** Whether a value is of the type that a parameter names. */

import type { ParamType } from './adapter-document.js';

export function typeFits(
  value: unknown,
  { type, nullable = false }: { readonly type: ParamType; readonly nullable?: boolean },
): boolean {
  if (value === null) return nullable;
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
`,
);

FILES.set(
  'execute/credentials.ts',
  `/** How an adapter signs in: out of the environment, for each call, and never into a message. */

import type { Auth } from '../adapter/adapter-document.js';
import type { GuardedFetch } from '../outbound/guarded-fetch.js';
import { ProtocolError } from '../protocol/protocol-error.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Credentials {
  readonly headers: ReadonlyMap<string, string>;
  readonly query: ReadonlyMap<string, string>;
  /** What must not be seen anywhere, in every form in which it travels. */
  readonly secrets: readonly string[];
}

export interface CredentialSource {
  current(signal: AbortSignal): Promise<Credentials>;
  /** The target did not take them. True if there may be others next time. */
  refused(): boolean;
}

interface Token {
  readonly value: string;
  readonly expiresAt: number;
}

const NONE: ReadonlyMap<string, string> = new Map();
/** A token is renewed a little before its time: it must not expire on its way. */
const EARLY_MS = 30_000;
const DEFAULT_LIFETIME_S = 300;

export function createCredentials(
  auth: Auth,
  env: Environment,
  fetch: GuardedFetch,
): CredentialSource {
  if (auth.type === 'oauth2') return createTokenSource(auth, env, fetch);
  return {
    // Read each time, so that a changed environment counts; nothing secret is kept.
    current: async () => credentialsOf(auth, env),
    refused: () => false,
  };
}

function credentialsOf(auth: Exclude<Auth, { type: 'oauth2' }>, env: Environment): Credentials {
  switch (auth.type) {
    case 'none':
      return { headers: NONE, query: NONE, secrets: [] };
    case 'bearer': {
      const token = read(env, auth.token_env);
      return inHeader(auth.header, auth.prefix + token, [token]);
    }
    case 'api_key': {
      const key = read(env, auth.key_env);
      if (auth.header_name !== undefined) return inHeader(auth.header_name, key, [key]);
      return { headers: NONE, query: new Map([[auth.query_name!, key]]), secrets: [key] };
    }
    case 'basic': {
      const password = read(env, auth.password_env);
      const encoded = base64(\`\${read(env, auth.username_env)}:\${password}\`);
      return inHeader('Authorization', \`Basic \${encoded}\`, [password, encoded]);
    }
  }
}

/** Fetches a token when one is needed; calls that come meanwhile wait for the same one. */
function createTokenSource(
  auth: Auth & { type: 'oauth2' },
  env: Environment,
  fetch: GuardedFetch,
): CredentialSource {
  let token: Token | undefined;
  let fetching: Promise<Token> | undefined;
  const fresh = (): Promise<Token> =>
    (fetching ??= fetchToken(auth, env, fetch).finally(() => {
      fetching = undefined;
    }));
  return {
    async current() {
      if (!token || token.expiresAt - EARLY_MS <= Date.now()) token = await fresh();
      const { value } = token;
      return inHeader('Authorization', \`Bearer \${value}\`, [
        value,
        read(env, auth.client_secret_env),
      ]);
    },
    refused() {
      const had = token !== undefined;
      token = undefined;
      return had;
    },
  };
}

async function fetchToken(
  { token_url, client_id_env, client_secret_env, scopes }: Auth & { type: 'oauth2' },
  env: Environment,
  fetch: GuardedFetch,
): Promise<Token> {
  const [id, secret] = [read(env, client_id_env), read(env, client_secret_env)];
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scopes.length > 0) body.set('scope', scopes.join(' '));
  const response = await fetch(token_url, {
    method: 'POST',
    headers: {
      authorization: \`Basic \${base64(\`\${encodeURIComponent(id)}:\${encodeURIComponent(secret)}\`)}\`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: body.toString(),
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  });
  const answer: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  const { access_token, expires_in } = (answer ?? {}) as Record<string, unknown>;
  if (typeof access_token !== 'string' || access_token === '') {
    const message = \`The sign-in at auth.token_url failed (HTTP \${response.status}); check \${client_id_env} and \${client_secret_env}.\`;
    throw new ProtocolError('PERMISSION_DENIED', message, { http_status: response.status });
  }
  const seconds = typeof expires_in === 'number' ? expires_in : DEFAULT_LIFETIME_S;
  return { value: access_token, expiresAt: Date.now() + seconds * 1000 };
}

function read(env: Environment, name: string): string {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value === undefined || value === '') {
    const message = \`The environment variable '\${name}' is not set; the target needs it to sign in.\`;
    throw new ProtocolError('AUTH_CREDENTIAL_MISSING', message, { variable: name });
  }
  if (/[\\r\\n\\0]/.test(value)) {
    const message = \`The environment variable '\${name}' holds a line break; set it to one line.\`;
    throw new ProtocolError('AUTH_CONFIG_INVALID', message, { variable: name });
  }
  return value;
}

function inHeader(name: string, value: string, secrets: readonly string[]): Credentials {
  return { headers: new Map([[name, value]]), query: NONE, secrets };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
`,
);

FILES.set(
  'execute/executor.ts',
  `/** Whoever really does an operation. */

import type { Call } from '../house.js';

import type { Operation } from '../adapter/adapter.js';
import type { Params } from '../protocol/validate.js';

export interface Execution {
  readonly operation: Operation;
  readonly params: Params;
  /** Parameters of the target itself, such as those for a page. */
  readonly query: ReadonlyMap<string, string>;
  /** Ends when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** The call that asks for it, for whoever has more to say to the caller. */
  readonly call: Call;
}

export interface Executed {
  readonly data: unknown;
  /** Where the next page is, if the target says so in a header. */
  readonly nextLink?: string | undefined;
}

/** Rejects with a ProtocolError. */
export type Executor = (execution: Execution) => Promise<Executed>;

export interface OwnedExecutor {
  readonly execute: Executor;
  /** Ends what it holds open. */
  close(): Promise<void>;
}
`,
);

FILES.set(
  'execute/http-executor.ts',
  `/** Operations over HTTP: sent, repeated where that does no harm, read within limits, failures understood. */

import { setTimeout as sleep } from 'node:timers/promises';

import type { Adapter } from '../adapter/adapter.js';
import type { HttpTarget } from '../adapter/adapter-document.js';
import { isLoopbackName } from '../outbound/address-rules.js';
import { createGuardedFetch, type Lookup } from '../outbound/guarded-fetch.js';
import { readLimited } from '../outbound/read-limited.js';
import { LIMITS } from '../protocol/limits.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import { createCredentials, type Credentials } from './credentials.js';
import type { Executed, Execution, OwnedExecutor } from './executor.js';
import { answerFailure, type HttpAnswer, sendFailure, waitOf } from './http-failure.js';
import { buildRequest, type HttpRequest } from './http-request.js';

export interface HttpExecutorOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly baseUrl?: string;
  readonly lookup?: Lookup;
}

type HttpAdapter = Pick<Adapter, 'auth' | 'headers'> & { readonly target: HttpTarget };

/** Answers after which the same request may succeed. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const PREVIEW = 200;

export function createHttpExecutor(
  { target, auth, headers: fixed }: HttpAdapter,
  { env, baseUrl = target.base_url, lookup }: HttpExecutorOptions,
): OwnedExecutor {
  const fetch = createGuardedFetch({
    privateAddresses: target.private_addresses,
    trustedOrigins: ownOrigins(baseUrl, auth.type === 'oauth2' ? auth.token_url : baseUrl),
    secretHeaders: [...fixed.keys(), ...(auth.type === 'api_key' ? [auth.header_name ?? ''] : [])],
    ...(lookup ? { lookup } : {}),
  });
  const credentials = createCredentials(auth, env, fetch);

  return { execute, close: () => fetch.close() };

  async function execute(execution: Execution): Promise<Executed> {
    const { operation, params, query, signal } = execution;
    const request = buildRequest(operation, params, query, baseUrl);
    const attempts = operation.idempotent ? target.retries : 0;
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt === attempts;
      const answer = await sendSigned(request, signal).catch((error: unknown) => {
        const failure = sendFailure(error, signal, target.timeout_ms);
        if (isLast || !isPassing(failure)) throw failure;
        return undefined;
      });
      if (answer && (isLast || !TEMPORARY.has(answer.status))) return readAnswer(answer, execution);
      const wait = answer?.status === 429 ? waitOf(answer) : backoff(attempt);
      // Whoever has to wait longer than a call may take is better told so.
      if (answer && wait > target.timeout_ms) return readAnswer(answer, execution);
      await sleep(wait, undefined, { signal }).catch((error: unknown) => {
        throw sendFailure(error, signal, target.timeout_ms);
      });
    }
  }

  /** A token that the target no longer takes is exchanged once: the call itself did not happen. */
  async function sendSigned(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const answer = await send(request, await credentials.current(signal), signal);
    if (answer.status !== 401 || !credentials.refused()) return answer;
    return send(request, await credentials.current(signal), signal);
  }

  async function send(
    { method, url, headers, body }: HttpRequest,
    { headers: signed, query, secrets }: Credentials,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const signedUrl = new URL(url);
    for (const [name, value] of query) signedUrl.searchParams.set(name, value);
    const response = await fetch(signedUrl, {
      method,
      // Later ones win: no parameter and no file replaces how we sign in.
      headers: merged([['accept', 'application/json, text/plain;q=0.5']], fixed, headers, signed),
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(target.timeout_ms)]),
    });
    const text = redact(await readLimited(response, LIMITS.max_response_size), secrets);
    return { status: response.status, headers: response.headers, text };
  }

  function backoff(attempt: number): number {
    return Math.min(target.retry_delay_ms * 2 ** attempt, target.timeout_ms);
  }
}

/** Whoever writes localhost into an adapter means this machine, and that port of it only. */
function ownOrigins(...addresses: readonly string[]): string[] {
  return addresses
    .map((address) => new URL(address))
    .filter(({ hostname }) => isLoopbackName(hostname))
    .map(({ origin }) => origin);
}

function merged(...parts: readonly Iterable<readonly [string, string]>[]): Headers {
  const headers = new Headers();
  for (const part of parts) for (const [name, value] of part) headers.set(name, value);
  return headers;
}

function isPassing(error: Error): boolean {
  return error instanceof ProtocolError && error.code.startsWith('TRANSPORT_');
}

function readAnswer(answer: HttpAnswer, { operation }: Execution): Executed {
  if (answer.status < 200 || answer.status > 299) throw answerFailure(answer);
  const nextLink = nextLinkIn(answer.headers.get('link'));
  const text = answer.text.startsWith('\\ufeff') ? answer.text.slice(1) : answer.text;
  if (operation.response.format === 'text') return { data: text, nextLink };
  if (text.trim() === '') return { data: null, nextLink };
  try {
    return { data: JSON.parse(text) as unknown, nextLink };
  } catch {
    const message = 'The target answered something that is not JSON; see response.format: text.';
    throw new ProtocolError('SERIALIZATION_PARSE_ERROR', message, {
      http_status: answer.status,
      preview: text.slice(0, PREVIEW),
    });
  }
}

/** \`<https://…?page=3>; rel="next"\` among others. */
function nextLinkIn(header: string | null): string | undefined {
  for (const link of (header ?? '').slice(0, 8192).split(/,\\s*(?=<)/)) {
    const [, url] = /^\\s*<([^<>]*)>/.exec(link) ?? [];
    if (url !== undefined && /;\\s*rel="?next"?(?:[\\s;,]|$)/i.test(link)) return url;
  }
  return undefined;
}

/** Some targets tell what they were sent; a secret must not come back that way. */
function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length > 3)
    .reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
}
`,
);

FILES.set(
  'execute/http-failure.ts',
  `/** What a failed HTTP call means in the protocol's words. */

import { HouseError } from '../house.js';

import { AddressRefused } from '../outbound/guarded-fetch.js';
import { BodyTooLarge } from '../outbound/read-limited.js';
import { LIMITS, tooLarge } from '../protocol/limits.js';
import { type ErrorCode, ProtocolError } from '../protocol/protocol-error.js';
import { exceeded } from '../protocol/rate-limiter.js';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Longer is no sentence, and costs the caller's model. */
const MAX_MESSAGE = 300;
/** A day; a target that wants more is as good as closed. */
const MAX_WAIT_MS = 86_400_000;
const DEFAULT_WAIT_MS = 1000;

/** An answer that is no success. */
export function answerFailure(answer: HttpAnswer): ProtocolError {
  const { status } = answer;
  const said = messageIn(answer);
  if (status === 429) return exceeded(waitOf(answer), Date.now());
  const [code, fallback] = meaningOf(status);
  const message = said === undefined ? fallback : \`The target says: \${said}\`;
  return new ProtocolError(code, message, { http_status: status });
}

/** How long the target asks to wait: seconds, or a date. */
export function waitOf({ headers }: HttpAnswer, now: number = Date.now()): number {
  const written = headers.get('retry-after') ?? '';
  const wait = /^\\d{1,9}$/.test(written) ? Number(written) * 1000 : Date.parse(written) - now;
  return Number.isNaN(wait) ? DEFAULT_WAIT_MS : Math.min(Math.max(wait, 0), MAX_WAIT_MS);
}

function meaningOf(status: number): readonly [ErrorCode, string] {
  switch (status) {
    case 401:
      return ['PERMISSION_DENIED', 'The target does not accept our credentials; check them.'];
    case 403:
      return ['PERMISSION_DENIED', 'The target does not allow this with our credentials.'];
    case 404:
    case 410:
      return ['NOT_FOUND_RESOURCE', 'The target has no such thing.'];
    case 409:
      return [
        'CONFLICT_ALREADY_EXISTS',
        'The target has this already, or it has changed meanwhile.',
      ];
  }
  if (status >= 400 && status < 500) {
    return ['VALIDATION_INVALID_TYPE', \`The target does not accept the request (HTTP \${status}).\`];
  }
  return ['INTERNAL_ERROR', \`The target failed (HTTP \${status}); try again later.\`];
}

/** The sentence in an error's body, wherever APIs put it; markup and control characters are no sentence. */
function messageIn({ text }: HttpAnswer): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const said = [
    at(body, 'message'),
    at(at(body, 'error'), 'message'),
    at(body, 'error'),
    at(body, 'detail'),
    at(at(at(body, 'errors'), 0), 'message'),
  ].find((each) => typeof each === 'string' && each.trim() !== '') as string | undefined;
  return said
    ?.replace(/\\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_MESSAGE);
}

function at(value: unknown, key: string | number): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isOwn ? (value as Record<string | number, unknown>)[key] : undefined;
}

const BY_CAUSE: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [
    /^(?:ENOTFOUND|EAI_)/,
    'TRANSPORT_DNS_ERROR',
    'The target’s name is not known; check target.base_url.',
  ],
  [/^ECONNREFUSED$/, 'TRANSPORT_CONNECTION_REFUSED', 'Nobody answers at the target’s address.'],
  [/TIMEOUT|ETIMEDOUT/, 'TRANSPORT_TIMEOUT', 'The target could not be reached in time.'],
  [/CERT|TLS|SSL|SIGNATURE/, 'TRANSPORT_TLS_ERROR', 'The target’s certificate is not accepted.'],
];

/** A call that never got an answer. The words of the network stay here: they may hold addresses. */
export function sendFailure(error: unknown, signal: AbortSignal, timeoutMs: number): Error {
  if (error instanceof ProtocolError || error instanceof HouseError) return error;
  if (error instanceof BodyTooLarge) {
    return tooLarge('response_size', LIMITS.max_response_size, error.size, 'bytes');
  }
  if (signal.aborted) return new HouseError('call-cancelled');
  if (error instanceof Error && error.name === 'TimeoutError') {
    const message = \`The target did not answer within \${timeoutMs / 1000} s.\`;
    return new ProtocolError('TRANSPORT_TIMEOUT', message, { timeout_ms: timeoutMs });
  }
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof AddressRefused) {
    const message = \`\${cause.message} Allow target.private_addresses if the target is in your own network.\`;
    return new ProtocolError('PERMISSION_DENIED', message, { reason: 'address' });
  }
  const code = String(at(cause, 'code') ?? '');
  const [, known, message] = BY_CAUSE.find(([pattern]) => pattern.test(code)) ?? [];
  if (known !== undefined) return new ProtocolError(known, message!);
  return new ProtocolError('TRANSPORT_NETWORK_ERROR', 'The connection to the target broke off.');
}
`,
);

FILES.set(
  'execute/http-request.ts',
  `/** An operation and its parameters as an HTTP request. No value leaves the place that it was meant for. */

import type { Operation, Param } from '../adapter/adapter.js';
import type { HttpMethod, Mapping } from '../adapter/maps-to.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import type { Params } from '../protocol/validate.js';

export interface HttpRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly headers: Map<string, string>;
  readonly body: string | undefined;
}

type HttpMapping = Mapping & { readonly kind: 'http' };

/** Segments that lead elsewhere, also when somebody has encoded them. */
const DOTS = /^(?:\\.|%2e){1,2}$/i;
const CONTROL = /[\\u0000-\\u001f\\u007f]/;

export function buildRequest(
  operation: Operation,
  params: Params,
  query: ReadonlyMap<string, string>,
  baseUrl: string,
): HttpRequest {
  const mapping = operation.mapsTo as HttpMapping;
  const url = urlOf(mapping, params, baseUrl);
  const headers = new Map<string, string>();
  const body = new Map<string, unknown>();
  let payload: unknown;
  for (const [name, value] of params) {
    const param = operation.params.get(name)!;
    const wireName = param.as ?? name;
    switch (placeOf(param, mapping)) {
      case 'path':
        break;
      case 'query':
        addToQuery(url, wireName, value, param.list_style);
        break;
      case 'header':
        headers.set(wireName, headerValue(name, value));
        break;
      case 'body':
        body.set(wireName, value);
        break;
      case 'payload':
        payload = value;
    }
  }
  for (const [name, value] of query) url.searchParams.set(name, value);
  const sent = payload ?? (body.size > 0 ? Object.fromEntries(body) : undefined);
  if (sent === undefined) return { method: mapping.method, url, headers, body: undefined };
  const isForm = operation.requestFormat === 'form';
  headers.set('content-type', isForm ? 'application/x-www-form-urlencoded' : 'application/json');
  return {
    method: mapping.method,
    url,
    headers,
    body: isForm ? formOf(sent) : JSON.stringify(sent),
  };
}

function placeOf(param: Param, { method, path }: HttpMapping): NonNullable<Param['in']> {
  if (path.some((part) => part.kind === 'param' && part.name === param.name)) return 'path';
  return param.in ?? (method === 'GET' || method === 'DELETE' ? 'query' : 'body');
}

/** Put behind the base as text: resolving it against the base would lose the base's own path. */
function urlOf({ path }: HttpMapping, params: Params, baseUrl: string): URL {
  const written = path
    .map((part) => (part.kind === 'text' ? part.text : pathValue(part.name, params.get(part.name))))
    .join('');
  const base = baseUrl.replace(/\\/+$/, '');
  const wrong = written.split('/').find((segment) => DOTS.test(segment));
  const url = wrong === undefined ? new URL(base + written) : undefined;
  // Whatever the parser made of it must still be what was put together here.
  if (!url || !url.pathname.startsWith(new URL(\`\${base}/\`).pathname)) {
    throw refused('The path leads elsewhere; no part of it may be "." or "..".');
  }
  return url;
}

/** Always encoded, even if it looks encoded already: an address in disguise stays text. */
function pathValue(name: string, value: unknown): string {
  const text = Array.isArray(value) ? value.map(String).join(',') : scalar(name, value);
  if (text === '' || CONTROL.test(text)) {
    throw refused(\`Parameter '\${name}' stands in a path; it must be text that can be seen.\`, name);
  }
  return encodeURIComponent(text);
}

function addToQuery(url: URL, name: string, value: unknown, style: Param['list_style']): void {
  if (value === null) return;
  if (!Array.isArray(value)) url.searchParams.append(name, textOf(value));
  else if (style === 'comma') url.searchParams.append(name, value.map(textOf).join(','));
  else for (const element of value) url.searchParams.append(name, textOf(element));
}

function formOf(sent: unknown): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(sent as object)) {
    for (const element of Array.isArray(value) ? (value as unknown[]) : [value]) {
      form.append(name, textOf(element));
    }
  }
  return form.toString();
}

function headerValue(name: string, value: unknown): string {
  const text = Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value);
  if (CONTROL.test(text))
    throw refused(\`Parameter '\${name}' goes into a header; it must be one line.\`, name);
  return text;
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function scalar(name: string, value: unknown): string {
  if (typeof value === 'object' || value === undefined) {
    throw refused(\`Parameter '\${name}' stands in a path; it must be a single value.\`, name);
  }
  return String(value);
}

function refused(message: string, param_name?: string): ProtocolError {
  const details = param_name === undefined ? undefined : { param_name };
  return new ProtocolError('VALIDATION_INVALID_VALUE', message, details);
}
`,
);

FILES.set(
  'house.ts',
  `/** The few things that the protocol takes from the rooms of Callsign, for a package that stands alone. */

export { elementsOf, memberText, membersOf, type Range } from './house/json-text.js';
export { editDistance } from './house/edit-distance.js';

export const ENDPOINTS = ['create', 'read', 'update', 'delete', 'execute'] as const;

export type Endpoint = (typeof ENDPOINTS)[number];

/** One call on its way. */
export interface Call {
  /** The parameters of \`tools/call\`, as JSON text. */
  readonly params: string;
  readonly caller: { readonly id: string; readonly era: 'session' | 'stateless' };
  readonly isCancelled: boolean;
  /** Called once if the caller gives up. Set by whoever has work to stop. */
  onCancel: ((reason: string | undefined) => void) | undefined;
}

export interface Reply {
  readonly ok: boolean;
  /** A result, as JSON text. */
  readonly json: string;
}

/** The caller no longer waits; there is nobody to answer to. */
export class HouseError extends Error {
  readonly code: 'call-cancelled';

  constructor(code: 'call-cancelled') {
    super('The call was cancelled.');
    this.name = 'HouseError';
    this.code = code;
  }
}
`,
);

FILES.set(
  'house/edit-distance.ts',
  `/** How many typing slips lie between two words; swapping two neighbours counts as one. */

// Three rows, kept between calls: suggestions measure thousands of pairs in a row.
let [before, previous, current] = [new Uint16Array(64), new Uint16Array(64), new Uint16Array(64)];

/** The distance, or \`limit + 1\` as soon as it is certain to be more than \`limit\`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let start = 0;
  const shorter = Math.min(a.length, b.length);
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  return bandedDistance(a.slice(start, endA), b.slice(start, endB), limit);
}

/** Only cells within \`limit\` of the diagonal can lead to a distance within \`limit\`. */
function bandedDistance(a: string, b: string, limit: number): number {
  if (a.length === 0 || b.length === 0) return Math.min(a.length + b.length, limit + 1);
  makeRoom(b.length + 1);
  for (let j = 0; j <= b.length; j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    current.fill(limit + 1, from - 1, Math.min(to + 2, b.length + 1));
    if (from === 1) current[0] = i;
    let best = from === 1 ? i : limit + 1;
    for (let j = from; j <= to; j++) {
      const cost = cell(a, b, i, j);
      current[j] = cost;
      if (cost < best) best = cost;
    }
    if (best > limit) return limit + 1;
    [before, previous, current] = [previous, current, before];
  }
  return Math.min(previous[b.length]!, limit + 1);
}

function cell(a: string, b: string, i: number, j: number): number {
  const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
  const changed = previous[j - 1]! + (isSame ? 0 : 1);
  const cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, changed);
  const isSwapped =
    i > 1 &&
    j > 1 &&
    a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
    a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
  return isSwapped ? Math.min(cost, before[j - 2]! + 1) : cost;
}

function makeRoom(length: number): void {
  if (previous.length >= length) return;
  const size = length * 2;
  [before, previous, current] = [
    new Uint16Array(size),
    new Uint16Array(size),
    new Uint16Array(size),
  ];
}
`,
);

FILES.set(
  'house/json-scan.ts',
  `/**
 * Walks JSON text without building values: where a value ends, and whether it is JSON at all.
 * Accepts what \`JSON.parse\` accepts, so that nothing we forward reads differently at the other end.
 */

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Deeper nesting is refused: it serves nobody, and the next parser may recurse. */
const MAX_DEPTH = 512;
/** What is open around the place of a walk, 1 for objects. A walk over one value runs to its end, so one is enough. */
const INSIDE = new Uint8Array(MAX_DEPTH);
const NUMBER = /-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?/y;
const ESCAPE = /\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const CONTROL = /[\\u0000-\\u001f]/;

/** Not a position. */
export const NOWHERE = -1;
/** Behind the last member of an object. */
export const NO_MORE = -2;

/**
 * A walk over one text. The next backslash is remembered, so that a long text without any, the usual
 * case, is crossed by native searches alone.
 */
export class JsonScan {
  readonly text: string;
  readonly #hasControl: boolean;
  #backslash: number;
  #keyStart = NOWHERE;
  #keyEnd = NOWHERE;
  #objectEnd = NOWHERE;

  /** \`hasControl\`: whether there are control characters, where somebody has looked already. */
  constructor(text: string, hasControl: boolean = CONTROL.test(text)) {
    this.text = text;
    this.#hasControl = hasControl;
    this.#backslash = text.indexOf('\\\\');
  }

  /** The key of the member that was found last, as a reader would see it: \`"n\\u0061me"\` is \`name\`. */
  get key(): string {
    const raw = this.text.slice(this.#keyStart + 1, this.#keyEnd - 1);
    return raw.includes('\\\\') ? (JSON.parse(\`"\${raw}"\`) as string) : raw;
  }

  /** Behind the object whose walk has come to \`NO_MORE\`. */
  get objectEnd(): number {
    return this.#objectEnd;
  }

  /** The end of the value that starts here; \`NOWHERE\` if there is none. */
  skipValue(start: number): number {
    const { text } = this;
    let depth = 0;
    let at = start;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = this.skipString(at);
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        const isObject = code === OPEN_BRACE;
        at = this.skipSpace(at + 1);
        if (text.charCodeAt(at) === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) at++;
        else {
          if (depth === MAX_DEPTH) return NOWHERE;
          INSIDE[depth++] = isObject ? 1 : 0;
          if (isObject) at = this.skipKey(at);
          if (at === NOWHERE) return NOWHERE;
          continue;
        }
      } else at = this.#skipScalar(at, code);
      if (at === NOWHERE) return NOWHERE;

      // A value is complete: close what ends with it, or go on to its neighbour.
      for (;;) {
        if (depth === 0) return at;
        const isObject = INSIDE[depth - 1] === 1;
        at = this.skipSpace(at);
        const next = text.charCodeAt(at++);
        if (next === COMMA) {
          at = this.skipSpace(at);
          if (isObject) at = this.skipKey(at);
          if (at === NOWHERE) return NOWHERE;
          break;
        }
        if (next !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return NOWHERE;
        depth--;
      }
    }
  }

  /** From the opening quote to behind the closing one. */
  skipString(start: number): number {
    const { text } = this;
    if (text.charCodeAt(start) !== QUOTE) return NOWHERE;
    let end = text.indexOf('"', start + 1);
    if (end === -1) return NOWHERE;
    if (this.#backslash !== -1 && this.#backslash < start) {
      this.#backslash = text.indexOf('\\\\', start);
    }
    while (this.#backslash !== -1 && this.#backslash < end) {
      ESCAPE.lastIndex = this.#backslash;
      if (!ESCAPE.test(text)) return NOWHERE;
      const behind = ESCAPE.lastIndex;
      if (end < behind) end = text.indexOf('"', behind);
      if (end === -1) return NOWHERE;
      this.#backslash = text.indexOf('\\\\', behind);
    }
    if (this.#hasControl && CONTROL.test(text.slice(start, end))) return NOWHERE;
    return end + 1;
  }

  /** From a member's key to its value. */
  skipKey(start: number): number {
    const end = this.skipString(start);
    if (end === NOWHERE) return NOWHERE;
    this.#keyEnd = end;
    const at = this.skipSpace(end);
    return this.text.charCodeAt(at) === COLON ? this.skipSpace(at + 1) : NOWHERE;
  }

  skipSpace(start: number): number {
    let at = start;
    for (;;) {
      const code = this.text.charCodeAt(at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
      at++;
    }
  }

  #skipScalar(start: number, code: number): number {
    const { text } = this;
    if (code === 116) return text.startsWith('true', start) ? start + 4 : NOWHERE;
    if (code === 102) return text.startsWith('false', start) ? start + 5 : NOWHERE;
    if (code === 110) return text.startsWith('null', start) ? start + 4 : NOWHERE;
    NUMBER.lastIndex = start;
    return NUMBER.test(text) ? NUMBER.lastIndex : NOWHERE;
  }

  /**
   * The value of the first member of the object that starts here; \`NO_MORE\` if it has none, \`NOWHERE\` if
   * it is none. The walk only goes forward; to look at the same place twice, begin a new one.
   */
  firstMember(start: number): number {
    if (this.text.charCodeAt(start) !== OPEN_BRACE) return NOWHERE;
    const at = this.skipSpace(start + 1);
    return this.text.charCodeAt(at) === CLOSE_BRACE ? this.#closeObject(at) : this.#member(at);
  }

  /** From the end of one member's value to the value of the next. */
  nextMember(valueEnd: number): number {
    if (valueEnd === NOWHERE) return NOWHERE;
    const at = this.skipSpace(valueEnd);
    const next = this.text.charCodeAt(at);
    if (next === CLOSE_BRACE) return this.#closeObject(at);
    return next === COMMA ? this.#member(this.skipSpace(at + 1)) : NOWHERE;
  }

  #member(at: number): number {
    const valueStart = this.skipKey(at);
    this.#keyStart = at;
    return valueStart;
  }

  #closeObject(at: number): number {
    this.#objectEnd = at + 1;
    return NO_MORE;
  }

  /**
   * Visits the members of the object that starts here, in order, and returns its end. \`visit\` gets the
   * key and where its value starts, walks the value, and returns its end.
   */
  visitObject(start: number, visit: (key: string, valueStart: number) => number): number {
    let at = this.firstMember(start);
    while (at >= 0) at = this.nextMember(visit(this.key, at));
    return at === NO_MORE ? this.#objectEnd : NOWHERE;
  }

  /** Visits the elements of the array that starts here; \`visit\` returns the end of each. */
  visitArray(start: number, visit: (valueStart: number) => number): number {
    const { text } = this;
    if (text.charCodeAt(start) !== OPEN_BRACKET) return NOWHERE;
    let at = this.skipSpace(start + 1);
    if (text.charCodeAt(at) === CLOSE_BRACKET) return at + 1;
    for (;;) {
      const end = visit(at);
      if (end === NOWHERE) return NOWHERE;
      at = this.skipSpace(end);
      const next = text.charCodeAt(at);
      if (next === CLOSE_BRACKET) return at + 1;
      if (next !== COMMA) return NOWHERE;
      at = this.skipSpace(at + 1);
    }
  }
}
`,
);

FILES.set(
  'house/json-text.ts',
  `/** Reading and changing single members of an object that stays text otherwise. */

import { JsonScan, NOWHERE } from './json-scan.js';

/** Where a member's value stands in the text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The values of an object's members, by key; \`undefined\` if the text is no object. Last one wins, as in \`JSON.parse\`. */
export function membersOf(text: string): Map<string, Range> | undefined {
  const members = new Map<string, Range>();
  const scan = new JsonScan(text);
  const end = scan.visitObject(scan.skipSpace(0), (key, start) => {
    const valueEnd = scan.skipValue(start);
    members.set(key, { start, end: valueEnd });
    return valueEnd;
  });
  return end === NOWHERE || scan.skipSpace(end) !== text.length ? undefined : members;
}

/** The text of one member's value. */
export function memberText(text: string, key: string): string | undefined {
  const range = membersOf(text)?.get(key);
  return range && text.slice(range.start, range.end);
}

/** The elements of an array, each as text; \`undefined\` if the text is no array. */
export function elementsOf(text: string): string[] | undefined {
  const elements: string[] = [];
  const scan = new JsonScan(text);
  const end = scan.visitArray(scan.skipSpace(0), (start) => {
    const valueEnd = scan.skipValue(start);
    elements.push(text.slice(start, valueEnd));
    return valueEnd;
  });
  return end === NOWHERE || scan.skipSpace(end) !== text.length ? undefined : elements;
}

/**
 * An object's text with some members set to other JSON text. Members that exist keep their place, new
 * ones go to the end, and every other character stays as it was.
 */
export function withMembers(
  text: string,
  changes: Readonly<Record<string, string>>,
  /** What \`membersOf\` says of the text, where that is known already. */
  members: ReadonlyMap<string, Range> | undefined = membersOf(text),
): string {
  if (members === undefined) throw new TypeError('only an object has members');
  const replaced = Object.keys(changes)
    .flatMap((key) => (members.has(key) ? [{ ...members.get(key)!, json: changes[key]! }] : []))
    .toSorted((a, b) => a.start - b.start);
  let result = '';
  let from = 0;
  for (const { start, end, json } of replaced) {
    result += text.slice(from, start) + json;
    from = end;
  }
  const added = Object.keys(changes)
    .filter((key) => !members.has(key))
    .map((key) => \`\${JSON.stringify(key)}:\${changes[key]}\`);
  const rest = text.slice(from);
  if (added.length === 0) return result + rest;
  const close = rest.lastIndexOf('}');
  const comma = members.size > 0 ? ',' : '';
  return result + rest.slice(0, close) + comma + added.join(',') + rest.slice(close);
}
`,
);

FILES.set(
  'introspect/catalogue.ts',
  `/** What the five tools lead to, as introspection and dispatch see it: an adapter's operations, or a server's tools. */

import type { Endpoint } from '../house.js';

import type { TypeDocument } from '../adapter/adapter-document.js';
import type { OperationInfo } from './operation-info.js';

export interface CatalogueEntry {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly description: string;
  /** All there is to know; made when somebody asks. */
  info(): OperationInfo;
}

export interface Catalogue<E extends CatalogueEntry = CatalogueEntry> {
  /** As its author writes it: \`apple-mail\`. */
  readonly name: string;
  /** For people: \`Apple Mail\`. */
  readonly displayName: string;
  /** Every endpoint that is offered, with the name of its tool. */
  readonly toolNames: ReadonlyMap<Endpoint, string>;
  readonly operations: ReadonlyMap<string, E>;
  readonly types: ReadonlyMap<string, TypeDocument>;
  readonly capabilities: Readonly<Record<string, boolean>>;
  /** How large requests and answers may be, where that is ours to say. */
  readonly limits: Readonly<Record<string, number>> | undefined;
}
`,
);

FILES.set(
  'introspect/introspect.ts',
  `/** The operation \`introspect\`: what there is, in full or in few words, one thing or several at once. */

import { ENDPOINTS } from '../house.js';

import type { Param } from '../adapter/adapter.js';
import { INTROSPECT } from '../adapter/reserved-operations.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import { type Params, validateParams } from '../protocol/validate.js';
import type { Catalogue } from './catalogue.js';
import { type OperationInfo, parameterInfo } from './operation-info.js';
import { signatureOf } from './signature.js';
import { listTypes, typeInfo } from './type-info.js';

/** The version of the protocol, not of an adapter. */
const PROTOCOL_VERSION = '1.0.0';
const MAX_NAMES = 100;

const PARAMS: ReadonlyMap<string, Param> = new Map(
  (
    [
      {
        name: 'query',
        type: 'string',
        enum: ['operations', 'types'],
        default: 'operations',
        required: false,
        description: 'What to list.',
      },
      {
        name: 'name',
        type: 'string',
        required: false,
        description: 'One thing in detail.',
      },
      {
        name: 'names',
        type: 'array',
        items: { type: 'string' },
        min_items: 1,
        max_items: MAX_NAMES,
        required: false,
        description: 'Several in detail, in one call.',
      },
      {
        name: 'format',
        type: 'string',
        enum: ['full', 'compact'],
        default: 'full',
        required: false,
        description: 'compact: names by endpoint, or one line for each of names.',
      },
      {
        name: 'endpoint',
        type: 'string',
        enum: [...ENDPOINTS],
        required: false,
        description: 'Only operations of this endpoint.',
      },
      {
        name: 'fields',
        type: 'array',
        items: { type: 'string' },
        required: false,
        description: 'Only these keys of each operation.',
      },
      {
        name: 'offset',
        type: 'integer',
        minimum: 0,
        required: false,
        description: 'How many to skip.',
      },
      {
        name: 'limit',
        type: 'integer',
        minimum: 1,
        required: false,
        description: 'How many to list.',
      },
    ] satisfies Param[]
  ).map((param) => [param.name, param]),
);

export function introspect(catalogue: Catalogue, given: Params): unknown {
  const params = validateParams(given, { operation: INTROSPECT, params: PARAMS });
  const names = namesIn(params);
  if (params.get('query') === 'types') {
    if (names === undefined) return { types: listTypes(catalogue.types) };
    const found = names.map((name) => typeInfo(catalogue.types, name));
    return params.has('names') ? { types: found } : { type: found[0] };
  }
  if (names === undefined) return listOperations(catalogue, params);
  const found = names.map((name) => [name, infoOf(catalogue, name)] as const);
  if (params.get('format') === 'compact') {
    const lines = found.map(([name, info]) => [name, info && signatureOf(info)]);
    return { operations: Object.fromEntries(lines) as unknown };
  }
  const details = found.map(([, info]) => pick(info, params));
  return params.has('names') ? { operations: details } : { operation: details[0] };
}

function listOperations(catalogue: Catalogue, params: Params): unknown {
  const endpoint = params.get('endpoint');
  const all = [introspectInfo(catalogue), ...catalogue.operations.values()].filter(
    (operation) => endpoint === undefined || operation.endpoint === endpoint,
  );
  const offset = Number(params.get('offset') ?? 0);
  const limit = Number(params.get('limit') ?? Infinity);
  const shown = all.slice(offset, offset + limit);
  const isPart = params.has('offset') || params.has('limit');
  const pagination = {
    offset,
    returned: shown.length,
    total_items: all.length,
    has_more: offset + shown.length < all.length,
  };
  return {
    _protocol: protocolInfo(catalogue, params.get('format') === 'compact'),
    operations:
      params.get('format') === 'compact'
        ? grouped(shown)
        : shown.map((each) => listed(each, params)),
    ...(isPart ? { pagination } : {}),
  };
}

/** Four facts for a caller that counts its tokens; all of them otherwise. */
function protocolInfo(catalogue: Catalogue, isCompact: boolean): Readonly<Record<string, unknown>> {
  const { name, displayName, capabilities, limits } = catalogue;
  const identity = {
    version: PROTOCOL_VERSION,
    mode: 'crude',
    adapter: name,
    display_name: displayName,
  };
  return isCompact ? identity : { ...identity, capabilities, ...(limits ? { limits } : {}) };
}

type Listed = Pick<OperationInfo, 'name' | 'endpoint' | 'description'>;

function listed(operation: Listed, params: Params): unknown {
  const { name, endpoint, description } = operation;
  const info = { name, semantic_category: endpoint.toUpperCase(), endpoint, description };
  return pick(info, params);
}

function grouped(operations: readonly Listed[]): Readonly<Record<string, readonly string[]>> {
  const groups = ENDPOINTS.map((endpoint) => [
    endpoint,
    operations.filter((each) => each.endpoint === endpoint).map(({ name }) => name),
  ]);
  return Object.fromEntries(groups.filter(([, names]) => names!.length > 0)) as Record<
    string,
    string[]
  >;
}

function pick(info: object | null, params: Params): object | null {
  const fields = params.get('fields') as readonly string[] | undefined;
  if (info === null || fields === undefined) return info;
  return Object.fromEntries(Object.entries(info).filter(([key]) => fields.includes(key)));
}

function infoOf(catalogue: Catalogue, name: string): OperationInfo | null {
  if (name === INTROSPECT) return introspectInfo(catalogue);
  return catalogue.operations.get(name)?.info() ?? null;
}

function introspectInfo({ toolNames }: Catalogue): OperationInfo {
  return {
    name: INTROSPECT,
    semantic_category: 'READ',
    endpoint: 'read',
    mcpTool: toolNames.get('read')!,
    description: 'Lists operations and types, or shows some in detail. Every endpoint takes it.',
    permissions: { readOnly: true, destructive: false },
    parameters: Array.from(PARAMS.values(), parameterInfo),
    returns: { name: 'Introspection', kind: 'object' },
  };
}

function namesIn(params: Params): readonly string[] | undefined {
  const [name, names] = [params.get('name'), params.get('names')];
  if (name !== undefined && names !== undefined) {
    const message = "Send 'name' or 'names', not both.";
    throw new ProtocolError('VALIDATION_INVALID_QUERY', message);
  }
  if (names !== undefined) return names as string[];
  return name === undefined ? undefined : [name as string];
}
`,
);

FILES.set(
  'introspect/operation-info.ts',
  `/** All that a caller may know of one operation, in the protocol's own words. */

import type { Endpoint } from '../house.js';

import type { Operation, Param } from '../adapter/adapter.js';
import type { TypeDocument, ValueShape } from '../adapter/adapter-document.js';
import { isAtLeast } from '../adapter/danger.js';
import { acceptedParams } from '../protocol/accepted-params.js';

export interface ParameterInfo {
  readonly name: string;
  readonly type?: unknown;
  readonly required: boolean;
  readonly [constraint: string]: unknown;
}

export interface OperationInfo {
  readonly name: string;
  readonly semantic_category: string;
  readonly endpoint: Endpoint;
  /** The tool that takes it, by its full name. */
  readonly mcpTool: string;
  readonly description: string;
  readonly permissions: { readonly readOnly: boolean; readonly destructive: boolean };
  readonly parameters: readonly ParameterInfo[];
  readonly returns: { readonly name: string; readonly kind: string; readonly description?: string };
  readonly examples?: readonly { readonly description?: string; readonly request: unknown }[];
  /** Named parts that parameters refer to. */
  readonly definitions?: unknown;
}

export function operationInfo(
  operation: Operation,
  mcpTool: string,
  types: ReadonlyMap<string, TypeDocument>,
): OperationInfo {
  const { name, endpoint, response, examples } = operation;
  const { type, description } = response;
  return {
    name,
    semantic_category: endpoint.toUpperCase(),
    endpoint,
    mcpTool,
    description: operation.description,
    permissions: {
      readOnly: endpoint === 'read',
      destructive: isAtLeast(operation.danger.level, 'destructive'),
    },
    parameters: Array.from(acceptedParams(operation).values(), parameterInfo),
    returns: {
      name: type,
      kind: types.get(type)?.kind ?? 'object',
      ...(description === undefined ? {} : { description }),
    },
    ...(examples.length === 0
      ? {}
      : {
          examples: examples.map(({ params, ...rest }) => ({
            ...rest,
            request: { operation: name, params },
          })),
        }),
  };
}

export function parameterInfo(param: Param): ParameterInfo {
  const { name, required, sensitive, default: standard } = param;
  return {
    name,
    ...shapeInfo(param),
    required,
    ...(standard === undefined ? {} : { default: standard }),
    ...(sensitive ? { sensitive } : {}),
  };
}

/** A shape as JSON Schema writes it, which every model has read. */
export function shapeInfo(shape: ValueShape): Readonly<Record<string, unknown>> {
  const { min_length, max_length, min_items, max_items, items, properties } = shape;
  const info: Record<string, unknown> = {
    type: shape.type,
    description: shape.description,
    enum: shape.enum,
    minimum: shape.minimum,
    maximum: shape.maximum,
    minLength: min_length,
    maxLength: max_length,
    pattern: shape.pattern,
    format: shape.format,
    minItems: min_items,
    maxItems: max_items,
    nullable: shape.nullable,
    items: items && shapeInfo(items),
    properties:
      properties &&
      Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, shapeInfo(inner)])),
    required: properties && requiredKeys(properties),
  };
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined));
}

function requiredKeys(
  properties: Readonly<Record<string, { readonly required?: boolean }>>,
): string[] | undefined {
  const keys = Object.entries(properties).flatMap(([key, { required }]) => (required ? key : []));
  return keys.length === 0 ? undefined : keys;
}
`,
);

FILES.set(
  'introspect/signature.ts',
  `/** How an operation is called, in one line: \`(flag?: string, first?: integer 1..) — Lists the ships.\` */

import type { OperationInfo, ParameterInfo } from './operation-info.js';

const DESCRIPTION_LENGTH = 160;

export function signatureOf({
  parameters,
  description,
}: Pick<OperationInfo, 'parameters' | 'description'>): string {
  const list = parameters.map(parameterText).join(', ');
  const meaning = description === '' ? '' : \` — \${firstSentence(description)}\`;
  return \`(\${list})\${meaning}\`;
}

function parameterText(parameter: ParameterInfo): string {
  const { name, required, default: standard } = parameter;
  const value = standard === undefined ? '' : \` = \${JSON.stringify(standard)}\`;
  return \`\${name}\${required ? '' : '?'}: \${typeText(parameter)}\${value}\`;
}

function typeText(shape: Readonly<Record<string, unknown>>): string {
  const { type, enum: words, items, format, minimum, maximum, properties } = shape;
  if (Array.isArray(words)) return words.map((word) => JSON.stringify(word)).join('|');
  if (type === 'array') return \`\${isShape(items) ? typeText(items) : 'any'}[]\`;
  if (type === 'object' && isShape(properties)) return objectText(properties, shape['required']);
  const range =
    minimum === undefined && maximum === undefined ? '' : \` \${bound(minimum)}..\${bound(maximum)}\`;
  const kind = typeof format === 'string' ? \`(\${format})\` : '';
  const word = Array.isArray(type) ? type.join('|') : typeof type === 'string' ? type : 'any';
  return \`\${word}\${kind}\${range}\`;
}

function objectText(properties: Readonly<Record<string, unknown>>, required: unknown): string {
  const keys = new Set<unknown>(Array.isArray(required) ? required : []);
  const members = Object.entries(properties).map(
    ([key, shape]) =>
      \`\${key}\${keys.has(key) ? '' : '?'}: \${isShape(shape) ? typeText(shape) : 'any'}\`,
  );
  return \`{\${members.join(', ')}}\`;
}

function bound(value: unknown): string {
  return typeof value === 'number' ? String(value) : '';
}

function isShape(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As far as the first full stop, and no further than a line. */
export function firstSentence(text: string): string {
  const line = text
    .slice(0, 4 * DESCRIPTION_LENGTH)
    .replace(/\\s+/g, ' ')
    .trim();
  const end = line.search(/[.!?](?:\\s|$)/);
  const sentence = end === -1 ? line : line.slice(0, end + 1);
  return sentence.length <= DESCRIPTION_LENGTH
    ? sentence
    : \`\${sentence.slice(0, DESCRIPTION_LENGTH - 1).trimEnd()}…\`;
}
`,
);

FILES.set(
  'introspect/type-info.ts',
  `/** Types as introspection shows them: those of the adapter, and those of the protocol itself. */

import type { PropertyShape, TypeDocument } from '../adapter/adapter-document.js';
import { shapeInfo } from './operation-info.js';

export type TypeInfo = Readonly<Record<string, unknown>>;

const text = (description: string, required = true): PropertyShape => ({
  type: 'string',
  description,
  required,
});

const PROTOCOL_TYPES: ReadonlyMap<string, TypeDocument> = new Map<string, TypeDocument>([
  [
    'SemanticCategory',
    {
      kind: 'enum',
      description: 'What an operation does to state.',
      values: ['CREATE', 'READ', 'UPDATE', 'DELETE', 'EXECUTE'],
    },
  ],
  [
    'OperationInput',
    {
      kind: 'object',
      description: 'What every tool takes.',
      fields: {
        operation: text('The name of an operation.'),
        params: { type: 'object', description: 'Its parameters.' },
      },
    },
  ],
  [
    'OperationResult',
    {
      kind: 'union',
      description: 'What every tool answers.',
      members: ['OperationSuccess', 'OperationFailure'],
    },
  ],
  [
    'OperationSuccess',
    {
      kind: 'object',
      fields: {
        success: { type: 'boolean', description: 'true', required: true },
        data: { type: 'object', description: 'The answer.', required: true },
        warnings: { type: 'array', items: { type: 'object' } },
      },
    },
  ],
  [
    'OperationFailure',
    {
      kind: 'object',
      fields: {
        success: { type: 'boolean', description: 'false', required: true },
        error: {
          type: 'object',
          required: true,
          properties: {
            code: text('What went wrong, for programs.'),
            message: text('What went wrong, and what to do.'),
            details: { type: 'object' },
          },
        },
      },
    },
  ],
  [
    'EndpointPermissions',
    {
      kind: 'object',
      fields: {
        readOnly: { type: 'boolean', required: true },
        destructive: { type: 'boolean', required: true },
      },
    },
  ],
]);

export function listTypes(types: ReadonlyMap<string, TypeDocument>): TypeInfo[] {
  return Array.from(allTypes(types), ([name, { kind, description }]) => ({
    name,
    kind,
    ...(description === undefined ? {} : { description }),
  }));
}

/** \`null\` for a type that is not known, as the protocol wants it. */
export function typeInfo(types: ReadonlyMap<string, TypeDocument>, name: string): TypeInfo | null {
  const found = allTypes(types).get(name);
  if (!found) return null;
  const { fields, ...rest } = found;
  if (fields === undefined) return { name, ...rest };
  const shown = Object.entries(fields).map(([key, shape]) => ({
    name: key,
    ...shapeInfo(shape),
    required: shape.required ?? false,
  }));
  return { name, ...rest, fields: shown };
}

function allTypes(types: ReadonlyMap<string, TypeDocument>): ReadonlyMap<string, TypeDocument> {
  return new Map([...PROTOCOL_TYPES, ...types]);
}
`,
);

FILES.set(
  'outbound/address-rules.ts',
  `/** Which addresses may be called. Parsing is left to a library: home-made parsers are how guards are passed. */

import ipaddr from './ip-address.js';

export type PrivateAddresses = 'refused' | 'allowed';

/** Kinds of addresses that a network of one's own is made of; all others but public ones serve no API. */
const OWN_NETWORK: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'carrierGradeNat',
]);

/** Why an address may not be called; \`undefined\` if it may. */
export function addressProblem(address: string, rule: PrivateAddresses): string | undefined {
  const kind = kindOf(address);
  if (kind === 'unicast') return undefined;
  if (rule === 'allowed' && OWN_NETWORK.has(kind)) return undefined;
  return \`\${address} is no public address (\${kind})\`;
}

/** Written in any way that sockets understand; an IPv4 address inside an IPv6 one counts as itself. */
function kindOf(address: string): string {
  const bare = address.replace(/^\\[|\\]$/g, '').replace(/%.*$/s, '');
  if (!ipaddr.isValid(bare)) return 'unreadable';
  return ipaddr.process(bare).range();
}

/** Names and addresses that mean this machine and no other. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\\.\\d+\\.\\d+\\.\\d+$/.test(hostname);
}
`,
);

FILES.set(
  'outbound/guarded-fetch.ts',
  `/**
 * \`fetch\` that cannot be led into a private network. A name is resolved once, every address that it
 * has is judged, and the connection goes to those very addresses; each redirect is judged anew.
 */

import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

import { Agent, fetch as undiciFetch } from './plain-http.js';

import { addressProblem, type PrivateAddresses } from './address-rules.js';

export interface GuardedFetchOptions {
  /** Whether addresses of one's own network may be called; link-local ones never are. */
  readonly privateAddresses?: PrivateAddresses;
  /** Origins that are called wherever they lie, such as \`http://localhost:8080\`. */
  readonly trustedOrigins?: readonly string[];
  readonly maxRedirects?: number;
  /** Headers, besides those for credentials, that stay behind when a redirect leaves the origin. */
  readonly secretHeaders?: readonly string[];
  readonly connectTimeoutMs?: number;
  /** How names are resolved; the system's own way if absent. */
  readonly lookup?: Lookup;
}

/** All addresses of a name. */
export type Lookup = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

export interface GuardedFetch {
  (input: string | URL, init?: RequestInit): Promise<Response>;
  /** Ends the connections that it keeps. */
  close(): Promise<void>;
}

/** An address that is not called, and why. */
export class AddressRefused extends Error {
  constructor(reason: string) {
    super(\`Not called: \${reason}.\`);
    this.name = 'AddressRefused';
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization'];

/** The library's \`fetch\` under the platform's types: they describe the same thing, and do not know each other. */
const plainFetch = undiciFetch as unknown as (
  url: URL,
  init: Omit<RequestInit, 'dispatcher'> & { readonly dispatcher: Agent },
) => Promise<Response>;

const resolveAll: Lookup = (hostname, callback) =>
  systemLookup(hostname, { all: true }, (error, addresses) => callback(error, addresses ?? []));

export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const {
    privateAddresses = 'refused',
    trustedOrigins = [],
    maxRedirects = 5,
    secretHeaders = [],
    connectTimeoutMs = 10_000,
    lookup = resolveAll,
  } = options;
  const guarded = new Agent({
    connect: { lookup: pinned(lookup, privateAddresses), timeout: connectTimeoutMs },
  });
  const free = new Agent({ connect: { timeout: connectTimeoutMs } });
  const trusted = new Set(trustedOrigins.map((origin) => new URL(origin).origin));
  const secrets = [...CREDENTIALS, ...secretHeaders.map((name) => name.toLowerCase())];

  const guardedFetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    let url = new URL(input);
    let request: RequestInit = { ...init, redirect: 'manual' };
    for (let hops = 0; ; hops++) {
      const isTrusted = trusted.has(url.origin);
      if (!isTrusted) checkUrl(url, privateAddresses);
      const dispatcher = isTrusted ? free : guarded;
      const response = await plainFetch(url, { ...request, dispatcher });
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null || init.redirect === 'manual') return response;
      await response.body?.cancel();
      if (hops === maxRedirects) throw new AddressRefused(\`more than \${maxRedirects} redirects\`);
      if (!URL.canParse(location, url.href))
        throw new AddressRefused('the redirect leads to no address');
      const next = new URL(location, url);
      if (url.protocol === 'https:' && next.protocol !== 'https:') {
        throw new AddressRefused('the redirect leads to an address without encryption');
      }
      request = redirected(request, response.status, next.origin === url.origin ? [] : secrets);
      url = next;
    }
  };
  const close = async (): Promise<void> => {
    await Promise.all([guarded.destroy(), free.destroy()]);
  };
  return Object.assign(guardedFetch, { close });
}

/** A literal address is never resolved, so it is judged here; \`URL\` has read every way to write one. */
function checkUrl(url: URL, rule: PrivateAddresses): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AddressRefused(\`\${url.protocol} is not HTTP\`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new AddressRefused('the address holds a password');
  }
  const host = url.hostname.replace(/^\\[|\\]$/g, '');
  const problem = isIP(host) === 0 ? undefined : addressProblem(host, rule);
  if (problem !== undefined) throw new AddressRefused(problem);
}

/** Resolves and judges in one step; what comes out is what the socket connects to. */
function pinned(lookup: Lookup, rule: PrivateAddresses): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, (error, addresses) => {
      if (error) return callback(error, '');
      const problem = addresses
        .map(({ address }) => addressProblem(address, rule))
        .find((each) => each !== undefined);
      const [first] = addresses;
      if (problem !== undefined || !first) {
        const reason = problem === undefined ? 'it has no address' : problem;
        return callback(new AddressRefused(\`\${hostname}: \${reason}\`), '');
      }
      if (options.all) return callback(null, [...addresses]);
      callback(null, first.address, first.family);
    });
  };
}

/** What the next hop gets, as browsers do it; secrets stay with the origin that they were meant for. */
function redirected(
  request: RequestInit,
  status: number,
  withheld: readonly string[],
): RequestInit {
  const headers = new Headers(request.headers);
  for (const name of withheld) headers.delete(name);
  const method = (request.method ?? 'GET').toUpperCase();
  const becomesGet =
    (status === 303 && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST');
  if (!becomesGet) return { ...request, headers };
  headers.delete('content-type');
  headers.delete('content-length');
  const { body: _, ...rest } = request;
  return { ...rest, method: 'GET', headers };
}
`,
);

FILES.set(
  'outbound/ip-address.ts',
  `/** What kind of address an address is, by the registry of special ones; nothing but Node is needed for it. */

import { BlockList, isIP } from 'node:net';

/** The first that fits counts. */
const KINDS: readonly (readonly [kind: string, networks: BlockList])[] = [
  ['unspecified', networks('0.0.0.0/8 ::/128')],
  ['broadcast', networks('255.255.255.255/32')],
  ['multicast', networks('224.0.0.0/4 ff00::/8')],
  ['linkLocal', networks('169.254.0.0/16 fe80::/10')],
  ['loopback', networks('127.0.0.0/8 ::1/128')],
  ['carrierGradeNat', networks('100.64.0.0/10')],
  ['private', networks('10.0.0.0/8 172.16.0.0/12 192.168.0.0/16')],
  ['uniqueLocal', networks('fc00::/7')],
  [
    'reserved',
    networks(
      \`192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.175.48.0/24
      198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4
      2001::/23 2001:db8::/32 2002::/16 3fff::/20\`,
    ),
  ],
];
/** Everything that is public in IPv6. */
const PUBLIC = networks('2000::/3');

const ipaddr = {
  isValid: (address: string): boolean => isIP(address) !== 0,

  /** An IPv4 address inside an IPv6 one counts as itself. */
  process: (address: string): { range(): string } => ({ range: () => kindOf(address) }),
};

// The library that this stands in for exports itself so.
export { ipaddr as default };

function kindOf(address: string): string {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const [kind] = KINDS.find(([, list]) => list.check(address, family)) ?? [];
  if (kind !== undefined) return kind;
  const isPublic = family === 'ipv4' || PUBLIC.check(address, family) || isMapped(address);
  return isPublic ? 'unicast' : 'reserved';
}

function isMapped(address: string): boolean {
  return MAPPED.check(address, 'ipv6');
}

const MAPPED: BlockList = networks('::ffff:0:0/96');

function networks(written: string): BlockList {
  const list = new BlockList();
  for (const network of written.split(/\\s+/)) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
`,
);

FILES.set(
  'outbound/plain-http.ts',
  `/** \`fetch\` over Node's own HTTP, with a say in how names are resolved: all that the guarded one needs of a library. */

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';

interface Connect {
  readonly lookup?: LookupFunction;
  readonly timeout?: number;
}

/** How connections are made; each request has its own. */
export class Agent {
  readonly connect: Connect;

  constructor({ connect }: { readonly connect: Connect }) {
    this.connect = connect;
  }

  /** Nothing is kept open between requests. */
  destroy(): Promise<void> {
    return Promise.resolve();
  }
}

export function fetch(
  url: URL,
  init: Omit<RequestInit, 'dispatcher'> & { readonly dispatcher: Agent },
): Promise<Response> {
  const { method = 'GET', headers, body, signal, dispatcher } = init;
  const { lookup, timeout } = dispatcher.connect;
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = open(url, {
      method,
      agent: false,
      headers: Object.fromEntries(new Headers(headers)),
      ...(lookup ? { lookup } : {}),
    });
    let answer: IncomingMessage | undefined;
    const giveUp = (reason: unknown): void => {
      const error = reason instanceof Error ? reason : new Error('The request was given up.');
      // Whoever reads the body hears it from there.
      answer?.destroy(error);
      request.destroy(error);
      reject(error);
    };
    const onAbort = (): void => giveUp(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const late = setTimeout(
      () => giveUp(Object.assign(new Error('No connection in time.'), { code: 'ETIMEDOUT' })),
      timeout ?? 10_000,
    );
    request.once('socket', (socket) => {
      const event = url.protocol === 'https:' ? 'secureConnect' : 'connect';
      socket.once(event, () => clearTimeout(late));
    });
    // A socket may fail more than once; the first time counts.
    request.on('error', (error) => {
      clearTimeout(late);
      giveUp(error);
    });
    request.once('close', () => signal?.removeEventListener('abort', onAbort));
    request.once('response', (message) => {
      answer = message;
      try {
        resolve(responseOf(message));
      } catch (error) {
        giveUp(error);
      }
    });
    if (signal?.aborted) return onAbort();
    request.end(typeof body === 'string' ? body : undefined);
  });
}

/** Answers that have no body by their status. */
const EMPTY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

function responseOf(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const isEmpty = EMPTY.has(status);
  if (isEmpty) message.resume();
  const body = isEmpty ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers });
}
`,
);

FILES.set(
  'outbound/read-limited.ts',
  `/** The body of a response as text, no longer than it may be: what is beyond is not even fetched. */

export class BodyTooLarge extends Error {
  /** How much had come when it was given up. */
  readonly size: number;

  constructor(size: number, maxBytes: number) {
    super(\`The answer is larger than \${maxBytes} bytes.\`);
    this.name = 'BodyTooLarge';
    this.size = size;
  }
}

/** Counts what is unpacked, so that a small packed body cannot become a large one. */
export async function readLimited(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new BodyTooLarge(size, maxBytes);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}
`,
);

FILES.set(
  'protocol/accepted-params.ts',
  `/** Everything that an operation accepts: its own parameters, and those of the protocol. Introspection shows the same. */

import type { Operation, Param } from '../adapter/adapter.js';
import { FIELDS_PARAM } from './fields.js';
import { pagingParams } from './paging.js';

/** An operation's own parameter wins over one of the protocol. */
export function acceptedParams(operation: Operation): ReadonlyMap<string, Param> {
  const implied = [
    ...(operation.pagination ? pagingParams(operation.pagination) : []),
    ...(operation.supportsFields ? [FIELDS_PARAM] : []),
  ];
  const added = implied.filter(({ name }) => !operation.params.has(name));
  return new Map([...operation.params, ...added.map((param) => [param.name, param] as const)]);
}
`,
);

FILES.set(
  'protocol/check-value.ts',
  `/** Holds one value against what its parameter may be: first its type, later its constraints. */

import type { PropertyShape, ValueShape } from '../adapter/adapter-document.js';
import { typeFits } from '../adapter/type-fits.js';
import { matchesPattern } from './pattern-test.js';
import { ProtocolError } from './protocol-error.js';

/** The type, all the way down; keys that an object may not hold are refused on the way. */
export function checkType(value: unknown, shape: ValueShape, name: string): void {
  if (!typeFits(value, shape)) {
    const actual_type = typeName(value);
    const message = \`Parameter '\${name}' must be \${shape.type}, and is \${actual_type}\${said(shape)}\`;
    const details = { param_name: name, expected_type: shape.type, actual_type };
    throw new ProtocolError('VALIDATION_INVALID_TYPE', message, details);
  }
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    const message = \`Parameter '\${name}' is a number that loses digits on its way; send it as text if the target allows.\`;
    throw new ProtocolError('VALIDATION_INVALID_TYPE', message, {
      param_name: name,
      expected_type: shape.type,
      actual_type: 'number past 2^53',
    });
  }
  for (const [inner, innerShape, innerName] of partsOf(value, shape, name)) {
    checkType(inner, innerShape, innerName);
  }
}

export function checkConstraints(value: unknown, shape: ValueShape, name: string): void {
  if (value === null) return;
  if (shape.enum && !shape.enum.includes(value as string)) {
    const words = shape.enum.map((word) => \`'\${String(word)}'\`).join(', ');
    throw new ProtocolError(
      'VALIDATION_INVALID_ENUM',
      \`Parameter '\${name}' must be one of \${words}.\`,
      { param_name: name, allowed: shape.enum },
    );
  }
  if (typeof value === 'number') checkRange(value, 'number', name, shape.minimum, shape.maximum);
  if (Array.isArray(value)) {
    checkRange(value.length, 'number of elements', name, shape.min_items, shape.max_items);
  }
  if (typeof value === 'string') checkText(value, shape, name);
  for (const [inner, innerShape, innerName] of partsOf(value, shape, name)) {
    checkConstraints(inner, innerShape, innerName);
  }
}

function checkText(value: string, shape: ValueShape, name: string): void {
  checkRange(value.length, 'number of characters', name, shape.min_length, shape.max_length);
  if (shape.pattern === undefined) return;
  const matches = matchesPattern(shape.pattern, value);
  if (matches) return;
  const why = matches === undefined ? 'could not be held against' : 'does not match';
  throw new ProtocolError(
    'VALIDATION_PATTERN_MISMATCH',
    \`Parameter '\${name}' \${why} the pattern '\${shape.pattern}'.\`,
    { param_name: name, pattern: shape.pattern },
  );
}

function checkRange(
  actual: number,
  what: string,
  param_name: string,
  minimum = -Infinity,
  maximum = Infinity,
): void {
  if (actual >= minimum && actual <= maximum) return;
  const from = minimum === -Infinity ? '' : \`from \${minimum} \`;
  const to = maximum === Infinity ? 'up' : \`to \${maximum}\`;
  throw new ProtocolError(
    'VALIDATION_OUT_OF_RANGE',
    \`Parameter '\${param_name}': the \${what} must be \${from}\${to}, and is \${actual}.\`,
    {
      param_name,
      ...(minimum === -Infinity ? {} : { minimum }),
      ...(maximum === Infinity ? {} : { maximum }),
      actual,
    },
  );
}

/** The parts of a list or object that a shape speaks of; missing and unknown ones are refused. */
function partsOf(
  value: unknown,
  shape: ValueShape,
  name: string,
): [value: unknown, shape: ValueShape, name: string][] {
  if (Array.isArray(value)) {
    const { items } = shape;
    return items ? value.map((element, i) => [element, items, \`\${name}[\${i}]\`]) : [];
  }
  const { properties } = shape;
  if (typeof value !== 'object' || value === null || !properties) return [];
  const known = new Map<string, PropertyShape>(Object.entries(properties));
  for (const [key, { required, type }] of known) {
    if (!required || Object.hasOwn(value, key)) continue;
    const message = \`Field '\${name}.\${key}' (\${type}) is missing.\`;
    throw new ProtocolError('VALIDATION_MISSING_PARAM', message, { param_name: \`\${name}.\${key}\` });
  }
  return Object.entries(value).flatMap(([key, inner]) => {
    const innerShape = known.get(key);
    if (innerShape) return [[inner, innerShape, \`\${name}.\${key}\`]];
    if (shape.additional_properties) return [];
    const message = \`Field '\${name}.\${key}' is unknown. Known are \${[...known.keys()].join(', ')}.\`;
    const details = { unknown_fields: [key], valid_fields: [...known.keys()] };
    throw new ProtocolError('VALIDATION_UNKNOWN_FIELD', message, details);
  });
}

function said({ description }: ValueShape): string {
  return description === undefined ? '.' : \`: \${description}\`;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
`,
);

FILES.set(
  'protocol/confirmations.ts',
  `/** Tokens that stand for a person's yes: for one call, with these parameters, for a short time. */

import { createHash, randomBytes } from 'node:crypto';

import type { Operation } from '../adapter/adapter.js';
import { ProtocolError } from './protocol-error.js';
import type { Params } from './validate.js';

interface Issued {
  readonly operation: string;
  readonly paramsHash: string;
  readonly owner: string;
  readonly expiresAt: number;
  used: boolean;
}

export interface ConfirmationsOptions {
  readonly now?: () => number;
}

const MAX_TOKENS = 1000;
const LIFETIME_MS = 5 * 60_000;
/** What is forbidden without a yes has to be said while it is fresh. */
const SHORT_LIFETIME_MS = 2 * 60_000;

export class Confirmations {
  readonly #issued = new Map<string, Issued>();
  readonly #now: () => number;

  constructor({ now = Date.now }: ConfirmationsOptions = {}) {
    this.#now = now;
  }

  /** The refusal that carries a new token; \`owner\` is whoever has to come back with it. */
  request(operation: Operation, params: Params, owner: string): ProtocolError {
    this.#forget();
    const token = \`conf_\${randomBytes(24).toString('base64url')}\`;
    const { level, reasons } = operation.danger;
    const lifetime = level === 'forbidden' ? SHORT_LIFETIME_MS : LIFETIME_MS;
    const expiresAt = this.#now() + lifetime;
    const paramsHash = hashOf(params);
    this.#issued.set(token, {
      operation: operation.name,
      paramsHash,
      owner,
      expiresAt,
      used: false,
    });
    const confirmation_message = messageFor(operation, params);
    return new ProtocolError(
      'CONFIRMATION_REQUIRED',
      \`\${confirmation_message} If so, send the same call again with '_confirmation' in params.\`,
      {
        operation: operation.name,
        danger_level: level,
        reasons,
        confirmation_message,
        confirmation_token: token,
        expires_at: new Date(expiresAt).toISOString(),
      },
    );
  }

  /** Uses a token up, before anything happens; throws if it does not stand for this call. */
  redeem(token: unknown, operation: Operation, params: Params, owner: string): void {
    const issued = typeof token === 'string' ? this.#issued.get(token) : undefined;
    const advice = 'Call again without it to get a new one.';
    if (!issued)
      throw new ProtocolError('TOKEN_INVALID', \`The token is not one of ours. \${advice}\`);
    if (issued.used) {
      throw new ProtocolError('TOKEN_ALREADY_USED', \`The token was used already. \${advice}\`);
    }
    if (issued.expiresAt <= this.#now()) {
      throw new ProtocolError('TOKEN_EXPIRED', \`The token has expired. \${advice}\`);
    }
    const isSame = issued.operation === operation.name && issued.paramsHash === hashOf(params);
    if (!isSame || issued.owner !== owner) {
      const message = \`The token was given for another call. \${advice}\`;
      throw new ProtocolError('TOKEN_SCOPE_MISMATCH', message, { operation: operation.name });
    }
    issued.used = true;
  }

  /** Tokens are kept a while past their time, so that a late one is told from a wrong one. */
  #forget(): void {
    const now = this.#now();
    for (const [token, { expiresAt }] of this.#issued) {
      if (expiresAt + LIFETIME_MS > now && this.#issued.size < MAX_TOKENS) return;
      this.#issued.delete(token);
    }
  }
}

/** The same parameters in any order are the same parameters. */
function hashOf(params: Params): string {
  const text = JSON.stringify(sorted(Object.fromEntries(params)));
  return createHash('sha256').update(text).digest('base64url');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, sorted(inner)]);
}

function messageFor({ name, danger, params: declared }: Operation, params: Params): string {
  const template = danger.confirmationMessage ?? \`Really run '\${name}', which is \${danger.level}?\`;
  return template.replace(/\\{([^{}]*)\\}/g, (whole, key: string) => {
    const value = params.get(key);
    if (value === undefined) return whole;
    return declared.get(key)?.sensitive ? '…' : String(value).slice(0, 200);
  });
}
`,
);

FILES.set(
  'protocol/dispatch.ts',
  `/** From a call of one of the five tools to the operation that it names, one or several, and back. */

import type { Endpoint } from '../house.js';
import { HouseError, memberText, type Call, type Reply } from '../house.js';
import { editDistance } from '../house.js';

import { INTROSPECT } from '../adapter/reserved-operations.js';
import type { Catalogue, CatalogueEntry } from '../introspect/catalogue.js';
import { introspect } from '../introspect/introspect.js';
import { type Envelope, envelopeReply, failure, success, type Warning } from './envelope.js';
import { checkSize } from './limits.js';
import { ProtocolError } from './protocol-error.js';
import { type OperationRequest, parseRequest, readParams } from './request.js';

/** What came of one operation: an answer of ours, or the answer of a server, which goes home untouched. */
type Outcome =
  | { readonly kind: 'envelope'; readonly envelope: Envelope }
  | { readonly kind: 'reply'; readonly reply: Reply };

/** Does one operation; \`params\` is the JSON text of an object. */
export type Run<E> = (entry: E, params: string, call: Call) => Promise<Outcome>;

/** Answers a call to an endpoint's tool; \`notices\` go into the answer. */
export type Dispatch = (
  endpoint: Endpoint,
  call: Call,
  notices?: readonly Warning[],
) => Promise<Reply>;

const MAX_SUGGESTIONS = 3;

export function createDispatcher<E extends CatalogueEntry>(
  /** What there is now. */
  catalogue: () => Catalogue<E>,
  run: Run<E>,
): Dispatch {
  return async function dispatch(endpoint, call, notices = []): Promise<Reply> {
    try {
      const text = memberText(call.params, 'arguments') ?? '{}';
      // How much a server takes is its own matter.
      if (catalogue().limits) checkSize(text);
      const request = parseRequest(text);
      if (request.kind === 'batch') return await sendBatch(request.items, endpoint, call, notices);
      const outcome = await sendOne(request.item, endpoint, call);
      if (outcome.kind === 'reply') return outcome.reply;
      const { envelope } = outcome;
      if (!envelope.success) return envelopeReply(JSON.stringify(envelope), true);
      const told = success(envelope.data, [...(envelope.warnings ?? []), ...notices]);
      return envelopeReply(JSON.stringify(told), false);
    } catch (error) {
      // A refusal of the house, such as a policy's, goes its own way to the client.
      if (error instanceof HouseError) throw error;
      return envelopeReply(JSON.stringify(failure(error)), true);
    }
  };

  async function sendOne(item: OperationRequest, endpoint: Endpoint, call: Call): Promise<Outcome> {
    const known = catalogue();
    if (item.operation === INTROSPECT) {
      const envelope = success(introspect(known, readParams(item.params)));
      return { kind: 'envelope', envelope };
    }
    return run(find(known, item.operation, endpoint), item.params, call);
  }

  /** One after the other. A failure stops nothing; what has to be confirmed first stops the rest. */
  async function sendBatch(
    items: readonly OperationRequest[],
    endpoint: Endpoint,
    call: Call,
    notices: readonly Warning[],
  ): Promise<Reply> {
    const results: string[] = [];
    let succeeded = 0;
    let halted: { readonly index: number; readonly text: string } | undefined;
    for (const [index, item] of items.entries()) {
      if (call.isCancelled) break;
      const outcome = await sendOne(item, endpoint, call).catch(failed);
      const text = \`{"index":\${index},"operation":\${JSON.stringify(item.operation)},"result":\${jsonOf(outcome)}}\`;
      if (needsConfirmation(outcome)) {
        halted = { index, text };
        break;
      }
      if (hasSucceeded(outcome)) succeeded++;
      results.push(text);
    }
    const summary = { total: items.length, succeeded, failed: results.length - succeeded };
    return envelopeReply(batchText(results, summary, halted, items, notices), false);
  }
}

function batchText(
  results: readonly string[],
  summary: object,
  halted: { readonly index: number; readonly text: string } | undefined,
  items: readonly OperationRequest[],
  notices: readonly Warning[],
): string {
  const counted = halted
    ? { ...summary, halted: true, pending: items.length - halted.index }
    : summary;
  const members = [\`"results":[\${results.join(',')}]\`, \`"summary":\${JSON.stringify(counted)}\`];
  if (halted) {
    const pending = items.slice(halted.index).map(({ operation, params }, i) => {
      return \`{"index":\${halted.index + i},"operation":\${JSON.stringify(operation)},"params":\${params}}\`;
    });
    members.push(\`"halted_at":\${halted.text}\`, \`"pending_operations":[\${pending.join(',')}]\`);
  }
  if (notices.length > 0) members.push(\`"warnings":\${JSON.stringify(notices)}\`);
  return \`{"success":true,"data":null,\${members.join(',')}}\`;
}

function failed(error: unknown): Outcome {
  return { kind: 'envelope', envelope: failure(error) };
}

/** The operation, if this endpoint is its own; nothing has happened yet when it is not. */
function find<E extends CatalogueEntry>(
  { operations, toolNames }: Catalogue<E>,
  operation: string,
  actual: Endpoint,
): E {
  const found = operations.get(operation);
  if (!found) throw unknown(operation, [...operations.keys()]);
  if (found.endpoint === actual) return found;
  throw new ProtocolError(
    'VALIDATION_ENDPOINT_MISMATCH',
    \`'\${operation}' belongs to \${found.endpoint.toUpperCase()}, not \${actual.toUpperCase()}: call '\${toolNames.get(found.endpoint)}' with it.\`,
    {
      operation,
      expected_endpoint: found.endpoint,
      actual_endpoint: actual,
      expected_tool: toolNames.get(found.endpoint),
    },
  );
}

function unknown(operation: string, known: readonly string[]): ProtocolError {
  const called = operation.slice(0, 64);
  const limit = Math.max(2, Math.floor(called.length / 3));
  const near = known
    .map((name) => ({ name, slips: editDistance(called, name.slice(0, 64), limit) }))
    .filter(({ slips }) => slips <= limit)
    .toSorted((a, b) => a.slips - b.slips)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
  const guess =
    near.length === 0 ? "'introspect' lists all." : \`Did you mean '\${near.join("' or '")}'?\`;
  return new ProtocolError('NOT_FOUND_OPERATION', \`No operation is called '\${called}'. \${guess}\`, {
    operation: called,
    ...(near.length === 0 ? {} : { available: near }),
  });
}

function jsonOf(outcome: Outcome): string {
  return outcome.kind === 'reply' ? outcome.reply.json : JSON.stringify(outcome.envelope);
}

function hasSucceeded(outcome: Outcome): boolean {
  if (outcome.kind === 'envelope') return outcome.envelope.success;
  return outcome.reply.ok && memberText(outcome.reply.json, 'isError') !== 'true';
}

function needsConfirmation(outcome: Outcome): boolean {
  if (outcome.kind === 'reply' || outcome.envelope.success) return false;
  return outcome.envelope.error.code === 'CONFIRMATION_REQUIRED';
}
`,
);

FILES.set(
  'protocol/envelope.ts',
  `/** What every answer of an adapter is wrapped in, and how it travels in an MCP result. */

import { HouseError, type Reply } from '../house.js';

import { type Details, type ErrorCode, ProtocolError } from './protocol-error.js';

export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly severity?: 'low' | 'medium' | 'high';
}

export interface Success {
  readonly success: true;
  readonly data: unknown;
  readonly warnings?: readonly Warning[];
}

export interface Failure {
  readonly success: false;
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details?: Details;
  };
}

export type Envelope = Success | Failure;

const MAX_WARNINGS = 10;

export function success(data: unknown, warnings: readonly Warning[] = []): Success {
  if (warnings.length === 0) return { success: true, data };
  const distinct = new Map(
    warnings.map((warning) => [\`\${warning.code} \${warning.message}\`, warning]),
  );
  return { success: true, data, warnings: [...distinct.values()].slice(0, MAX_WARNINGS) };
}

/** What nobody foresaw is told without its words: they may hold a path, a class or a secret. */
export function failure(error: unknown): Failure {
  if (!(error instanceof ProtocolError)) {
    const message =
      error instanceof HouseError
        ? error.message
        : 'The operation failed for a reason that is not the request; try again later.';
    return { success: false, error: { code: 'INTERNAL_ERROR', message } };
  }
  const { code, message, details } = error;
  return { success: false, error: { code, message, ...(details ? { details } : {}) } };
}

/** An envelope as the result of a tool. Every failure is one for MCP too, so that a client sees it. */
export function envelopeReply(json: string, isFailure: boolean): Reply {
  const content = JSON.stringify([{ type: 'text', text: json }]);
  return { ok: true, json: \`{"content":\${content}\${isFailure ? ',"isError":true' : ''}}\` };
}
`,
);

FILES.set(
  'protocol/fields.ts',
  `/** Which fields of an answer come back: named ones, or those of a preset. */

import type { Operation, Param } from '../adapter/adapter.js';
import { ProtocolError } from './protocol-error.js';

const PRESETS = ['minimal', 'standard', 'full'];
const PATH = /^[A-Za-z_][\\w-]{0,127}(?:\\.[A-Za-z_][\\w-]{0,127}){0,31}$/;
const MAX_PATHS = 200;

/** The parameter as introspection shows it; it takes a word or a list, and is checked here. */
export const FIELDS_PARAM: Param = {
  name: 'fields',
  type: 'array',
  items: { type: 'string' },
  required: false,
  description: 'Fields to return, as dotted paths; or the word minimal, standard or full.',
};

/** A tree of the keys to keep; \`undefined\` keeps everything. */
export type Selection = ReadonlyMap<string, Selection | undefined> | undefined;

export function parseFields(given: unknown, operation: Operation): Selection {
  if (given === undefined || given === null) {
    const standard = operation.pagination ? operation.fieldPresets.get('standard') : undefined;
    return treeOf(operation.defaultFields ?? standard);
  }
  const words = typeof given === 'string' ? [given] : given;
  if (!Array.isArray(words) || words.length === 0 || words.length > MAX_PATHS) throw wrong();
  const paths: string[] = [];
  for (const word of words as unknown[]) {
    if (typeof word !== 'string' || !PATH.test(word)) throw wrong();
    if (word === 'full') return undefined;
    const preset = PRESETS.includes(word) ? operation.fieldPresets.get(word) : [word];
    // A preset that the adapter does not define leaves nothing out.
    if (preset === undefined) return undefined;
    paths.push(...preset);
  }
  return treeOf(paths);
}

/** Each element of a list, or the object itself, cut down to the selection; what is not there is left out. */
export function selectFields(data: unknown, selection: Selection): unknown {
  if (selection === undefined || typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) return data.map((element) => selectFields(element, selection));
  return Object.fromEntries(
    Object.entries(data)
      .filter(([key]) => selection.has(key))
      .map(([key, value]) => [key, selectFields(value, selection.get(key))]),
  );
}

function treeOf(paths: readonly string[] | undefined): Selection {
  if (paths === undefined) return undefined;
  const root = new Map<string, Selection | undefined>();
  for (const path of paths) {
    let level = root;
    const keys = path.split('.');
    for (const [i, key] of keys.entries()) {
      const isLast = i === keys.length - 1;
      const inner = level.get(key);
      // The whole of something includes its parts.
      if (level.has(key) && inner === undefined) break;
      if (isLast) level.set(key, undefined);
      else {
        const next = (inner ?? new Map()) as Map<string, Selection | undefined>;
        level.set(key, next);
        level = next;
      }
    }
  }
  return root;
}

function wrong(): ProtocolError {
  const message =
    "Parameter 'fields' must be a list of paths such as ['id', 'owner.name'], or 'minimal', 'standard' or 'full'.";
  return new ProtocolError('VALIDATION_INVALID_VALUE', message, { param_name: 'fields' });
}
`,
);

FILES.set(
  'protocol/limits.ts',
  `/** How large requests and answers may be, and keys that no request may hold. */

import { ProtocolError } from './protocol-error.js';

/** As they are announced in \`_protocol.limits\`. */
export const LIMITS = {
  max_request_size: 1_048_576,
  max_response_size: 10_485_760,
  max_string_length: 1_048_576,
  max_array_elements: 10_000,
  max_nesting_depth: 32,
} as const;

/** The most operations in one batch. */
export const MAX_BATCH = 50;

/** Keys that mean something to the language of whoever reads the request. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function checkSize(text: string): void {
  const size = Buffer.byteLength(text);
  if (size > LIMITS.max_request_size) {
    throw tooLarge('request_size', LIMITS.max_request_size, size, 'bytes');
  }
}

/** Walks a value without recursion: it may be nested as deep as its sender likes. */
export function checkValue(root: unknown): void {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string' && value.length > LIMITS.max_string_length) {
      throw tooLarge('string_length', LIMITS.max_string_length, value.length, 'characters');
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth > LIMITS.max_nesting_depth) {
      throw tooLarge('nesting_depth', LIMITS.max_nesting_depth, depth, 'levels');
    }
    if (Array.isArray(value) && value.length > LIMITS.max_array_elements) {
      throw tooLarge('array_elements', LIMITS.max_array_elements, value.length, 'elements');
    }
    for (const key of Object.keys(value)) {
      if (RESERVED.has(key)) {
        const message = \`The key '\${key}' is not allowed; call it by another name.\`;
        throw new ProtocolError('VALIDATION_INVALID_VALUE', message, { key });
      }
      open.push({ value: (value as Record<string, unknown>)[key], depth: depth + 1 });
    }
  }
}

export function tooLarge(
  limit_type: string,
  limit_value: number,
  actual_value: number,
  unit: string,
): ProtocolError {
  return new ProtocolError(
    'VALIDATION_PAYLOAD_TOO_LARGE',
    \`Too large: \${actual_value} \${unit} of \${limit_value} (\${limit_type.replace('_', ' ')}). Send less, or ask for less.\`,
    { limit_type, limit_value, actual_value, unit },
  );
}
`,
);

FILES.set(
  'protocol/paging.ts',
  `/** Pages: one way to ask for them, whatever way the target has, with cursors that nobody can forge. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Operation, Pagination, Param } from '../adapter/adapter.js';
import type { Executed } from '../execute/executor.js';
import type { Warning } from './envelope.js';
import { ProtocolError } from './protocol-error.js';
import type { Params } from './validate.js';

/** Which page is wanted, and what the target has to be told for it. */
export interface PagePlan {
  readonly pagination: Pagination;
  readonly size: number;
  /** An offset, a page's number or the target's own cursor; \`undefined\` for the first page of a cursor. */
  readonly position: number | string | undefined;
  /** Whether the caller counts by itself, so that the answer counts too. */
  readonly counted: boolean;
  /** The parameters that are not about pages. */
  readonly params: Params;
  /** The target's own parameters for this page. */
  readonly query: ReadonlyMap<string, string>;
  readonly warnings: readonly Warning[];
}

/** Cursors are good for as long as we run; nothing is stored for them. */
const KEY = randomBytes(32);

const whole = (name: string, minimum: number, description: string): Param => ({
  name,
  type: 'integer',
  minimum,
  required: false,
  description,
});

/** How a caller may ask for pages of this operation. */
export function pagingParams({ style, max_limit }: Pagination): Param[] {
  const cursor: Param[] = [
    whole('first', 1, \`How many to return, at most \${max_limit}.\`),
    {
      name: 'after',
      type: 'string',
      required: false,
      description: 'endCursor of the page before.',
    },
  ];
  if (style === 'offset') {
    return [...cursor, whole('limit', 1, 'Like first.'), whole('offset', 0, 'How many to skip.')];
  }
  if (style === 'page') {
    return [
      ...cursor,
      whole('page_size', 1, 'Like first.'),
      whole('page', 0, 'Number of the page.'),
    ];
  }
  return cursor;
}

export function planPage(operation: Operation, params: Params): PagePlan | undefined {
  const { pagination } = operation;
  if (!pagination) return undefined;
  const { style, default_limit, max_limit, first_page, limit_param, position_param } = pagination;
  const rest = new Map(params);
  const take = (name: string): unknown => {
    const value = rest.get(name);
    rest.delete(name);
    return value;
  };
  const first = take('first');
  const after = take('after');
  checkTogether(first, after, params);
  // A parameter of the operation's own may be what the target calls its limit or its position.
  const ownLimit = takeOwn(operation, rest, limit_param);
  const ownPosition = takeOwn(operation, rest, position_param);
  const limit = take(style === 'page' ? 'page_size' : 'limit') ?? ownLimit;
  const place = style === 'offset' ? take('offset') : style === 'page' ? take('page') : undefined;
  const wanted = Number(first ?? limit ?? default_limit);
  const size = Math.min(wanted, max_limit);
  const start = { offset: 0, page: first_page, cursor: undefined, link_header: undefined }[style];
  const counted = first === undefined && style !== 'cursor' && style !== 'link_header';
  const position =
    after === undefined
      ? ((place ?? ownPosition ?? start) as PagePlan['position'])
      : readCursor(operation, String(after));
  const query = new Map([[limit_param, String(size)]]);
  if (position !== undefined) query.set(position_param, String(position));
  const warnings = wanted > size ? [clamped(wanted, size)] : [];
  const isCounted = counted && (limit !== undefined || place !== undefined);
  return { pagination, size, position, counted: isCounted, params: rest, query, warnings };
}

/** The list of an answer with what a caller needs for the next page; an answer without a list stays as it is. */
export function pageOf(
  operation: Operation,
  plan: PagePlan,
  { data, nextLink }: Executed,
): unknown {
  const { pagination, position, size } = plan;
  const items = valueAt(data, pagination.items);
  if (!Array.isArray(items)) return data;
  const counted = valueAt(data, pagination.total);
  const total = pagination.total !== undefined && typeof counted === 'number' ? counted : undefined;
  const next = nextPosition(plan, items.length, total, data, nextLink);
  if (!plan.counted) {
    const endCursor = next === undefined ? {} : { endCursor: writeCursor(operation, next) };
    const totalCount = total === undefined ? {} : { totalCount: total };
    const hasPreviousPage = position !== undefined && Number(position) !== startOf(pagination);
    const pageInfo = {
      hasNextPage: next !== undefined,
      hasPreviousPage,
      ...endCursor,
      ...totalCount,
    };
    return { items, pageInfo };
  }
  const has_more = next !== undefined;
  const totals = total === undefined ? {} : { total_items: total };
  if (pagination.style === 'offset') {
    const returned = items.length;
    return { items, pagination: { limit: size, offset: position, returned, ...totals, has_more } };
  }
  const pages = total === undefined ? {} : { total_pages: Math.ceil(total / size) };
  return { items, pagination: { page: position, page_size: size, ...totals, ...pages, has_more } };
}

/** The value behind keys with dots between; the whole without any. */
function valueAt(data: unknown, path: string | undefined): unknown {
  if (path === undefined) return data;
  return path
    .split('.')
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
          ? (inner as Record<string, unknown>)[key]
          : undefined,
      data,
    );
}

function startOf({ style, first_page }: Pagination): number {
  return style === 'page' ? first_page : 0;
}

function nextPosition(
  { pagination, position, size }: PagePlan,
  returned: number,
  total: number | undefined,
  data: unknown,
  nextLink: string | undefined,
): number | string | undefined {
  const { style, next_cursor, position_param } = pagination;
  if (style === 'cursor') {
    const cursor = next_cursor === undefined ? undefined : valueAt(data, next_cursor);
    return typeof cursor === 'number' || (typeof cursor === 'string' && cursor !== '')
      ? cursor
      : undefined;
  }
  if (style === 'link_header') {
    const isUrl = nextLink !== undefined && URL.canParse(nextLink, 'https://target.invalid');
    const url = isUrl ? new URL(nextLink, 'https://target.invalid') : undefined;
    return url?.searchParams.get(position_param) ?? undefined;
  }
  const at = Number(position);
  const seen = style === 'offset' ? at + returned : (at - pagination.first_page) * size + returned;
  const hasMore = total === undefined ? returned >= size : seen < total && returned > 0;
  if (!hasMore) return undefined;
  return style === 'offset' ? at + returned : at + 1;
}

function takeOwn({ params }: Operation, rest: Map<string, unknown>, wireName: string): unknown {
  for (const [name, { as = name }] of params) {
    if (as !== wireName || !rest.has(name)) continue;
    const value = rest.get(name);
    rest.delete(name);
    return value;
  }
  return undefined;
}

function checkTogether(first: unknown, after: unknown, params: Params): void {
  if (after !== undefined && first === undefined) {
    throw misused("'after' needs 'first': say how many to return.");
  }
  const other = ['limit', 'offset', 'page', 'page_size'].find((name) => params.has(name));
  if (after !== undefined && (other === 'offset' || other === 'page')) {
    throw misused(\`'after' and '\${other}' both say where the page starts; send one of them.\`);
  }
}

function clamped(wanted: number, size: number): Warning {
  const message = \`\${wanted} were asked for; the most on one page is \${size}.\`;
  return { code: 'VALIDATION_TRUNCATED_WARNING', message };
}

function writeCursor({ name }: Operation, position: number | string): string {
  const body = Buffer.from(JSON.stringify(position)).toString('base64url');
  return \`\${body}.\${seal(name, body)}\`;
}

function readCursor({ name }: Operation, cursor: string): number | string {
  const [body = '', mac = '', ...more] = cursor.split('.', 3);
  const [given, right] = [Buffer.from(mac), Buffer.from(seal(name, body))];
  if (more.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) {
    throw misused("'after' is no cursor of this operation, or an old one; start again without it.");
  }
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as number | string;
}

function seal(name: string, body: string): string {
  return createHmac('sha256', KEY).update(\`\${name}\\n\${body}\`).digest('base64url').slice(0, 16);
}

function misused(message: string): ProtocolError {
  return new ProtocolError('VALIDATION_INVALID_VALUE', message, { param_name: 'after' });
}
`,
);

FILES.set(
  'protocol/pattern-test.ts',
  `/** Tests text against an adapter's own pattern, within a time: some patterns take for ever on some texts. */

import { createContext, Script } from 'node:vm';

const TIME_MS = 100;
const TEST = new Script('new RegExp(pattern, "u").test(text)');
/** Making one takes a thousand times as long as using it. */
const CONTEXT: Record<string, unknown> = createContext({});

/** \`undefined\` if the pattern could not be decided in time. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  try {
    Object.assign(CONTEXT, { pattern, text });
    return TEST.runInContext(CONTEXT, { timeout: TIME_MS }) as boolean;
  } catch {
    return undefined;
  }
}
`,
);

FILES.set(
  'protocol/protocol-error.ts',
  `/** A refusal in the protocol's own words: a code, a sentence, and details for programs. */

export type ErrorCode =
  | 'VALIDATION_MISSING_PARAM'
  | 'VALIDATION_INVALID_TYPE'
  | 'VALIDATION_UNKNOWN_PARAM'
  | 'VALIDATION_UNKNOWN_FIELD'
  | 'VALIDATION_INVALID_ENUM'
  | 'VALIDATION_OUT_OF_RANGE'
  | 'VALIDATION_PATTERN_MISMATCH'
  | 'VALIDATION_INVALID_VALUE'
  | 'VALIDATION_INVALID_QUERY'
  | 'VALIDATION_PAYLOAD_TOO_LARGE'
  | 'VALIDATION_ENDPOINT_MISMATCH'
  | 'NOT_FOUND_OPERATION'
  | 'NOT_FOUND_RESOURCE'
  | 'PERMISSION_DENIED'
  | 'PERMISSION_TRUST_LEVEL_INSUFFICIENT'
  | 'PERMISSION_DANGER_LEVEL_DENIED'
  | 'CONFIRMATION_REQUIRED'
  | 'TOKEN_INVALID'
  | 'TOKEN_EXPIRED'
  | 'TOKEN_ALREADY_USED'
  | 'TOKEN_SCOPE_MISMATCH'
  | 'RATE_LIMIT_EXCEEDED'
  | 'CONFLICT_ALREADY_EXISTS'
  | 'INTERNAL_ERROR'
  | 'UPSTREAM_TOOL_ERROR'
  | 'TRANSPORT_DNS_ERROR'
  | 'TRANSPORT_CONNECTION_REFUSED'
  | 'TRANSPORT_TIMEOUT'
  | 'TRANSPORT_TLS_ERROR'
  | 'TRANSPORT_NETWORK_ERROR'
  | 'PROTOCOL_INVALID_MAPPING'
  | 'SERIALIZATION_PARSE_ERROR'
  | 'AUTH_CONFIG_INVALID'
  | 'AUTH_CREDENTIAL_MISSING';

export type Details = Readonly<Record<string, unknown>>;

export class ProtocolError extends Error {
  readonly code: ErrorCode;
  readonly details: Details | undefined;

  constructor(code: ErrorCode, message: string, details?: Details) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
    this.details = details;
  }
}
`,
);

FILES.set(
  'protocol/rate-limiter.ts',
  `/** How often an adapter may be called. Counts exactly, so that the time it names is the time to wait. */

import type { Operation } from '../adapter/adapter.js';
import type { RateLimitDocument, RateWindow } from '../adapter/adapter-document.js';
import { ProtocolError } from './protocol-error.js';

const WINDOW_MS: Readonly<Record<RateWindow, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

interface Counter {
  readonly rule: RateLimitDocument;
  /** When each call of the last window was made; those before \`head\` are over. */
  readonly calls: number[];
  head: number;
}

export interface RateLimiterOptions {
  readonly now?: () => number;
}

export class RateLimiter {
  readonly #counters: readonly Counter[];
  readonly #now: () => number;
  #pausedUntil = 0;

  constructor(rules: readonly RateLimitDocument[], { now = Date.now }: RateLimiterOptions = {}) {
    this.#counters = rules.map((rule) => ({ rule, calls: [], head: 0 }));
    this.#now = now;
  }

  /** Counts a call, or throws and counts nothing. */
  take(operation: Operation): void {
    const now = this.#now();
    if (this.#pausedUntil > now) throw exceeded(this.#pausedUntil - now, now);
    const counters = this.#counters.filter(({ rule }) => covers(rule, operation));
    for (const counter of counters) {
      const { rule, calls } = counter;
      const window = WINDOW_MS[rule.window];
      while (counter.head < calls.length && calls[counter.head]! <= now - window) counter.head++;
      if (calls.length - counter.head < rule.limit) continue;
      throw exceeded(calls[counter.head]! + window - now, now, rule);
    }
    for (const counter of counters) {
      counter.calls.push(now);
      // Moved in blocks, so that each call pays for itself once.
      if (counter.head <= counter.rule.limit) continue;
      counter.calls.splice(0, counter.head);
      counter.head = 0;
    }
  }

  /** The target itself wants to be left alone; nothing is sent until then. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + milliseconds);
  }
}

function covers({ scope, endpoint, operation }: RateLimitDocument, called: Operation): boolean {
  if (scope === 'global') return true;
  return scope === 'endpoint' ? endpoint === called.endpoint : operation === called.name;
}

/** Whole seconds, rounded up: whoever waits that long is let in. */
export function exceeded(waitMs: number, now: number, rule?: RateLimitDocument): ProtocolError {
  const retry_after_seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const resets_at = new Date(now + retry_after_seconds * 1000).toISOString();
  const whose = rule
    ? \`\${rule.limit} calls per \${rule.window} are used up\`
    : 'The target asks to wait';
  const limit = rule ? { limit: rule.limit, remaining: 0, window: rule.window } : {};
  return new ProtocolError(
    'RATE_LIMIT_EXCEEDED',
    \`\${whose}. Call again in \${retry_after_seconds} s.\`,
    { ...limit, resets_at, retry_after_seconds },
  );
}
`,
);

FILES.set(
  'protocol/request.ts',
  `/** What a call to one of the five tools asks for. Parameters stay text: not everybody has to read them. */

import { elementsOf, membersOf, type Range } from '../house.js';

import { checkValue, MAX_BATCH } from './limits.js';
import { ProtocolError } from './protocol-error.js';
import type { Params } from './validate.js';

export interface OperationRequest {
  readonly operation: string;
  /** An object as JSON text. */
  readonly params: string;
}

export type Request =
  | { readonly kind: 'single'; readonly item: OperationRequest }
  | { readonly kind: 'batch'; readonly items: readonly OperationRequest[] };

/** Members that belong to the protocol; all others beside them count as parameters. */
const PROTOCOL_MEMBERS = ['operation', 'params', 'operations', '_meta'];

const EXAMPLE = '{"operation": "introspect", "params": {"query": "operations"}}';

/** Reads the \`arguments\` of a call, as JSON text. */
export function parseRequest(text: string): Request {
  const members = membersOf(text);
  const batch = members?.get('operations');
  if (!batch) return { kind: 'single', item: itemOf(text, members) };
  if (members?.has('operation')) throw invalid("Send 'operation' or 'operations', not both.");
  const elements = elementsOf(text.slice(batch.start, batch.end));
  if (!elements || elements.length === 0 || elements.length > MAX_BATCH) {
    throw invalid(\`'operations' must be a list of 1 to \${MAX_BATCH} operations.\`);
  }
  return { kind: 'batch', items: elements.map((element) => itemOf(element, membersOf(element))) };
}

/** A parameter object out of its text, within the limits of the protocol. */
export function readParams(text: string): Params {
  const value = JSON.parse(text) as object;
  checkValue(value);
  return new Map(Object.entries(value));
}

function itemOf(text: string, members: ReadonlyMap<string, Range> | undefined): OperationRequest {
  const range = members?.get('operation');
  const operation: unknown = range && JSON.parse(text.slice(range.start, range.end));
  if (!members || typeof operation !== 'string' || operation === '') {
    const message = \`Parameter 'operation' (string) is missing: the name of an operation. Send \${EXAMPLE} to see them.\`;
    throw new ProtocolError('VALIDATION_MISSING_PARAM', message, { param_name: 'operation' });
  }
  const written = members.get('params');
  const params = written ? text.slice(written.start, written.end) : '{}';
  if (params !== 'null' && !params.startsWith('{')) throw invalid("'params' must be an object.");
  const beside = Array.from(members).filter(([key]) => !PROTOCOL_MEMBERS.includes(key));
  if (beside.length === 0) return { operation, params: params === 'null' ? '{}' : params };
  // What stands in \`params\` comes last, so that it wins over what stands beside it.
  const inside = params === 'null' ? '' : params.slice(1, -1).trim();
  const outside = beside.map(
    ([key, { start, end }]) => \`\${JSON.stringify(key)}:\${text.slice(start, end)}\`,
  );
  return { operation, params: \`{\${[...outside, ...(inside ? [inside] : [])].join(',')}}\` };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError('VALIDATION_INVALID_TYPE', \`\${message} For example: \${EXAMPLE}\`);
}
`,
);

FILES.set(
  'protocol/runner.ts',
  `/** One operation of an adapter, from its parameters to its envelope: gate, check, confirm, count, execute, shape. */

import type { Call } from '../house.js';

import type { Adapter, Operation } from '../adapter/adapter.js';
import { placeholdersOf } from '../adapter/maps-to.js';
import { trustNeededFor, type Verdict, verdictOn } from '../adapter/trust.js';
import type { Executed, Executor } from '../execute/executor.js';
import { acceptedParams } from './accepted-params.js';
import { Confirmations } from './confirmations.js';
import { type Envelope, success, type Warning } from './envelope.js';
import { FIELDS_PARAM, parseFields, type Selection, selectFields } from './fields.js';
import { LIMITS, tooLarge } from './limits.js';
import { type PagePlan, pageOf, planPage } from './paging.js';
import { ProtocolError } from './protocol-error.js';
import { RateLimiter } from './rate-limiter.js';
import { readParams } from './request.js';
import { type Params, validateParams } from './validate.js';

/** Rejects with the reason, mostly a ProtocolError. */
export type RunOperation = (operation: Operation, params: string, call: Call) => Promise<Envelope>;

export interface RunnerOptions {
  readonly now?: () => number;
}

export function createRunner(
  adapter: Adapter,
  execute: Executor,
  options: RunnerOptions = {},
): RunOperation {
  const confirmations = new Confirmations(options);
  const limiter = new RateLimiter(adapter.rateLimits, options);

  return async function runOperation(operation, text, call) {
    const verdict = gate(operation, adapter);
    const given = new Map(readParams(text));
    // What an operation calls so itself is its own.
    const takeOurs = (name: string): unknown =>
      operation.params.has(name) ? undefined : take(given, name);
    const [token, otherToken] = [take(given, '_confirmation'), takeOurs('confirmation_token')];
    const fields = operation.supportsFields ? takeOurs(FIELDS_PARAM.name) : undefined;
    const selection = parseFields(fields, operation);
    const accepted = { operation: operation.name, params: acceptedParams(operation) };
    const params = validateParams(withInput(given, operation), accepted);
    const plan = planPage(operation, params);
    if (verdict === 'confirm') {
      const owner = call.caller.era === 'session' ? call.caller.id : '';
      const shown = token ?? otherToken;
      if (shown === undefined) throw confirmations.request(operation, params, owner);
      confirmations.redeem(shown, operation, params, owner);
    }
    limiter.take(operation);
    const executed = await execute({
      operation,
      params: plan?.params ?? params,
      query: plan?.query ?? new Map(),
      signal: signalOf(call),
      call,
    }).catch((error: unknown) => {
      throw honoured(error, limiter);
    });
    return enveloped(operation, shaped(operation, executed, plan, selection), plan);
  };
}

/** Throws where an adapter of this trust may not do this at all. */
function gate(operation: Operation, { trust, name }: Adapter): Verdict {
  const { level } = operation.danger;
  const verdict = verdictOn(level, trust);
  if (verdict !== 'deny') return operation.requiresConfirmation ? 'confirm' : verdict;
  const needed = trustNeededFor(level);
  throw new ProtocolError(
    level === 'forbidden'
      ? 'PERMISSION_DANGER_LEVEL_DENIED'
      : 'PERMISSION_TRUST_LEVEL_INSUFFICIENT',
    \`'\${operation.name}' is \${level}, and the adapter '\${name}' is only \${trust}. Whoever has looked at it may write trust.level: \${needed} into its file.\`,
    {
      operation: operation.name,
      danger_level: level,
      trust_level: trust,
      required_trust_level: needed,
    },
  );
}

/**
 * An update may put what it changes into \`input\`. Where the operation knows no such parameter, the
 * target wants the fields themselves; what tells things apart stays outside.
 */
function withInput(given: Map<string, unknown>, operation: Operation): Params {
  const input = given.get('input');
  const isGroup = typeof input === 'object' && input !== null && !Array.isArray(input);
  if (operation.endpoint !== 'update' || operation.params.has('input') || !isGroup) return given;
  const identifiers = placeholdersOf(operation.mapsTo);
  const inside = identifiers.filter((name) => Object.hasOwn(input, name));
  if (inside.length > 0) {
    const message = \`'\${inside.join("', '")}' says what to update; send it beside 'input', not in it.\`;
    throw new ProtocolError('VALIDATION_UNKNOWN_FIELD', message, { unknown_fields: inside });
  }
  given.delete('input');
  return new Map([...Object.entries(input), ...given]);
}

function shaped(
  operation: Operation,
  executed: Executed,
  plan: PagePlan | undefined,
  selection: Selection,
): unknown {
  const page = plan ? pageOf(operation, plan, executed) : undefined;
  if (!isPage(page)) return selectFields(executed.data, selection);
  return { ...page, items: selectFields(page.items, selection) };
}

function isPage(page: unknown): page is { readonly items: readonly unknown[] } {
  return typeof page === 'object' && page !== null && 'items' in page && Array.isArray(page.items);
}

function enveloped(operation: Operation, data: unknown, plan: PagePlan | undefined): Envelope {
  const warnings: Warning[] = [...(plan?.warnings ?? [])];
  if (operation.deprecated !== undefined) {
    const message = \`'\${operation.name}' is deprecated. \${operation.deprecated}\`;
    warnings.push({ code: 'DEPRECATION_WARNING', message });
  }
  const envelope = success(data, warnings);
  const size = Buffer.byteLength(JSON.stringify(envelope));
  if (size > LIMITS.max_response_size) {
    throw tooLarge('response_size', LIMITS.max_response_size, size, 'bytes');
  }
  return envelope;
}

/** A target that asked for time gets it: nothing more is sent until it is over. */
function honoured(error: unknown, limiter: RateLimiter): unknown {
  if (error instanceof ProtocolError && error.code === 'RATE_LIMIT_EXCEEDED') {
    const seconds = Number(error.details?.['retry_after_seconds']);
    if (seconds > 0) limiter.pause(seconds * 1000);
  }
  return error;
}

/** The end of a caller's patience, as the platform says it. */
function signalOf(call: Call): AbortSignal {
  const controller = new AbortController();
  if (call.isCancelled) controller.abort();
  call.onCancel = () => controller.abort();
  return controller.signal;
}

function take(given: Map<string, unknown>, name: string): unknown {
  const value = given.get(name);
  given.delete(name);
  return value;
}
`,
);

FILES.set(
  'protocol/validate.ts',
  `/** Parameters of one operation, in the order of the protocol: required, type, unknown, constraints, defaults. */

import type { Param } from '../adapter/adapter.js';
import { checkConstraints, checkType } from './check-value.js';
import { ProtocolError } from './protocol-error.js';

export type Params = ReadonlyMap<string, unknown>;

export interface Accepted {
  readonly operation: string;
  readonly params: ReadonlyMap<string, Param>;
}

/** The parameters with their defaults; members that start with an underscore are the protocol's. */
export function validateParams(given: Params, { operation, params }: Accepted): Params {
  for (const param of params.values()) {
    if (param.required && !isGiven(given, param)) throw missing(param, operation);
  }
  for (const [name, value] of given) {
    const param = params.get(name);
    if (param && isGiven(given, param)) checkType(value, param, name);
  }
  const unknown_params = [...given.keys()].filter(
    (name) => !params.has(name) && !name.startsWith('_'),
  );
  if (unknown_params.length > 0) throw unknown(unknown_params, operation, [...params.keys()]);
  for (const [name, value] of given) {
    const param = params.get(name);
    if (param && isGiven(given, param)) checkConstraints(value, param, name);
  }
  const values = new Map<string, unknown>();
  for (const [name, param] of params) {
    const value = isGiven(given, param) ? given.get(name) : param.default;
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

/** A model writes null where it means nothing; only who may be null takes it at its word. */
function isGiven(given: Params, { name, nullable }: Param): boolean {
  const value = given.get(name);
  return value !== undefined && (value !== null || nullable === true);
}

function missing({ name, type, description }: Param, operation: string): ProtocolError {
  const meaning = description === undefined ? '' : \`: \${description}\`;
  const message = \`Parameter '\${name}' (\${type}) of '\${operation}' is missing\${meaning}\`;
  const details = { param_name: name, operation };
  return new ProtocolError('VALIDATION_MISSING_PARAM', message, details);
}

function unknown(
  unknown_params: readonly string[],
  operation: string,
  valid_params: readonly string[],
): ProtocolError {
  const words = unknown_params.map((name) => \`'\${name.slice(0, 64)}'\`).join(', ');
  const known =
    valid_params.length === 0 ? 'It takes none.' : \`It takes \${valid_params.join(', ')}.\`;
  const message = \`Unknown parameter of '\${operation}': \${words}. \${known}\`;
  return new ProtocolError('VALIDATION_UNKNOWN_PARAM', message, {
    operation,
    unknown_params,
    valid_params,
  });
}
`,
);
