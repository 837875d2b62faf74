/**
 * A `fetch` that cannot be led into a private network. It resolves a name once, checks every
 * address of the name, and connects only to those addresses. It checks each redirect again.
 */

import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

import { addressProblem, type PrivateAddresses } from '../address/address-rules.js';
import { createHttpClient } from './http-client.js';

/** What may be called, and the limits. */
export interface GuardedFetchOptions {
  /**
   * Whether private addresses may be called. Link-local and cloud metadata addresses are always
   * refused.
   */
  readonly privateAddresses?: PrivateAddresses;
  /** Origins that are called without checking their addresses, such as `http://localhost:8080`. */
  readonly trustedOrigins?: readonly string[];
  /** Headers to remove when a redirect leaves the origin, besides `Authorization` and cookies. */
  readonly secretHeaders?: readonly string[];
  /** Unset: 10 s. */
  readonly connectTimeoutMs?: number;
  /** Resolves names. Unset: the system's resolver. */
  readonly lookup?: Lookup;
}

/** Finds all addresses of a name. */
export type Lookup = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** Like the platform's `fetch`. Rejects with `AddressRefused` if an address may not be called. */
export interface GuardedFetch {
  (input: string | URL, init?: RequestInit): Promise<Response>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** The request was not sent, for this reason. */
export class AddressRefused extends Error {
  constructor(reason: string) {
    super(`Not called: ${reason}.`);
    this.name = 'AddressRefused';
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization'];

const resolveAll: Lookup = (hostname, callback) =>
  systemLookup(hostname, { all: true }, (error, addresses) => callback(error, addresses ?? []));

/** Keeps connections open between requests: call `close` when it is not needed any more. */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const {
    privateAddresses = 'refused',
    trustedOrigins = [],
    secretHeaders = [],
    connectTimeoutMs = 10_000,
    lookup = resolveAll,
  } = options;
  const guarded = createHttpClient({ connectTimeoutMs, lookup: pinned(lookup, privateAddresses) });
  const free = createHttpClient({ connectTimeoutMs });
  const trusted = new Set(trustedOrigins.map((origin) => new URL(origin).origin));
  const secrets = [...CREDENTIALS, ...secretHeaders.map((name) => name.toLowerCase())];

  const guardedFetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    let url = new URL(input);
    let request = init;
    for (let hops = 0; ; hops++) {
      const isTrusted = trusted.has(url.origin);
      if (!isTrusted) checkUrl(url, privateAddresses);
      const response = await (isTrusted ? free : guarded).fetch(url, request);
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null || init.redirect === 'manual') return response;
      await response.body?.cancel();
      if (hops === MAX_REDIRECTS) throw new AddressRefused(`more than ${MAX_REDIRECTS} redirects`);
      if (!URL.canParse(location, url.href))
        throw new AddressRefused('the redirect has no valid address');
      const next = new URL(location, url);
      if (url.protocol === 'https:' && next.protocol !== 'https:') {
        throw new AddressRefused('the redirect goes from HTTPS to HTTP');
      }
      request = redirected(request, response.status, next.origin === url.origin ? [] : secrets);
      url = next;
    }
  };
  const close = async (): Promise<void> => {
    guarded.close();
    free.close();
  };
  return Object.assign(guardedFetch, { close });
}

/** Checks a literal address here, since it is never resolved. `URL` has normalised its spelling. */
function checkUrl(url: URL, rule: PrivateAddresses): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AddressRefused(`${url.protocol} is not HTTP`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new AddressRefused('the address contains a password');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const problem = isIP(host) === 0 ? undefined : addressProblem(host, rule);
  if (problem !== undefined) throw new AddressRefused(problem);
}

/**
 * Resolves and checks in one step, so the socket connects to the very addresses that were checked.
 * A second lookup could give others (DNS rebinding).
 */
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
        return callback(new AddressRefused(`${hostname}: ${reason}`), '');
      }
      if (options.all) return callback(null, [...addresses]);
      callback(null, first.address, first.family);
    });
  };
}

/** The request after a redirect, as browsers send it, without the `withheld` headers. */
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
