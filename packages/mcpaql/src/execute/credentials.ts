/** Credentials of an adapter: read from the environment for each call, never part of a message. */

import { readText, type HttpClient } from '@callsign/outbound';

import type { Auth, AuthScheme } from '../adapter/adapter-document.js';
import { schemesOf } from '../adapter/auth-schemes.js';
import { ProtocolError } from '../protocol/protocol-error.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What is added to one request. */
export interface Credentials {
  readonly headers: ReadonlyMap<string, string>;
  readonly query: ReadonlyMap<string, string>;
  readonly cookies: ReadonlyMap<string, string>;
  /** Every form in which secrets are sent. None of these texts may be shown. */
  readonly secrets: readonly string[];
}

/** `current` is called before each request and may fetch a new token. */
export interface CredentialSource {
  current(signal: AbortSignal): Promise<Credentials>;
  /** Called when the target refused them. Returns true if a retry may get other credentials. */
  refused(): boolean;
}

interface Token {
  readonly value: string;
  readonly expiresAt: number;
}

const NONE: ReadonlyMap<string, string> = new Map();
/** A token is renewed a little early, so that it does not expire on the way. */
const EARLY_MS = 30_000;
const DEFAULT_LIFETIME_S = 300;
/** Bytes of the answer with a token. */
const MAX_ANSWER = 1024 * 1024;

export function createCredentials(
  auth: Auth,
  env: Environment,
  client: HttpClient,
): CredentialSource {
  const sources = schemesOf(auth).map((scheme): CredentialSource => {
    if (scheme.type === 'oauth2') return createTokenSource(scheme, env, client);
    // Read for each call, so that a changed environment takes effect. No secret is stored.
    return { current: async () => credentialsOf(scheme, env), refused: () => false };
  });
  return {
    async current(signal) {
      return joined(await Promise.all(sources.map((source) => source.current(signal))));
    },
    // Each one must hear it.
    refused: () => sources.map((source) => source.refused()).includes(true),
  };
}

function joined(parts: readonly Credentials[]): Credentials {
  const all = (key: 'headers' | 'query' | 'cookies'): Map<string, string> =>
    new Map(parts.flatMap((part) => [...part[key]]));
  return {
    headers: all('headers'),
    query: all('query'),
    cookies: all('cookies'),
    secrets: parts.flatMap(({ secrets }) => secrets),
  };
}

function credentialsOf(
  auth: Exclude<AuthScheme, { type: 'oauth2' }>,
  env: Environment,
): Credentials {
  switch (auth.type) {
    case 'bearer': {
      const token = read(env, auth.token_env);
      return inHeader(auth.header, auth.prefix + token, [token]);
    }
    case 'api_key': {
      const key = read(env, auth.key_env);
      const { header_name, query_name, cookie_name } = auth;
      if (header_name !== undefined) return inHeader(header_name, key, [key]);
      const query = query_name === undefined ? NONE : new Map([[query_name, key]]);
      const cookies = cookie_name === undefined ? NONE : new Map([[cookie_name, key]]);
      return { headers: NONE, query, cookies, secrets: [key] };
    }
    case 'basic': {
      const password = read(env, auth.password_env);
      const encoded = base64(`${read(env, auth.username_env)}:${password}`);
      return inHeader('Authorization', `Basic ${encoded}`, [password, encoded]);
    }
  }
}

/** Fetches a token when one is needed. Calls in the meantime wait for the same one. */
function createTokenSource(
  auth: AuthScheme & { type: 'oauth2' },
  env: Environment,
  client: HttpClient,
): CredentialSource {
  let token: Token | undefined;
  let fetching: Promise<Token> | undefined;
  const fresh = (): Promise<Token> =>
    (fetching ??= fetchToken(auth, env, client).finally(() => {
      fetching = undefined;
    }));
  return {
    async current() {
      if (!token || token.expiresAt - EARLY_MS <= Date.now()) token = await fresh();
      const { value } = token;
      return inHeader('Authorization', `Bearer ${value}`, [
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
  { token_url, client_id_env, client_secret_env, scopes }: AuthScheme & { type: 'oauth2' },
  env: Environment,
  client: HttpClient,
): Promise<Token> {
  const [id, secret] = [read(env, client_id_env), read(env, client_secret_env)];
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scopes.length > 0) form.set('scope', scopes.join(' '));
  const { status, body } = await client.request(token_url, {
    method: 'POST',
    headers: {
      authorization: `Basic ${base64(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: form.toString(),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await readText(body, MAX_ANSWER);
  const { access_token, expires_in } = status >= 200 && status < 300 ? objectIn(text) : {};
  if (typeof access_token !== 'string' || access_token === '') {
    const message = `The sign-in at auth.token_url failed (HTTP ${status}); check ${client_id_env} and ${client_secret_env}.`;
    throw new ProtocolError('PERMISSION_DENIED', message, { http_status: status });
  }
  const seconds = typeof expires_in === 'number' ? expires_in : DEFAULT_LIFETIME_S;
  return { value: access_token, expiresAt: Date.now() + seconds * 1000 };
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function read(env: Environment, name: string): string {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value === undefined || value === '') {
    const message = `The environment variable '${name}' is not set; the target needs it to sign in.`;
    throw new ProtocolError('AUTH_CREDENTIAL_MISSING', message, { variable: name });
  }
  if (/[\r\n\0]/.test(value)) {
    const message = `The environment variable '${name}' contains a line break; set it to one line.`;
    throw new ProtocolError('AUTH_CONFIG_INVALID', message, { variable: name });
  }
  return value;
}

function inHeader(name: string, value: string, secrets: readonly string[]): Credentials {
  return { headers: new Map([[name, value]]), query: NONE, cookies: NONE, secrets };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
