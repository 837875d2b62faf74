/**
 * An issuer of tokens on loopback: metadata, keys that can change, and any token that a test needs.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { onTestFinished } from 'vitest';

export const RESOURCE = 'http://127.0.0.1:3917/mcp';

export class TokenIssuer {
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly seen: string[];
  readonly #state: State;

  private constructor(url: string, state: State) {
    this.url = url;
    this.seen = state.seen;
    this.#state = state;
  }

  static async start(): Promise<TokenIssuer> {
    const state: State = { seen: [], keys: [], current: await newKey('first'), isDown: false };
    state.keys = [state.current.jwk];
    let url = '';
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      state.seen.push(path);
      const document = path.startsWith('/.well-known/oauth-authorization-server')
        ? metadataOf(url)
        : path === '/jwks'
          ? { keys: state.keys }
          : undefined;
      const status = state.isDown ? 503 : document ? 200 : 404;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(status === 200 ? document : {}));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new TokenIssuer(url, state);
  }

  get publicKey(): JWK {
    return this.#state.current.jwk;
  }

  set isDown(isDown: boolean) {
    this.#state.isDown = isDown;
  }

  /** Signs with another key from now on. The old one is removed. */
  async rotate(): Promise<void> {
    this.#state.current = await newKey(`key-${this.seen.length}`);
    this.#state.keys = [this.#state.current.jwk];
  }

  /** A valid token for `RESOURCE`, unless claims or header change it. */
  token(
    claims: Record<string, unknown> = {},
    header: Record<string, unknown> = {},
  ): Promise<string> {
    const { jwk, privateKey } = this.#state.current;
    const now = Math.floor(Date.now() / 1000);
    const good = { iss: this.url, aud: RESOURCE, sub: 'ann', iat: now, exp: now + 300 };
    return new SignJWT({ ...good, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: jwk.kid!, ...header })
      .sign(privateKey);
  }
}

function metadataOf(issuer: string): object {
  return {
    issuer,
    jwks_uri: `${issuer}/jwks`,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
  };
}

interface Key {
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
}

interface State {
  readonly seen: string[];
  keys: JWK[];
  current: Key;
  isDown: boolean;
}

async function newKey(kid: string): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}
