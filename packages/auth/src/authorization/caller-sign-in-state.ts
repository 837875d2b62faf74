/**
 * The stored form of people's sign-ins: which client may act for which person, with which tokens. Tokens, codes and secrets are
 * stored as hashes only.
 */

import { randomBytes } from 'node:crypto';

import * as z from 'zod';

import { ACCESS_TOKEN, hashOf } from '../callers/api-key.js';

const PERSON = z.object({
  /** As records show it: `key:ann` or `sub:248289`. */
  name: z.string(),
  roles: z.array(z.string()),
  /** What people call them, such as an e-mail address. Nothing is decided by it. */
  label: z.exactOptional(z.string()),
  /** The hash of the API key that they showed. The sign-in ends with the key, and has its roles. */
  keyHash: z.exactOptional(z.string()),
});

const REGISTERED = z.object({
  id: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  refreshes: z.boolean(),
  secretHash: z.exactOptional(z.string()),
  createdAt: z.number(),
});

/** What a person allowed a client. */
const CONSENT = {
  person: PERSON,
  /** `name` is what the client calls itself. `host` is where it receives codes. */
  client: z.object({ id: z.string(), name: z.string(), host: z.string() }),
  resource: z.string(),
  refreshes: z.boolean(),
};

const CODE = z.object({
  ...CONSENT,
  hash: z.string(),
  redirectUri: z.string(),
  challenge: z.string(),
  expiresAt: z.number(),
  /** The sign-in that it was exchanged for. */
  used: z.exactOptional(z.string()),
});

const SIGN_IN = z.object({
  ...CONSENT,
  id: z.string(),
  createdAt: z.number(),
  /** When the client last got tokens. */
  renewedAt: z.number(),
  endsAt: z.number(),
  access: z.array(z.object({ hash: z.string(), expiresAt: z.number() })),
  /** The family is the part that all refresh tokens of a sign-in have in common. */
  refresh: z.exactOptional(z.object({ family: z.string(), hash: z.string() })),
});

/** What an operator said about a person who waits. */
const OPERATOR_ANSWER = z.object({
  /** Of all that the operator saw. */
  hash: z.string(),
  isYes: z.boolean(),
  /** A yes counts once. */
  isUsed: z.boolean(),
  expiresAt: z.number(),
});

export const CALLER_SIGN_INS = z.lazy(() =>
  z.object({
    version: z.literal(1),
    clients: z.array(REGISTERED),
    codes: z.array(CODE),
    signIns: z.array(SIGN_IN),
    operatorAnswers: z.array(OPERATOR_ANSWER).default([]),
  }),
);

/** All times are milliseconds since 1970. */
export type CallerSignInState = z.output<typeof CALLER_SIGN_INS>;
export type CallerSignIn = z.output<typeof SIGN_IN>;
export type Person = z.output<typeof PERSON>;
export type RegisteredClient = z.output<typeof REGISTERED>;
type Code = z.output<typeof CODE>;
/** A person's yes to a client, before it has tokens. */
export type Consent = Omit<Code, 'hash' | 'expiresAt' | 'used'>;

export function emptyState(): CallerSignInState {
  return { version: 1, clients: [], codes: [], signIns: [], operatorAnswers: [] };
}

/** How long a client has to exchange its code. */
const CODE_MS = 60_000;
/** How long a used code is remembered, so that a second use is noticed. */
const USED_CODE_MS = 10 * 60_000;
/** Live access tokens of one sign-in. */
const MOST_ACCESS = 10;
/** Sign-ins of one person with one client. The oldest ends when there are more. */
const MOST_OF_ONE = 20;
/** How long an operator's answer is remembered: longer than the pages that may rely on it are open. */
const ANSWER_MS = 60 * 60_000;
const MOST_ANSWERS = 1_000;
const MOST_CLIENTS = 1_000;
const MOST_CODES = 10_000;
const MOST_SIGN_INS = 20_000;

/** How long tokens work. */
export interface Lifetimes {
  readonly tokenMs: number;
  readonly signInMs: number;
}

/** Tokens as the client gets them. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresInMs: number;
}

/** Why there are no tokens. For the client and its developer. */
export interface NotIssued {
  readonly wrong: string;
  /** The sign-in that was ended, because something was used twice. */
  readonly ended?: CallerSignIn;
}

/** Stores a person's yes, and returns the code for the client. */
export function issueCode(state: CallerSignInState, consent: Consent, now: number): string {
  forget(state, now);
  const secret = `callsign_code_${random()}`;
  state.codes.push({ ...consent, hash: hashOf(secret), expiresAt: now + CODE_MS });
  if (state.codes.length > MOST_CODES) state.codes.shift();
  return secret;
}

