/** Authenticates callers over HTTP, by an API key or a bearer token. */

import type { IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';

import type { Principal } from '@callsign/core';
import type { HttpListenerOptions, StatedCallers } from '@callsign/wire';

import { ACCESS_TOKEN, hashOf } from './api-key.js';
import type { ApiKeySettings, AuthSettings } from './auth-settings.js';
import type { IssuerKeysOptions } from './issuer-keys.js';
import {
  metadataPage,
  metadataUrl,
  protectedResource,
  type ProtectedResource,
  resourceAt,
} from './resource-metadata.js';
import { createTokenCheck } from './token-check.js';
import { TokenMemory } from './token-memory.js';

type Authenticate = NonNullable<HttpListenerOptions['authenticate']>;
type Refused = Exclude<Awaited<ReturnType<Authenticate>>, Principal | undefined>;

export interface AuthenticationOptions extends IssuerKeysOptions {
  /** Receives warnings for the operator: tokens cannot be checked. */
  readonly onProblem?: (message: string) => void;
  /** People who signed in to this gateway itself. Default: no one can. */
  readonly people?: SignedInPeople | undefined;
  /** Told of every token of an issuer that was accepted, and until when it is. */
  readonly onToken?: (principal: Principal, token: string, until: number) => void;
}

/** Who signed in, as far as it decides about calls. */
export interface SignedInPerson extends Principal {
  /** The hash of the API key that they showed. They have its roles, as long as it counts. */
  readonly keyHash?: string;
}

export interface SignedInPeople {
  /** Whose access token has this hash. */
  personWith(tokenHash: string): SignedInPerson | undefined;
  /** Reads what other instances issued until now. `undefined`: there are none. */
  refresh(): Promise<void> | undefined;
  /** Whether a person without a key is signed in with these roles. */
  isSignedIn(principal: Principal): boolean;
}

/** In front of the name of an API key, in the name of its principal. */
const KEY = 'key:';
/** How our own keys and tokens begin. No issuer signed these. */
const OWN = 'callsign_';
/** At most one warning in this time. */
const QUIET_MS = 60_000;

/** What the HTTP listener uses. */
export interface Authentication extends StatedCallers {
  readonly authenticate: Authenticate;
  /** The holder of the API key that a request shows. No token counts: it was given to a client, not to a person. */
  keyHolder(request: Pick<IncomingMessage, 'rawHeaders'>): Principal | undefined;
  /** The holder of an API key with this hash. */
  holderOf(keyHash: string): Principal | undefined;
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
  { keys, tokens, signIn }: Pick<AuthSettings, 'keys' | 'tokens' | 'signIn'>,
  options: AuthenticationOptions,
): Authentication {
  const { people } = options;
  let byHash = principalsByHash(keys);
  const checkToken = tokens && createTokenCheck(tokens, options);
  const resource = protectedResource({ tokens, signIn });
  const memory = new TokenMemory();
  const challenges = createChallenges(resource);
  /** Some clients look for the metadata of exactly the address that they were given. */
  const challengesAt = (url: string | undefined): Challenges =>
    createChallenges(resource && resourceAt(resource, url));
  let quietUntil = -Infinity;
  return {
    replaceKeys: (others) => void (byHash = principalsByHash(others)),
    pageAt: (path) => resource && metadataPage(resource, path),
    holds(principal) {
      if (memory.holds(principal)) return true;
      const isHolder = [...byHash.values()].some((known) => isDeepStrictEqual(known, principal));
      // Last, because it looks at the store.
      return isHolder || people?.isSignedIn(principal) === true;
    },
    state({ name, roles, set }) {
      const until = memory.end({ name, roles });
      return {
        name,
        roles,
        ...(set === undefined ? {} : { set }),
        ...(until === undefined ? {} : { until }),
      };
    },
    admit(stated) {
      if (!stated) return challenges.missing('Another instance needs to say who the caller is.');
      const { name, roles, set, until = 0 } = stated;
      const key = [...byHash.values()].find((known) => known.name === name);
      if (key && key.set === set && isDeepStrictEqual(key.roles, roles)) return key;
      const signedIn = { name, roles, ...(set === undefined ? {} : { set }) };
      if (people?.isSignedIn(signedIn)) return signedIn;
      if (!tokens || name.startsWith(KEY)) return challenges.invalid('The API key is unknown.');
      if (until <= Date.now()) return challenges.invalid('The token has expired.');
      memory.extend({ name, roles }, until);
      return { name, roles };
    },
    keyHolder(request) {
      const bearer = readBearer(request);
      return 'wrong' in bearer ? undefined : byHash.get(hashOf(bearer.credential));
    },
    holderOf: (keyHash) => byHash.get(keyHash),
    authenticate(request) {
      const bearer = readBearer(request);
      if ('wrong' in bearer) return turnedAway(bearer.wrong, challengesAt(request.url));
      // A lookup by hash: the time that it takes reveals nothing about existing keys.
      const hash = hashOf(bearer.credential);
      return byHash.get(hash) ?? memory.get(hash) ?? unknown(bearer.credential, hash, request.url);
    },
  };

  function unknown(
    credential: string,
    hash: string,
    url: string | undefined,
  ): Principal | Refused | Promise<Principal | Refused> {
    const found = callerWith(hash, url);
    if (found) return found;
    const here = challengesAt(url);
    if (checkToken && !credential.startsWith(OWN))
      return checked(credential, hash, checkToken, here);
    const none = here.invalid(people ? 'The token is unknown.' : 'The API key is unknown.');
    // Another instance may have issued it a moment ago.
    const reading = credential.startsWith(ACCESS_TOKEN) ? people?.refresh() : undefined;
    if (!reading) return none;
    return reading.then(
      () => callerWith(hash, url) ?? none,
      () => here.unavailable('The token cannot be checked now. Try again in a moment.'),
    );
  }

  /** Who signed in and got the token with this hash. */
  function callerWith(hash: string, url: string | undefined): Principal | Refused | undefined {
    const person = people?.personWith(hash);
    if (!person) return undefined;
    const { name, roles, keyHash } = person;
    if (keyHash === undefined) return { name, roles };
    return byHash.get(keyHash) ?? challengesAt(url).invalid('The key of this sign-in was revoked.');
  }

  async function checked(
    credential: string,
    hash: string,
    check: NonNullable<typeof checkToken>,
    here: Challenges,
  ): Promise<Principal | Refused> {
    const verdict = await check(credential);
    if ('principal' in verdict) {
      memory.add(hash, verdict);
      options.onToken?.(verdict.principal, credential, verdict.acceptedUntil);
      return verdict.principal;
    }
    const { wrong, reason } = verdict;
    if (wrong === 'scope') return here.insufficient(`The token is not sufficient: ${reason}.`);
    if (wrong === 'invalid') return here.invalid(`The token is not accepted: ${reason}.`);
    complain(`Tokens cannot be checked: ${reason}`);
    return here.unavailable('The token cannot be checked now. Try again in a moment.');
  }

  /** Not for every token, since anyone can send any number of tokens. */
  function complain(message: string): void {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + QUIET_MS;
    options.onProblem?.(message);
  }
}

function turnedAway(wrong: Extract<Bearer, { wrong: string }>['wrong'], here: Challenges): Refused {
  if (wrong === 'twice') return here.malformed('There is more than one Authorization header.');
  if (wrong === 'malformed') return here.malformed('Authorization must be: Bearer TOKEN');
  return here.missing('A credential is required. Send the header Authorization: Bearer TOKEN');
}

function principalsByHash(keys: readonly ApiKeySettings[]): ReadonlyMap<string, Principal> {
  return new Map(
    keys.map(({ name, hash, roles, set }) => {
      const principal = { name: `${KEY}${name}`, roles };
      return [hash, set === undefined ? principal : { ...principal, set }];
    }),
  );
}

/** The credential, or what is wrong with it. */
type Bearer =
  | { readonly credential: string }
  /** There is none, it is of another kind, or there are two. */
  | { readonly wrong: 'missing' | 'malformed' | 'twice' };

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

/** Reads the raw headers: Node silently drops a second header, which a proxy may have used. */
function readBearer({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): Bearer {
  let value: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (value !== undefined) return { wrong: 'twice' };
    value = rawHeaders[i + 1]!;
  }
  if (value === undefined) return { wrong: 'missing' };
  const credential = BEARER.exec(value.trim())?.[1];
  return credential === undefined ? { wrong: 'malformed' } : { credential };
}

interface Refusal {
  readonly status: 401 | 403 | 503;
  readonly challenge: string;
  readonly message: string;
}

/** One refusal for each thing that can be wrong with a credential. */
interface Challenges {
  /** There is no credential. That is not an error yet, so no error code is sent. */
  missing(message: string): Refusal;
  malformed(message: string): Refusal;
  invalid(message: string): Refusal;
  insufficient(message: string): Refusal;
  /** The credential cannot be checked. It may be valid. */
  unavailable(message: string): Refusal;
}

/** Messages must be our own and contain nothing from the client, since they go into a header. */
function createChallenges(resource: ProtectedResource | undefined): Challenges {
  const where = resource ? [`resource_metadata="${metadataUrl(resource)}"`] : ['realm="callsign"'];
  const scope =
    resource && resource.scopes.length > 0 ? [`scope="${resource.scopes.join(' ')}"`] : [];
  const refusal = (status: Refusal['status'], error?: string) => (message: string) => {
    const problem =
      error === undefined ? [] : [`error="${error}"`, `error_description="${message}"`];
    return { status, message, challenge: `Bearer ${[...where, ...scope, ...problem].join(', ')}` };
  };
  return {
    missing: refusal(401),
    malformed: refusal(401, 'invalid_request'),
    invalid: refusal(401, 'invalid_token'),
    insufficient: refusal(403, 'insufficient_scope'),
    unavailable: refusal(503),
  };
}
