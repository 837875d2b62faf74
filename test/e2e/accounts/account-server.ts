/**
 * A remote MCP server whose callers sign in at a real OpenID provider on the same address. Its tools say whose token came, so
 * a test sees which account a call has used.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';

import { createRemoteJWKSet, jwtVerify } from 'jose';
// @ts-expect-error -- the package has no types
import { errors, Provider } from 'oidc-provider';
import { onTestFinished } from 'vitest';

import { Browser, type Seen } from '../../../packages/auth/src/authorization/testing/browser.js';

interface Token {
  readonly accountId: string;
  readonly isExpired: boolean;
  readonly grantId: string;
}

interface ServerRequest {
  /** Whose token came. */
  readonly person: string;
  readonly authorization: string;
  readonly session: string | undefined;
  readonly method: string;
}

export interface AccountServer {
  readonly issuer: string;
  readonly url: string;
  /** Every request with a good token. */
  readonly requests: ServerRequest[];
  /** Everything that came with any request, as text. */
  readonly received: string[];
  /** How often tokens were renewed. */
  renewals: number;
  /** What came with each request to exchange a token. */
  readonly exchanges: Readonly<Record<string, string>>[];
  /** People for whose tokens the provider gives nothing. */
  readonly strangers: Set<string>;
  /** The client that may exchange tokens. */
  readonly exchanger: { readonly clientId: string; readonly clientSecret: string };
  /** For how many seconds tokens for other resources count. */
  tokensLastS: number;
  /** A token of a person for another resource, as a client gets it. */
  tokenFor(name: string, resource: string): Promise<string>;
  /** All access tokens count no longer; refresh tokens do. */
  expire(): void;
  /** The provider ends all tokens of a person. */
  revoke(person: string): Promise<void>;
  /** A person types a name and a password. Returns where the provider sends the browser then. */
  signIn(browser: Browser, at: URL, name: string): Promise<URL>;
}

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const APP_BACK = 'http://127.0.0.1:9/back';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** `toolsOf`: the tools of each person, besides `whoami`. */
export async function startAccountServer(
  toolsOf: (person: string) => readonly string[] = () => [],
): Promise<AccountServer> {
  const requests: ServerRequest[] = [];
  const received: string[] = [];
  const ended = new Set<string>();
  let sessions = 0;
  const http = createServer((request, response) => {
    const path = new URL(request.url!, 'http://x').pathname;
    if (path === '/mcp') void answer(request, response).catch(() => response.destroy());
    else if (path === '/.well-known/oauth-protected-resource/mcp') {
      const resource = {
        resource: url,
        authorization_servers: [issuer],
        scopes_supported: ['mcp'],
      };
      send(response, 200, resource);
    } else provider.callback()(request, response);
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const url = `${issuer}/mcp`;
  const provider = new Provider(issuer, {
    scopes: ['openid', 'mcp'],
    clientDefaults: { token_endpoint_auth_method: 'none' },
    clients: [
      { client_id: 'app', redirect_uris: [APP_BACK], application_type: 'native' },
      {
        client_id: 'exchanger',
        client_secret: 'secret-of-the-exchanger',
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: [EXCHANGE],
        response_types: [],
        redirect_uris: [],
      },
    ],
    extraTokenClaims: () => ({ roles: ['user'] }),
    cookies: { keys: ['only for tests'] },
    pkce: { required: () => true },
    issueRefreshToken: () => true,
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => url,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, resource: string) =>
          resource === url
            ? { scope: 'mcp', accessTokenFormat: 'opaque' }
            : {
                scope: 'mcp',
                audience: resource,
                accessTokenFormat: 'jwt',
                accessTokenTTL: server.tokensLastS,
              },
      },
    },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub }),
    }),
  });
  provider.on('grant.success', (context: { oidc: { params: { grant_type: string } } }) => {
    if (context.oidc.params.grant_type === 'refresh_token') server.renewals++;
  });

  interface Exchanging {
    readonly oidc: {
      readonly client: { readonly clientId: string };
      readonly params: Record<string, string>;
    };
    body: object;
  }
  const exchange = async (context: Exchanging): Promise<void> => {
    const { client, params } = context.oidc;
    server.exchanges.push({ ...params });
    const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
    const { payload } = await jwtVerify(params['subject_token']!, keys, { issuer }).catch(() => {
      throw new errors.InvalidGrant('the subject token is not ours');
    });
    const accountId = payload.sub!;
    if (server.strangers.has(accountId) || params['resource'] !== url)
      throw new errors.InvalidTarget();
    const grant = new provider.Grant({ accountId, clientId: client.clientId });
    grant.addResourceScope(url, 'mcp');
    const token = new provider.AccessToken({
      client,
      accountId,
      grantId: await grant.save(),
      gty: 'token-exchange',
      scope: 'mcp',
    });
    token.resourceServer = new provider.ResourceServer(url, {
      scope: 'mcp',
      accessTokenFormat: 'opaque',
    });
    context.body = {
      access_token: await token.save(),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: token.expiration,
    };
  };
  const parameters = ['subject_token', 'subject_token_type', 'requested_token_type', 'resource'];
  provider.registerGrantType(EXCHANGE, exchange, parameters);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request);
    received.push(`${JSON.stringify(request.headers)}\n${body}`);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const found = (await provider.AccessToken.find(token)) as Token | undefined;
    if (!found || found.isExpired || ended.has(token)) {
      const at = `${issuer}/.well-known/oauth-protected-resource/mcp`;
      const challenge = `Bearer resource_metadata="${at}"`;
      return send(response, 401, {}, { 'www-authenticate': challenge });
    }
    if (request.method !== 'POST') return send(response, 405, {});
    const {
      id,
      method,
      params = {},
    } = JSON.parse(body) as {
      id?: number;
      method: string;
      params?: { name?: string };
    };
    const { accountId: person } = found;
    const session = request.headers['mcp-session-id'] as string | undefined;
    requests.push({ person, authorization: token, session, method });
    if (id === undefined) return send(response, 202, {});
    const tools = ['whoami', ...toolsOf(person)].map((name) => ({
      name,
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object' },
    }));
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'accounts', version: '1' },
      },
      'tools/list': { tools },
      'tools/call': {
        content: [{ type: 'text', text: `${params.name} of ${person} in ${session ?? 'none'}` }],
      },
    };
    const result = results[method];
    const reply = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
    const header = method === 'initialize' ? { 'mcp-session-id': `session-${++sessions}` } : {};
    send(response, 200, { jsonrpc: '2.0', id, ...reply }, header);
  }

  const isOurs = (to: URL): boolean => to.origin !== issuer;
  const server: AccountServer = {
    issuer,
    url,
    requests,
    received,
    renewals: 0,
    exchanges: [],
    tokensLastS: 3_600,
    strangers: new Set(),
    exchanger: { clientId: 'exchanger', clientSecret: 'secret-of-the-exchanger' },
    async tokenFor(name, resource) {
      const at = new URL(`${issuer}/auth`);
      const asked = {
        client_id: 'app',
        response_type: 'code',
        redirect_uri: APP_BACK,
        scope: 'openid mcp',
        resource,
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
      };
      for (const [key, value] of Object.entries(asked)) at.searchParams.set(key, value);
      const back = await server.signIn(new Browser(), at, name);
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: 'app',
          code: back.searchParams.get('code')!,
          redirect_uri: APP_BACK,
          code_verifier: VERIFIER,
          resource,
        }),
      });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    expire() {
      for (const { authorization } of requests) ended.add(authorization);
    },
    async revoke(person) {
      for (const { authorization, person: of } of requests) {
        if (of !== person) continue;
        const token = (await provider.AccessToken.find(authorization)) as Token | undefined;
        if (token) await provider.RefreshToken.revokeByGrantId(token.grantId);
        ended.add(authorization);
      }
    },
    async signIn(browser, at, name) {
      let page: Seen = await browser.follow(at, isOurs);
      for (let i = 0; i < 5 && !page.location; i++) {
        const action = new URL(/action="([^"]+)"/.exec(page.text)![1]!, issuer);
        const sent = await browser.submit(page, action, { login: name, password: 'any' });
        const isDone = !sent.location || isOurs(sent.location);
        page = isDone ? sent : await browser.follow(sent.location!, isOurs);
      }
      return page.location!;
    },
  };
  return server;
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
}
