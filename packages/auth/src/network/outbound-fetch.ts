/**
 * Fetches metadata, keys and tokens: not from private addresses, only up to a size, and without
 * secrets after a redirect.
 */

import { isIP } from 'node:net';

import {
  HttpClient,
  isLoopback,
  readBytes,
  RequestFailed,
  type AddressGuard,
  type HttpRequest,
  type HttpResponse,
} from '@callsign/outbound';

import type { NetworkSettings } from './network-settings.js';

/** As the platform's `fetch`, in which the OAuth libraries are written. */
export type OutboundFetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** `lookup` resolves names. Default: the system's resolver. */
type OutboundOptions = NetworkSettings & Pick<AddressGuard, 'lookup'>;

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;

/**
 * `configured`: addresses from the configuration. An address of this machine, or a numeric one, is
 * called without checks. A name is checked like any other, since it may lead elsewhere tomorrow.
 */
export function createOutboundFetch(
  { allowPrivate, ...how }: OutboundOptions,
  ...configured: readonly string[]
): OutboundFetch & { close(): void } {
  const meant = configured.map((address) => new URL(address)).filter(isPlain);
  const trustedOrigins = [...allowPrivate, ...meant.map(({ origin }) => origin)];
  const client = new HttpClient({ guard: { ...how, trustedOrigins } });
  const outbound: OutboundFetch = async (input, init = {}) => {
    const request = await written(input, init);
    try {
      return await bounded(await client.request(input, request));
    } catch (error) {
      // The libraries know a failed connection by this.
      throw error instanceof RequestFailed
        ? new TypeError('fetch failed', { cause: error })
        : error;
    }
  };
  return Object.assign(outbound, { close: () => client.close() });
}

function isPlain({ hostname }: URL): boolean {
  return isLoopback(hostname) || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/** Uses the platform's `Request`, which knows every kind of body and its content type. */
async function written(input: string | URL, init: RequestInit): Promise<HttpRequest> {
  const { method, headers, body } = new Request(input, { ...init, signal: null });
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  return {
    method,
    headers: Object.fromEntries(headers),
    body: body === null ? undefined : new Uint8Array(await new Response(body).arrayBuffer()),
    signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout,
    redirects: method === 'GET' && init.redirect !== 'manual' ? 'any' : 'none',
  };
}

/** Reads the response to its end, or fails at the limit. */
async function bounded({ status, headers, body }: HttpResponse): Promise<Response> {
  const bytes = await readBytes(body, MAX_BYTES);
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), {
    status,
    headers: pairs,
  });
}
