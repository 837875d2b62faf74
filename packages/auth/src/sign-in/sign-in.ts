/**
 * Signs in to a server: reads its refusal, finds its authorization server, opens the browser, and
 * gets tokens.
 */

import {
  type AttemptState,
  type OwnClient,
  SignInAttempt,
  type SignInRedirect,
} from './sign-in-attempt.js';
import { reasonOf, SignInError } from './sign-in-error.js';
import type { SignInStore } from './sign-in-store.js';
import { tokensIn, type RemoteEntry, type SignInRecord } from './sign-in-record.js';
import { openRedirect, SignInDeclined, type LoopbackRedirect } from './loopback-redirect.js';
import type { OAuthSettings } from './oauth-settings.js';
import { isPage } from './open-browser.js';
import type { OutboundFetch } from '../network/outbound-fetch.js';

export interface SignInOptions {
  readonly store: Pick<SignInStore, 'probe' | 'save'>;
  readonly fetch: OutboundFetch;
  readonly oauth?: OAuthSettings;
  /** Receives the address that the person must open. */
  readonly onUrl?: (url: URL) => void;
  /** Opens the address in a browser. Returns false if there is none. */
  readonly openBrowser?: (url: URL) => Promise<boolean>;
  /** How long the person may take. Default: 5 minutes. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5 * 60_000;

/** Rejects with a `SignInError`, which contains no secrets. */
export async function signIn(server: RemoteEntry, options: SignInOptions): Promise<void> {
  // First check that tokens can be stored, before the person does anything.
  await stored(server, options.store.probe());
  const redirect = await openRedirect();
  try {
    const record = await attempt(server, redirect, options);
    await stored(server, options.store.save(record));
  } catch (error) {
    if (error instanceof SignInError) throw error;
    const reason =
      error instanceof SignInDeclined ? `it was declined (${error.message})` : reasonOf(error);
    throw new SignInError(server.key, reason);
  } finally {
    redirect.close();
  }
}

async function attempt(
  server: RemoteEntry,
  redirect: LoopbackRedirect,
  { fetch, oauth = {}, onUrl, openBrowser, timeoutMs = TIMEOUT_MS }: SignInOptions,
): Promise<SignInRecord> {
  const found = await beginSignIn(server, redirect, { fetch, oauth });
  onUrl?.(found.authorizationUrl);
  await openBrowser?.(found.authorizationUrl);
  const answer = await inTime(redirect.answer, timeoutMs, server);
  return await finishSignIn(server, found, { ...answer, redirectUri: redirect.url, fetch });
}

/** Finds where the person signs in. Rejects if there is no such page. */
export async function beginSignIn(
  server: RemoteEntry,
  redirect: SignInRedirect,
  how: {
    readonly fetch: OutboundFetch;
    readonly oauth: OAuthSettings;
    readonly known?: readonly OwnClient[];
  },
): Promise<AttemptState> {
  const { fetch, oauth, known } = how;
  // Loaded only for a sign-in, because it is large.
  const oauthLibrary = await import('@modelcontextprotocol/client');
  const challenge = oauthLibrary.extractWWWAuthenticateParams(await knock(server, fetch));
  const scope = oauth.scope ?? challenge.scope;
  const { resourceMetadataUrl } = challenge;
  const provider = new SignInAttempt(server.key, redirect, oauth, known);
  await oauthLibrary.auth(provider, {
    serverUrl: server.url,
    fetchFn: fetch,
    ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
    ...(scope === undefined ? {} : { scope }),
  });
  const { found } = provider;
  if (found && isPage(found.authorizationUrl)) return found;
  throw new SignInError(server.key, 'its authorization server has no sign-in page');
}

/** The answer of the browser, and where it came to. */
interface SignInAnswer {
  readonly code: string;
  /** The issuer in the answer, if it names one. */
  readonly iss: string | undefined;
  readonly redirectUri: string;
  readonly fetch: OutboundFetch;
}

/** Gets the tokens of an attempt. Rejects if the answer comes from another authorization server. */
export async function finishSignIn(
  server: RemoteEntry,
  {
    authorizationServer,
    metadata,
    client,
    resource,
    codeVerifier,
  }: Omit<AttemptState, 'authorizationUrl'>,
  { code, iss, redirectUri, fetch }: SignInAnswer,
): Promise<SignInRecord> {
  const { exchangeAuthorization } = await import('@modelcontextprotocol/client');
  const tokens = await exchangeAuthorization(authorizationServer, {
    clientInformation: client,
    authorizationCode: code,
    codeVerifier,
    redirectUri,
    fetchFn: fetch,
    ...(metadata ? { metadata } : {}),
    ...(iss === undefined ? {} : { iss }),
    ...(resource === undefined ? {} : { resource }),
  });
  return {
    server: server.key,
    url: server.url,
    authorizationServer,
    metadata,
    client: { client_id: client.client_id, client_secret: client.client_secret },
    resource,
    ...tokensIn(tokens),
  };
}

/** Problems with our own store keep their message. */
function stored<T>({ key }: RemoteEntry, done: Promise<T>): Promise<T> {
  return done.catch((error: Error) => {
    throw new SignInError(key, `its tokens cannot be stored. ${error.message.replace(/\.$/, '')}`);
  });
}

/** Sends a request without credentials: the refusal names the authorization server. */
function knock({ url }: RemoteEntry, fetch: OutboundFetch): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
}

async function inTime<T>(answer: Promise<T>, ms: number, { key }: RemoteEntry): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const reason = `the browser did not return within ${Math.ceil(ms / 1000)} s`;
    timer = setTimeout(() => reject(new SignInError(key, reason)), ms);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
