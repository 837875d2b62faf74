/**
 * `fetch` that cannot be led into a private network. A name is resolved once, every address that it
 * has is judged, and the connection goes to those very addresses; each redirect is judged anew.
 */

import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

import { Agent, fetch as undiciFetch } from 'undici';

import { addressProblem, type PrivateAddresses } from './address-rules.js';

export interface GuardedFetchOptions {
  /** Whether addresses of one's own network may be called; link-local ones never are. */
  readonly privateAddresses?: PrivateAddresses;
  /** Origins that are called wherever they lie, such as `http://localhost:8080`. */
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
    super(`Not called: ${reason}.`);
    this.name = 'AddressRefused';
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization'];

/** The library's `fetch` under the platform's types: they describe the same thing, and do not know each other. */
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
      if (hops === maxRedirects) throw new AddressRefused(`more than ${maxRedirects} redirects`);
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

/** A literal address is never resolved, so it is judged here; `URL` has read every way to write one. */
function checkUrl(url: URL, rule: PrivateAddresses): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AddressRefused(`${url.protocol} is not HTTP`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new AddressRefused('the address holds a password');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
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
        return callback(new AddressRefused(`${hostname}: ${reason}`), '');
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