/** Names what an operator decides: the approval and all that was shown. */
export function operatorHash(approval: string, shown: string): string {
  return hashOf(JSON.stringify([approval, shown]));
}

/** Stores what an operator said. The first answer counts. */
export function addOperatorAnswer(
  state: CallerSignInState,
  { hash, isYes }: { readonly hash: string; readonly isYes: boolean },
  now: number,
): void {
  forget(state, now);
  if (state.operatorAnswers.some((each) => each.hash === hash)) return;
  state.operatorAnswers.push({ hash, isYes, isUsed: false, expiresAt: now + ANSWER_MS });
  if (state.operatorAnswers.length > MOST_ANSWERS) state.operatorAnswers.shift();
}

/** `undefined`: no operator has answered. */
export function operatorAnswer(
  { operatorAnswers }: CallerSignInState,
  hash: string,
  now: number,
): 'no' | 'used' | 'yes' | undefined {
  const found = operatorAnswers.find((each) => each.hash === hash && each.expiresAt > now);
  if (!found) return undefined;
  if (!found.isYes) return 'no';
  return found.isUsed ? 'used' : 'yes';
}

/** Uses up an operator's yes. Returns false if there is none, or it was used before. */
export function useOperatorYes(state: CallerSignInState, hash: string, now: number): boolean {
  if (operatorAnswer(state, hash, now) !== 'yes') return false;
  state.operatorAnswers.find((each) => each.hash === hash)!.isUsed = true;
  return true;
}

/** What a client shows to get tokens for a code. */
export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** The S256 challenge of the verifier that the client has shown. */
  readonly challenge: string;
  readonly resource: string;
}

/** A code works once, for the client that asked for it, with its verifier. A wrong attempt ends it too. */
export function exchangeCode(
  state: CallerSignInState,
  shown: CodeExchange,
  lifetimes: Lifetimes,
  now: number,
): IssuedTokens | NotIssued {
  forget(state, now);
  const hash = hashOf(shown.code);
  const code = state.codes.find((each) => each.hash === hash);
  if (!code || code.client.id !== shown.clientId)
    return { wrong: 'the code is unknown or expired' };
  if (code.used !== undefined) {
    // One of the two who have it stole it, and we cannot know which.
    const ended = endSignIn(state, code.used);
    return { wrong: 'the code was used before', ...(ended ? { ended } : {}) };
  }
  if (code.expiresAt <= now) return { wrong: 'the code is unknown or expired' };
  code.used = '';
  if (code.redirectUri !== shown.redirectUri)
    return { wrong: 'redirect_uri is another one than in the authorization request' };
  if (code.challenge !== shown.challenge) return { wrong: 'code_verifier is wrong' };
  if (code.resource !== shown.resource)
    return { wrong: 'resource is another one than in the authorization request' };
  const { person, client, resource, refreshes } = code;
  const signIn: CallerSignIn = {
    id: randomBytes(5).toString('hex'),
    person,
    client,
    resource,
    refreshes,
    createdAt: now,
    renewedAt: now,
    endsAt: now + lifetimes.signInMs,
    access: [],
  };
  code.used = signIn.id;
  state.signIns.push(signIn);
  limitSignIns(state, signIn);
  return issueTokens(signIn, random(), lifetimes, now);
}

/** Each refresh token works once. A second use ends the sign-in: one of the two users stole the token. */
export function refreshTokens(
  state: CallerSignInState,
  shown: { readonly token: string; readonly clientId: string; readonly resource: string },
  lifetimes: Lifetimes,
  now: number,
): IssuedTokens | NotIssued {
  forget(state, now);
  const unknown = { wrong: 'the refresh token is unknown or expired' };
  const family = familyOf(shown.token);
  if (family === undefined) return unknown;
  const familyHash = hashOf(family);
  const signIn = state.signIns.find(({ refresh }) => refresh?.family === familyHash);
  if (!signIn || signIn.client.id !== shown.clientId) return unknown;
  if (signIn.refresh?.hash !== hashOf(shown.token)) {
    endSignIn(state, signIn.id);
    return { wrong: 'the refresh token was used before, so the sign-in has ended', ended: signIn };
  }
  if (signIn.resource !== shown.resource)
    return { wrong: 'resource is another one than in the authorization request' };
  signIn.renewedAt = now;
  return issueTokens(signIn, family, lifetimes, now);
}

