/**
 * A remote MCP server whose callers sign in at a real OpenID provider on the same address. Its tools say whose token came, so
 * a test sees which account a call has used.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';

// @ts-expect-error -- the package has no types
import { Provider } from 'oidc-provider';
import { onTestFinished } from 'vitest';

import type { Browser, Seen } from '../../../packages/auth/src/authorization/testing/browser.js';

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
  /** All access tokens count no longer; refresh tokens do. */
  expire(): void;
  /** The provider ends all tokens of a person. */
  revoke(person: string): Promise<void>;
  /** A person types a name and a password. Returns where the provider sends the browser then. */
  signIn(browser: Browser, at: URL, name: string): Promise<URL>;
}

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
        getResourceServerInfo: () => ({ scope: 'mcp', accessTokenFormat: 'opaque' }),
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
