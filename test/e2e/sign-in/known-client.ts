/** A client that a gateway knows, and a person who signs in with it. */

import { Browser } from '../../../packages/auth/src/authorization/testing/browser.js';

export const KNOWN_BACK = 'http://127.0.0.1:9/back';
/** For `auth.signIn.clients`. */
export const KNOWN_CLIENT = { id: 'known', name: 'Known', redirectUris: [KNOWN_BACK] };
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** The address that the client opens in a browser. */
export function authorizeUrl(origin: string): URL {
  const url = new URL(`${origin}/authorize`);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: KNOWN_CLIENT.id,
    redirect_uri: KNOWN_BACK,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  }).toString();
  return url;
}

/** Asks the token endpoint of a gateway, as the client. */
export async function askForTokens(
  gateway: string | URL,
  fields: Readonly<Record<string, string>>,
): Promise<{ status: number; body: Tokens }> {
  const response = await fetch(new URL('/token', gateway), {
    method: 'POST',
    body: new URLSearchParams({ client_id: KNOWN_CLIENT.id, ...fields }),
  });
  return { status: response.status, body: (await response.json()) as Tokens };
}

/** The tokens for the code in the address that the browser was led back to. */
export async function tokensFor(gateway: string | URL, back: URL): Promise<Tokens> {
  const { status, body } = await askForTokens(gateway, {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code')!,
    redirect_uri: KNOWN_BACK,
    code_verifier: VERIFIER,
  });
  if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`);
  return body;
}

/** A person pastes a key and says yes. `gateway`: where the client asks for the tokens, if it is another instance. */
export async function signInWith(
  key: string,
  origin: string,
  gateway: string | URL = origin,
): Promise<Tokens> {
  const browser = new Browser();
  const url = authorizeUrl(origin);
  const asked = await browser.submit(await browser.open(url), url, { key });
  const { location } = await browser.submit(asked, url, { answer: 'allow' });
  return tokensFor(gateway, location!);
}
