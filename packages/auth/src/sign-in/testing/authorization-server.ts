/**
 * An authorization server on loopback, as strict as real ones: PKCE, and each code and refresh
 * token works once.
 */

import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';

import { onTestFinished } from 'vitest';

export interface AuthorizationOptions {
  /** Seconds until access tokens expire. */
  readonly expiresIn?: number | undefined;
  /** Whether clients may register themselves. */
  readonly registers?: boolean;
  /** Changes the server's metadata. */
  readonly metadata?: (own: Record<string, unknown>) => Record<string, unknown>;
  /** Added to the redirect address. */
  readonly answer?: (query: URLSearchParams) => void;
}

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly clientId: string;
  readonly resource: string | null;
}

export class AuthorizationServer {
  url = '';
  /** The requested paths, with what was posted to them. */
  readonly seen: { readonly path: string; readonly body: URLSearchParams }[] = [];
  readonly #options: AuthorizationOptions;
  readonly #clients = new Map<string, readonly string[]>();
  readonly #codes = new Map<string, Code>();
  readonly #accessTokens = new Set<string>();
  readonly #refreshTokens = new Set<string>();
  /** Set to make the token endpoint fail with this status. */
  fails: number | undefined;
  /** Set to let requests to revoke tokens wait for it. */
  holdsRevoking: Promise<void> | undefined;

  private constructor(options: AuthorizationOptions) {
    this.#options = options;
  }

  static async start(options: AuthorizationOptions = {}): Promise<AuthorizationServer> {
    const self = new AuthorizationServer(options);
    const server = createServer((request, response) => {
      self.#take(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return self;
  }

  /** A client that was registered by hand. */
  register(clientId: string): void {
    this.#clients.set(clientId, ['any']);
  }

  isGood(token: string | undefined): boolean {
    return token !== undefined && this.#accessTokens.has(token);
  }

  /** Access tokens expire early. */
  expireAll(): void {
    this.#accessTokens.clear();
  }

  /** All sign-ins are revoked. */
  forgetAll(): void {
    this.expireAll();
    this.#refreshTokens.clear();
  }

  posts(path: string): URLSearchParams[] {
    return this.seen.filter((each) => each.path === path).map(({ body }) => body);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const raw = await readAll(request);
    const body = new URLSearchParams(raw);
    this.seen.push({ path: pathname, body });
    if (pathname === '/.well-known/oauth-authorization-server')
      return send(response, 200, this.#metadata());
    if (pathname === '/register') return this.#register(raw, response);
    if (pathname === '/authorize') return this.#authorize(searchParams, response);
    if (pathname === '/token') return this.#token(body, response);
    if (pathname === '/revoke') {
      await this.holdsRevoking;
      return this.#revoke(body, response);
    }
    send(response, 404, {});
  }

  #metadata(): Record<string, unknown> {
    const own = {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      revocation_endpoint: `${this.url}/revoke`,
      ...(this.#options.registers === false
        ? {}
        : { registration_endpoint: `${this.url}/register` }),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
    };
    return this.#options.metadata?.(own) ?? own;
  }

  #register(raw: string, response: ServerResponse): void {
    const metadata = JSON.parse(raw) as { redirect_uris: string[] };
    const client_id = `client-${randomBytes(6).toString('hex')}`;
    this.#clients.set(client_id, metadata.redirect_uris);
    send(response, 201, { ...metadata, client_id });
  }

  /** The person agrees at once. */
  #authorize(query: URLSearchParams, response: ServerResponse): void {
    const [clientId, redirectUri] = [query.get('client_id') ?? '', query.get('redirect_uri') ?? ''];
    const registered = this.#clients.get(clientId);
    const isKnown = registered?.includes('any') || registered?.includes(redirectUri);
    if (!isKnown || query.get('code_challenge_method') !== 'S256') return send(response, 400, {});
    const code = randomBytes(16).toString('hex');
    const challenge = query.get('code_challenge') ?? '';
    this.#codes.set(code, { challenge, redirectUri, clientId, resource: query.get('resource') });
    const back = new URL(redirectUri);
    back.search = new URLSearchParams({
      code,
      state: query.get('state') ?? '',
      iss: this.url,
    }).toString();
    this.#options.answer?.(back.searchParams);
    response.writeHead(302, { location: back.href }).end();
  }

  #token(body: URLSearchParams, response: ServerResponse): void {
    if (this.fails !== undefined) return send(response, this.fails, { error: 'server_error' });
    const refused = (error: string): void => send(response, 400, { error });
    if (body.get('grant_type') === 'refresh_token') {
      const used = this.#refreshTokens.delete(body.get('refresh_token') ?? '');
      return used ? this.#issue(response) : refused('invalid_grant');
    }
    const code = this.#codes.get(body.get('code') ?? '');
    this.#codes.delete(body.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      code?.challenge === verifier &&
      code.redirectUri === body.get('redirect_uri') &&
      code.clientId === body.get('client_id') &&
      code.resource === body.get('resource');
    return isRight ? this.#issue(response) : refused('invalid_grant');
  }

  #issue(response: ServerResponse): void {
    const [access_token, refresh_token] = [secret('access'), secret('refresh')];
    this.#accessTokens.add(access_token);
    this.#refreshTokens.add(refresh_token);
    const { expiresIn: expires_in = 3600 } = this.#options;
    send(response, 200, { access_token, refresh_token, expires_in, token_type: 'Bearer' });
  }

  #revoke(body: URLSearchParams, response: ServerResponse): void {
    this.#accessTokens.delete(body.get('token') ?? '');
    this.#refreshTokens.delete(body.get('token') ?? '');
    send(response, 200, {});
  }
}

/** Tests look for it in everything that people see. */
function secret(name: string): string {
  return `CANARY-${name}-${randomBytes(12).toString('hex')}`;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
