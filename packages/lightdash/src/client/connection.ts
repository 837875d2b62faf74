/** Reads the connection to one Lightdash from the variables that its own tools use. */

import { Secret } from './secret.js';

/** Where Lightdash is, and the credentials for it. */
export interface Connection {
  /** Ends in a slash, so that paths can be appended. */
  readonly url: URL;
  readonly token: Secret;
  /** Headers besides the token, for proxies in front of Lightdash. */
  readonly headers: ReadonlyMap<string, Secret>;
}

/** Variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is missing or invalid, with advice. Never contains its value. */
export class ConnectionProblem extends Error {
  override readonly name = 'ConnectionProblem';
  readonly variable: string;

  constructor(variable: string, advice: string) {
    super(`${variable} ${advice}`);
    this.variable = variable;
  }
}

/** Throws a `ConnectionProblem` for the first variable that is missing or invalid. */
export function readConnection(env: Environment): Connection {
  return {
    url: readUrl(env['LIGHTDASH_URL']),
    token: readToken(env['LIGHTDASH_API_KEY']),
    headers: readHeaders(env),
  };
}

function readUrl(text = ''): URL {
  const value = text.trim();
  if (value === '') {
    throw new ConnectionProblem(
      'LIGHTDASH_URL',
      'is not set. Set it to the address of your Lightdash, such as https://app.lightdash.cloud.',
    );
  }
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new ConnectionProblem(
      'LIGHTDASH_URL',
      'is not a web address. It must begin with https://, such as https://app.lightdash.cloud.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConnectionProblem(
      'LIGHTDASH_URL',
      'contains a user name or password. Remove them; for a proxy, use LIGHTDASH_PROXY_AUTHORIZATION.',
    );
  }
  // People copy addresses from scripts, so the address of the API is accepted too.
  const path = url.pathname.replace(/\/api(?:\/v\d)?\/?$/, '');
  return new URL(path.endsWith('/') ? path : `${path}/`, url.origin);
}

function readToken(text = ''): Secret {
  const value = text.trim();
  if (value === '') {
    throw new ConnectionProblem(
      'LIGHTDASH_API_KEY',
      'is not set. Create a personal access token in Lightdash (Settings, Personal access tokens) and put it there.',
    );
  }
  if (!isHeaderValue(value) || /\s/.test(value)) {
    throw new ConnectionProblem(
      'LIGHTDASH_API_KEY',
      'contains characters that no token has. Copy only the token.',
    );
  }
  return new Secret(value);
}

const PROXY = 'Proxy-Authorization';

function readHeaders(env: Environment): ReadonlyMap<string, Secret> {
  const headers = new Map<string, Secret>();
  const proxy = env['LIGHTDASH_PROXY_AUTHORIZATION']?.trim() ?? '';
  if (proxy !== '') headers.set(PROXY, new Secret(proxy));
  for (const [name, value] of readExtraHeaders(env['LIGHTDASH_EXTRA_HEADERS']?.trim() ?? '')) {
    headers.set(name, new Secret(value));
  }
  for (const [name, value] of headers) {
    const isOurs = ['authorization', 'host', 'content-type'].includes(name.toLowerCase());
    if (isOurs || !/^[\w-]+$/.test(name) || !isHeaderValue(value.expose())) {
      throw new ConnectionProblem(
        name === PROXY ? 'LIGHTDASH_PROXY_AUTHORIZATION' : 'LIGHTDASH_EXTRA_HEADERS',
        `cannot be sent as the header ${JSON.stringify(name)}. Use printable text, and no header that is always sent.`,
      );
    }
  }
  return headers;
}

function readExtraHeaders(text: string): [string, string][] {
  if (text === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    const entries = Object.entries(value as object) as [string, unknown][];
    const isRight = !Array.isArray(value) && entries.every(([, each]) => typeof each === 'string');
    if (isRight) return entries as [string, string][];
  } catch {
    // Reported below, without the text, which contains secrets.
  }
  throw new ConnectionProblem(
    'LIGHTDASH_EXTRA_HEADERS',
    'is not a JSON object of strings. Write it like {"X-Proxy-Key": "…"}.',
  );
}

/** Printable ASCII, which a header may contain. */
function isHeaderValue(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text);
}