/** Ends the sign-in that a token belongs to. Nothing happens if it is unknown, or of another client. */
export function revokeToken(
  state: CallerSignInState,
  token: string,
  clientId: string,
): CallerSignIn | undefined {
  const hash = hashOf(token);
  const family = familyOf(token);
  const familyHash = family === undefined ? undefined : hashOf(family);
  const signIn = state.signIns.find(
    ({ access, refresh }) =>
      access.some((each) => each.hash === hash) ||
      (familyHash !== undefined && refresh?.family === familyHash),
  );
  return signIn?.client.id === clientId ? endSignIn(state, signIn.id) : undefined;
}

/** Returns what it was; `undefined` if there is none. */
function endSignIn(state: CallerSignInState, id: string): CallerSignIn | undefined {
  const at = state.signIns.findIndex((each) => each.id === id);
  return at === -1 ? undefined : state.signIns.splice(at, 1)[0];
}

/** Which sign-ins an operator ends. */
export type Revoked =
  | { readonly ids: readonly string[] }
  | { readonly person: string }
  | { readonly all: true };

/**
 * Ends sign-ins to one gateway, and what the same people have just allowed and the client has not fetched yet. Returns the
 * sign-ins that were there.
 */
export function revokeSignIns(
  state: CallerSignInState,
  resource: string,
  revoked: Revoked,
  now: number,
): readonly CallerSignIn[] {
  forget(state, now);
  const isMeant = ({ person: { name } }: Pick<Consent, 'person'>): boolean =>
    'all' in revoked || ('person' in revoked && revoked.person === name);
  const ended = state.signIns.filter(
    (each) =>
      each.resource === resource &&
      ('ids' in revoked ? revoked.ids.includes(each.id) : isMeant(each)),
  );
  const isOfEnded = ({ person, client }: Code): boolean =>
    ended.some((each) => each.person.name === person.name && each.client.id === client.id);
  state.signIns = state.signIns.filter((each) => !ended.includes(each));
  // A code that was used stays known, so that a second use is noticed.
  state.codes = state.codes.filter(
    (code) =>
      code.resource !== resource || code.used !== undefined || !(isMeant(code) || isOfEnded(code)),
  );
  return ended;
}

/** Stores a client that registered itself. Clients without a sign-in go first when there are too many. */
export function addClient(state: CallerSignInState, client: RegisteredClient): void {
  state.clients.push(client);
  if (state.clients.length <= MOST_CLIENTS) return;
  const used = new Set(state.signIns.map(({ client: { id } }) => id));
  const unused = state.clients.findIndex(({ id }) => !used.has(id));
  state.clients.splice(Math.max(unused, 0), 1);
}

/** A new random text, for ids and secrets. */
export function random(): string {
  return randomBytes(32).toString('base64url');
}

function issueTokens(
  signIn: CallerSignIn,
  family: string,
  { tokenMs }: Lifetimes,
  now: number,
): IssuedTokens {
  const accessToken = `${ACCESS_TOKEN}${random()}`;
  const expiresAt = Math.min(now + tokenMs, signIn.endsAt);
  signIn.access.push({ hash: hashOf(accessToken), expiresAt });
  if (signIn.access.length > MOST_ACCESS) signIn.access.shift();
  const issued = { accessToken, expiresInMs: expiresAt - now };
  if (!signIn.refreshes) return issued;
  const refreshToken = `callsign_refresh_${family}.${random()}`;
  signIn.refresh = { family: hashOf(family), hash: hashOf(refreshToken) };
  return { ...issued, refreshToken };
}

const REFRESH = /^callsign_refresh_([\w-]{43})\.[\w-]{43}$/;

function familyOf(token: string): string | undefined {
  return REFRESH.exec(token)?.[1];
}

/** Removes what no longer counts. */
function forget(state: CallerSignInState, now: number): void {
  state.codes = state.codes.filter(({ expiresAt }) => expiresAt + USED_CODE_MS > now);
  state.operatorAnswers = state.operatorAnswers.filter(({ expiresAt }) => expiresAt > now);
  state.signIns = state.signIns.filter(
    ({ endsAt, access, refresh }) =>
      endsAt > now && (refresh !== undefined || access.some(({ expiresAt }) => expiresAt > now)),
  );
  for (const signIn of state.signIns) {
    signIn.access = signIn.access.filter(({ expiresAt }) => expiresAt > now);
  }
}

function limitSignIns(state: CallerSignInState, { person, client }: CallerSignIn): void {
  const same = state.signIns.filter(
    (each) => each.person.name === person.name && each.client.id === client.id,
  );
  if (same.length > MOST_OF_ONE) endSignIn(state, same[0]!.id);
  if (state.signIns.length > MOST_SIGN_INS) state.signIns.shift();
}
