/**
 * Checks a bearer token: signed by its issuer, meant for us, not expired, and with the required
 * scopes.
 */

import { type Principal, valueAt } from '@callsign/core';
import type { JWTPayload } from 'jose';

import type { TokenSettings } from './auth-settings.js';
import { createIssuerKeys, type IssuerKeysOptions, type Jose } from './issuer-keys.js';

/**
 * `unchecked`: the token could not be checked. `acceptedUntil`: its end with the tolerance, in
 * milliseconds since 1970.
 */
type TokenVerdict =
  | { readonly principal: Principal; readonly acceptedUntil: number }
  | { readonly wrong: 'invalid' | 'scope' | 'unchecked'; readonly reason: string };

export type TokenCheck = (token: string) => Promise<TokenVerdict>;

/** Only asymmetric signatures. With a symmetric one, the public key could be used as the secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/**
 * The types of access tokens (RFC 9068, and older issuers). Other tokens, such as id tokens, are
 * for other uses.
 */
const TYPES: ReadonlySet<string> = new Set(['at+jwt', 'application/at+jwt', 'jwt']);
/** Seconds by which the clocks of two machines may differ. */
const TOLERANCE_S = 30;

export function createTokenCheck(settings: TokenSettings, options: IssuerKeysOptions): TokenCheck {
  // The library is loaded with the first token, so that other requests do not wait for it.
  let check: Promise<TokenCheck> | undefined;
  return async (token) => {
    check ??= import('jose').then((jose) => tokenCheckWith(jose, settings, options));
    return (await check)(token);
  };
}

function tokenCheckWith(
  jose: Jose,
  settings: TokenSettings,
  options: IssuerKeysOptions,
): TokenCheck {
  const keyOf = createIssuerKeys(jose, settings, options);
  const { issuer, resource, audience = resource, rolesClaim, scopes } = settings;
  return async function checkToken(token) {
    let claims: JWTPayload;
    let type: unknown;
    try {
      const verified = await jose.jwtVerify(token, keyOf, {
        algorithms: ALGORITHMS,
        issuer,
        audience,
        clockTolerance: TOLERANCE_S,
        requiredClaims: ['exp', 'sub'],
      });
      claims = verified.payload;
      type = verified.protectedHeader.typ;
    } catch (error) {
      return verdictOn(error, jose);
    }
    if (type !== undefined && !(typeof type === 'string' && TYPES.has(type.toLowerCase()))) {
      return { wrong: 'invalid', reason: 'it is not an access token' };
    }
    // A token that is bound to a key proves nothing without a proof of that key.
    if (claims['cnf'] !== undefined) {
      return { wrong: 'invalid', reason: 'it is bound to a key and needs proof of it' };
    }
    const principal = principalOf(claims, rolesClaim);
    if (!principal) return { wrong: 'invalid', reason: 'it has no subject' };
    const has = new Set(scopesOf(claims));
    const lacking = scopes.filter((scope) => !has.has(scope));
    if (lacking.length > 0) {
      return { wrong: 'scope', reason: `it lacks the scope ${lacking.join(' ')}` };
    }
    return { principal, acceptedUntil: (claims.exp! + TOLERANCE_S) * 1000 };
  };
}

/** What is wrong with a token, without quoting it. */
function verdictOn(error: unknown, { errors }: Jose): TokenVerdict {
  if (error instanceof errors.JWTExpired) return { wrong: 'invalid', reason: 'it has expired' };
  if (error instanceof errors.JWTClaimValidationFailed) {
    return { wrong: 'invalid', reason: REASONS.get(error.claim) ?? 'a claim is missing' };
  }
  const isOfToken = error instanceof errors.JOSEError;
  if (isOfToken) return { wrong: 'invalid', reason: 'the issuer did not sign it' };
  return { wrong: 'unchecked', reason: error instanceof Error ? error.message : String(error) };
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['aud', 'it is for another resource'],
  ['iss', 'it is from another issuer'],
  ['nbf', 'it is not valid yet'],
]);

const LONGEST_NAME = 256;
const MOST_ROLES = 100;

type Claims = Readonly<Record<string, unknown>>;

/** A principal, and what people call it. Nothing is decided by the label. */
interface NamedPrincipal {
  readonly name: string;
  readonly roles: string[];
  readonly label?: string;
}

/** The person of an ID token. `undefined`: as for `principalOf`. */
export function personOf(claims: Claims, rolesClaim: string): NamedPrincipal | undefined {
  const principal = principalOf(claims, rolesClaim);
  const label = [claims['email'], claims['preferred_username'], claims['name']].find(
    (claim) => typeof claim === 'string' && claim !== '',
  ) as string | undefined;
  return (
    principal && {
      name: principal.name,
      roles: [...principal.roles],
      ...(label === undefined ? {} : { label: label.slice(0, LONGEST_NAME) }),
    }
  );
}

/** `undefined`: the token has no subject, or one that records cannot hold. */
function principalOf(claims: Claims, rolesClaim: string): Principal | undefined {
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > LONGEST_NAME) return undefined;
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(sub)) return undefined;
  // The prefix keeps it different from the name of any API key.
  return { name: `sub:${sub}`, roles: words(claimAt(claims, rolesClaim)) };
}

/** The scopes, under either of the two names of the claim. */
function scopesOf({ scope, scp }: Claims): readonly string[] {
  return words(scope ?? scp);
}

/**
 * A claim by its name. A name with dots may also lead into nested claims, such as
 * `realm_access.roles`.
 */
function claimAt(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split('.'));
}

/** Reads a list of texts, or one text with spaces between words. */
function words(value: unknown): readonly string[] {
  const list: readonly unknown[] =
    typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [];
  const texts = list.filter((word) => typeof word === 'string' && word !== '') as string[];
  return [...new Set(texts)].slice(0, MOST_ROLES);
}
