/** Authenticates callers over HTTP, by an API key or a bearer token. */

import { isDeepStrictEqual } from 'node:util';

import type { Principal } from '@callsign/core';
import type { HttpListenerOptions, StatedCallers } from '@callsign/wire';

import { hashOf } from './api-key.js';
import type { ApiKeySettings, AuthSettings } from './auth-settings.js';
import { readBearer, type Bearer } from './bearer.js';
import { createChallenges } from './challenges.js';
import type { IssuerKeysOptions } from './issuer-keys.js';
import { metadataPages } from './resource-metadata.js';
import { createTokenCheck } from './token-check.js';
import { TokenMemory } from './token-memory.js';

type Authenticate = NonNullable<HttpListenerOptions['authenticate']>;
type Refused = Exclude<Awaited<ReturnType<Authenticate>>, Principal | undefined>;

export interface AuthenticationOptions extends IssuerKeysOptions {
  /** Receives warnings for the operator: tokens cannot be checked. */
  readonly onProblem?: (message: string) => void;
}

/** In front of the name of an API key, in the name of its principal. */
const KEY = 'key:';
/** At most one warning in this time. */
const QUIET_MS = 60_000;

/** What the HTTP listener uses. */
export interface Authentication extends StatedCallers {
  readonly authenticate: Authenticate;
  /**
   * Whether a principal's credential is still valid: its key is configured with these roles, or its
   * token has not expired.
   */
  holds(principal: Principal): boolean;
  readonly pageAt: NonNullable<HttpListenerOptions['pageAt']>;
  /** Other keys count from now on. */
  replaceKeys(keys: readonly ApiKeySettings[]): void;
}

/**
 * A request without a credential is refused. Without the setting `auth`, none of this is in the
 * path.
 */
export function createAuthentication(
  { keys, tokens }: Pick<AuthSettings, 'keys' | 'tokens'>,
  options: AuthenticationOptions,
): Authentication {
  let byHash = principalsByHash(keys);
  const checkToken = tokens && createTokenCheck(tokens, options);
  const pages = tokens && metadataPages(tokens);
  const memory = new TokenMemory();
  const challenges = createChallenges(tokens);
  let quietUntil = -Infinity;
  return {
    replaceKeys: (others) => void (byHash = principalsByHash(others)),
    pageAt: (path) => pages?.get(path),
    holds(principal) {
      if (memory.holds(principal)) return true;
      return [...byHash.values()].some((known) => isDeepStrictEqual(known, principal));
    },
    state({ name, roles }) {
      const until = memory.end({ name, roles });
      return { name, roles, ...(until === undefined ? {} : { until }) };
    },
    admit(stated) {
      if (!stated) return challenges.missing('Another instance needs to say who the caller is.');
      const { name, roles, until = 0 } = stated;
      const key = [...byHash.values()].find((known) => known.name === name);
      if (key && isDeepStrictEqual(key.roles, roles)) return key;
      if (!tokens || name.startsWith(KEY)) return challenges.invalid('The API key is unknown.');
      if (until <= Date.now()) return challenges.invalid('The token has expired.');
      memory.extend({ name, roles }, until);
      return { name, roles };
    },
    authenticate(request) {
      const bearer = readBearer(request);
      if ('wrong' in bearer) return turnedAway(bearer.wrong);
      // A lookup by hash: the time that it takes reveals nothing about existing keys.
      const hash = hashOf(bearer.credential);
      return byHash.get(hash) ?? memory.get(hash) ?? unknown(bearer.credential, hash);
    },
  };

  function unknown(credential: string, hash: string): Refused | Promise<Principal | Refused> {
    if (checkToken) return checked(credential, hash, checkToken);
    return challenges.invalid('The API key is unknown.');
  }

  async function checked(
    credential: string,
    hash: string,
    check: NonNullable<typeof checkToken>,
  ): Promise<Principal | Refused> {
    const verdict = await check(credential);
    if ('principal' in verdict) {
      memory.add(hash, verdict);
      return verdict.principal;
    }
    const { wrong, reason } = verdict;
    if (wrong === 'scope')
      return challenges.insufficient(`The token is not sufficient: ${reason}.`);
    if (wrong === 'invalid') return challenges.invalid(`The token is not accepted: ${reason}.`);
    complain(`Tokens cannot be checked: ${reason}`);
    return challenges.unavailable('The token cannot be checked now. Try again in a moment.');
  }

  /** Not for every token, since anyone can send any number of tokens. */
  function complain(message: string): void {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + QUIET_MS;
    options.onProblem?.(message);
  }

  function turnedAway(wrong: Extract<Bearer, { wrong: string }>['wrong']): Refused {
    if (wrong === 'twice')
      return challenges.malformed('There is more than one Authorization header.');
    if (wrong === 'malformed') return challenges.malformed('Authorization must be: Bearer TOKEN');
    return challenges.missing(
      'A credential is required. Send the header Authorization: Bearer TOKEN',
    );
  }
}

function principalsByHash(keys: readonly ApiKeySettings[]): ReadonlyMap<string, Principal> {
  return new Map(keys.map(({ name, hash, roles }) => [hash, { name: `${KEY}${name}`, roles }]));
}
