/**
 * The public keys of an issuer: found through its metadata, cached, and fetched again when they
 * change.
 */

import type * as jose from 'jose';
import type { JWTVerifyGetKey } from 'jose';

import type { OutboundFetch } from '../network/outbound-fetch.js';
import type { TokenSettings } from './auth-settings.js';
import { isSafeAddress } from './safe-address.js';

/** The library that verifies tokens, after it was loaded. */
export type Jose = typeof jose;

export interface IssuerKeysOptions {
  /** A fetch that refuses forbidden addresses. */
  readonly fetch: OutboundFetch;
  /**
   * The shortest time between two fetches for unknown keys, so that tokens with invented key ids
   * cost little.
   */
  readonly cooldownMs?: number;
}

const COOLDOWN_MS = 30_000;
const TIMEOUT_MS = 5_000;
/** How long the issuer is not asked after a failure, since anyone can send tokens. */
const PAUSE_MS = 5_000;

/** The keys cannot be fetched now. The token may be valid. */
class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/**
 * Finds a token's key, in the form that `jose` needs. Key ids are only compared: they never become
 * part of a path or an address.
 */
export function createIssuerKeys(
  { createRemoteJWKSet, customFetch, errors }: Jose,
  { issuer, jwksUrl }: TokenSettings,
  { fetch, cooldownMs = COOLDOWN_MS }: IssuerKeysOptions,
): JWTVerifyGetKey {
  const fetchSeldom = pausing(fetch, Math.min(cooldownMs, PAUSE_MS));
  let keys: Promise<JWTVerifyGetKey> | undefined;
  return async function keyOf(header, token) {
    try {
      keys ??= open();
      const find = await keys;
      return await find(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) throw error;
      if (error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      throw new KeysUnavailable((error as Error).message, { cause: error });
    }
  };

  async function open(): Promise<JWTVerifyGetKey> {
    try {
      return createRemoteJWKSet(new URL(jwksUrl ?? (await discover(issuer, fetchSeldom))), {
        [customFetch]: fetchSeldom,
        timeoutDuration: TIMEOUT_MS,
        cooldownDuration: cooldownMs,
      });
    } catch (error) {
      // The next token tries again.
      keys = undefined;
      throw error;
    }
  }
}

/** A fetch that does not try again soon after a failure. */
function pausing(fetch: OutboundFetch, pauseMs: number): OutboundFetch {
  let failure: unknown;
  let until = -Infinity;
  return async (input, init) => {
    if (Date.now() < until) throw failure;
    try {
      const response = await fetch(input, init);
      if (response.status < 500) return response;
      throw new KeysUnavailable(`${new URL(input).origin} answers with ${response.status}`);
    } catch (error) {
      failure = error;
      until = Date.now() + pauseMs;
      throw error;
    }
  };
}

/** Asks the issuer for the address of its keys. The document must name this issuer. */
async function discover(issuer: string, fetch: OutboundFetch): Promise<string> {
  for (const place of metadataUrls(issuer)) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(place, { signal, redirect: 'manual' });
    if (!response.ok) continue;
    const metadata = (await response.json()) as Record<string, unknown>;
    if (metadata['issuer'] !== issuer) {
      throw new KeysUnavailable(`The metadata of ${issuer} names another issuer.`);
    }
    const { jwks_uri: url } = metadata;
    if (typeof url === 'string' && isSafeAddress(url)) return url;
  }
  throw new KeysUnavailable(`${issuer} does not say where its keys are. Set "jwksUrl".`);
}

/** Where RFC 8414 and OpenID put the document. */
function metadataUrls(issuer: string): URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    new URL(`${origin}/.well-known/oauth-authorization-server${path}`),
    new URL(`${origin}/.well-known/openid-configuration${path}`),
    new URL(`${origin}${path}/.well-known/openid-configuration`),
  ];
}
