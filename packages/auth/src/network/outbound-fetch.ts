/**
 * Fetches metadata, keys and tokens: not from private addresses, only up to a size, and without
 * secrets after a redirect.
 */

import { isIP } from 'node:net';

import { isLoopback, type GuardedFetch, type GuardedFetchOptions } from '@callsign/outbound';

import type { NetworkSettings } from './network-settings.js';

export type OutboundFetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** `lookup` resolves names. Unset: the system's resolver. */
type OutboundOptions = NetworkSettings & Pick<GuardedFetchOptions, 'lookup'>;

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;

/**
 * `configured`: addresses from the configuration. An address of this machine, or a numeric one, is
 * called without checks. A name is checked like any other, since it may lead elsewhere tomorrow.
 */
export function createOutboundFetch(
  { allowPrivate, ...how }: OutboundOptions,
  ...configured: readonly string[]
): OutboundFetch & Pick<GuardedFetch, 'close'> {
  const meant = configured.map((address) => new URL(address)).filter(isPlain);
  const trustedOrigins = [...allowPrivate, ...meant.map(({ origin }) => origin)];
  let guarded: Promise<GuardedFetch> | undefined;
  const outbound: OutboundFetch = async (input, init = {}) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const isReading = init.method === undefined || init.method === 'GET';
    const redirect = isReading ? init.redirect : 'manual';
    guarded ??= openGuarded({ ...how, trustedOrigins });
    const fetch = await guarded;
    return bounded(await fetch(input, { ...init, signal, ...(redirect ? { redirect } : {}) }));
  };
  const close = async (): Promise<void> => (await guarded)?.close();
  return Object.assign(outbound, { close });
}

/** Loaded on the first fetch: most gateways never need it. */
async function openGuarded(options: GuardedFetchOptions): Promise<GuardedFetch> {
  const { createGuardedFetch } = await import('@callsign/outbound');
  return createGuardedFetch(options);
}

function isPlain({ hostname }: URL): boolean {
  return isLoopback(hostname) || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/** Reads the response to its end, or fails at the limit. */
async function bounded(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += (chunk as Uint8Array).length;
    if (length > MAX_BYTES) throw new RangeError(`The answer is longer than ${MAX_BYTES} bytes.`);
    chunks.push(chunk as Uint8Array);
  }
  const { status, statusText, headers } = response;
  const body = length === 0 ? null : Buffer.concat(chunks);
  return new Response(body, { status, statusText, headers: new Headers(headers) });
}
