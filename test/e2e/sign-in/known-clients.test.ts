/**
 * The requests of clients that cannot run here, sent one after the other to a real gateway: what Claude, Claude Code, ChatGPT,
 * VS Code, Codex and Cursor send, as their pages, their published metadata documents and their source say. A client that
 * checks an answer strictly is followed in that.
 */

import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer as createWebServer } from 'node:http';

import { createApiKey } from '@callsign/auth';
import { beforeAll, expect, it } from 'vitest';

import { freePort } from '../../../scripts/free-port.mjs';
import { Browser } from '../../../packages/auth/src/authorization/testing/browser.js';
import { Home } from '../cli/callsign.js';
import { plain, startGateway, type Finally, type GatewayProcess } from '../gateway-process.js';

const ANN = createApiKey();
const CLAUDE_BACK = 'https://claude.ai/api/mcp/auth_callback';
const CLAUDE_DOCUMENT = 'https://claude.ai/oauth/mcp-oauth-client-metadata';

interface KnownClient {
  readonly name: string;
  /** The address that a person gives to the client. Default: `/mcp`. */
  readonly path?: string;
  /** Looks for metadata at these paths. Default: where the refusal says. */
  readonly looksAt?: readonly string[];
  /** Its metadata document, without its address. */
  readonly document?: object;
  /** What it sends to register. */
  readonly registration?: object;
  /** The operator registered it under this id. */
  readonly id?: string;
  readonly redirectUri: string;
  /** Parameters of the authorization request that not every client sends. */
  readonly asks?: Readonly<Record<string, string>>;
  /** The requests in which it names the resource. Default: all. */
  readonly namesResource?: readonly ('authorize' | 'token' | 'refresh')[];
  /** What the consent page must say. */
  readonly shows: string;
}

const BOTH_GRANTS = ['authorization_code', 'refresh_token'];
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const VSCODE_STATE =
  'vscode://dynamicauthprovider/gateway.example.com/authorize?nonce%3D0a1b&windowId%3D1';

const CLIENTS: readonly KnownClient[] = [
  {
    name: 'Claude that registers itself',
    registration: {
      client_name: 'Claude',
      client_uri: 'https://claude.ai',
      redirect_uris: [CLAUDE_BACK],
      grant_types: BOTH_GRANTS,
      response_types: ['code'],
      scope: 'mcp',
      token_endpoint_auth_method: 'none',
    },
    redirectUri: CLAUDE_BACK,
    asks: { scope: 'mcp', state: randomBytes(32).toString('base64url') },
    shows: 'Nothing proves who made this client',
  },
  {
    name: 'Claude that registers itself with a secret, and looks at the root',
    looksAt: ['/.well-known/oauth-protected-resource'],
    registration: {
      client_name: 'Claude',
      redirect_uris: [CLAUDE_BACK, 'https://claude.com/api/mcp/auth_callback'],
      grant_types: BOTH_GRANTS,
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
    },
    redirectUri: 'https://claude.com/api/mcp/auth_callback',
    asks: { scope: 'claudeai', state: randomBytes(32).toString('base64url') },
    shows: 'claude.com',
  },
  {
    name: 'Claude with its document, at a set',
    path: '/mcp/set/adding',
    document: {
      client_name: 'Claude',
      client_uri: 'https://claude.ai',
      redirect_uris: [CLAUDE_BACK],
      grant_types: [...BOTH_GRANTS, JWT_BEARER],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    redirectUri: CLAUDE_BACK,
    asks: { scope: 'mcp', state: randomBytes(32).toString('base64url') },
    shows: 'claude.ai',
  },
  {
    name: 'Claude whose document cannot be fetched, registered by the operator',
    id: CLAUDE_DOCUMENT,
    redirectUri: CLAUDE_BACK,
    asks: { scope: 'mcp', state: randomBytes(32).toString('base64url') },
    shows: 'claude.ai',
  },
  {
    name: 'Claude Code with its document, on any port',
    document: {
      client_name: 'Claude Code',
      client_uri: 'https://claude.ai',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      grant_types: BOTH_GRANTS,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    redirectUri: 'http://localhost:51789/callback',
    asks: { scope: 'mcp offline_access', state: 'state-of-claude-code' },
    shows: 'localhost:51789',
  },
  {
    name: 'ChatGPT with its document, which prefers to sign',
    document: {
      client_name: 'ChatGPT',
      client_uri: 'https://chatgpt.com/',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      grant_types: BOTH_GRANTS,
      response_types: ['code'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
    redirectUri: 'https://chatgpt.com/connector_platform_oauth_redirect',
    asks: { state: 'oauth_s_0123456789abcdef' },
    shows: 'chatgpt.com',
  },
  {
    name: 'VS Code with its document, at a profile',
    path: '/mcp/profile/vscode',
    looksAt: ['/.well-known/oauth-protected-resource/mcp/profile/vscode'],
    document: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://vscode.dev/product',
      redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
      grant_types: [...BOTH_GRANTS, DEVICE_CODE],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    // Another port than in the document, if that one is taken.
    redirectUri: 'http://127.0.0.1:59656/',
    asks: { scope: 'mcp', state: 'gXVXo0/iMD8WMolDHKxSTg==' },
    shows: '127.0.0.1:59656',
  },
  {
    name: 'VS Code that registers itself, through its page',
    registration: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: BOTH_GRANTS,
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      scope: 'mcp',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    redirectUri: 'https://vscode.dev/redirect',
    asks: { scope: 'mcp', state: VSCODE_STATE },
    shows: 'vscode.dev',
  },
  {
    name: 'Codex, which names no resource when it renews',
    registration: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1:37819/callback/2f1c'],
      grant_types: BOTH_GRANTS,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    redirectUri: 'http://127.0.0.1:37819/callback/2f1c',
    asks: { scope: 'mcp', state: 'state-of-codex' },
    namesResource: ['authorize', 'token'],
    shows: '127.0.0.1:37819',
  },
  {
    name: 'Cursor, which gets the code in its app',
    registration: {
      client_name: 'Cursor',
      redirect_uris: [
        'http://localhost:8787/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'cursor://anysphere.cursor-mcp/oauth/callback',
      ],
      grant_types: BOTH_GRANTS,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    redirectUri: 'cursor://anysphere.cursor-mcp/oauth/callback',
    shows: 'cursor:',
  },
  {
    name: 'an older client without state and resource',
    path: '/sse',
    registration: { redirect_uris: ['http://127.0.0.1:3334/oauth/callback'] },
    redirectUri: 'http://127.0.0.1:3334/oauth/callback',
    namesResource: [],
    shows: '127.0.0.1:3334',
  },
];

let documents = '';
let gateway: GatewayProcess;

// One gateway serves all of them, as it does for a person.
beforeAll(async () => {
  const ends: (() => void | Promise<void>)[] = [];
  const later: Finally = (end) => void ends.unshift(end);
  documents = await startDocuments(later);
  gateway = await start([documents], later);
  return async () => {
    for (const end of ends) await end();
  };
});

it.each(CLIENTS)('$name', async (client) => {
  const { path = '/mcp', redirectUri, asks = {}, namesResource } = client;
  const { origin } = new URL(gateway.url);

  // Without a token: 401 leads to metadata of exactly the address that the person gave.
  const refused = await initialize(origin + path);
  expect(refused.status).toBe(401);
  const challenge = refused.headers.get('www-authenticate')!;
  const named = /^Bearer resource_metadata="([^"]+)", scope="mcp"$/.exec(challenge)?.[1];
  expect(named).toBe(`${origin}/.well-known/oauth-protected-resource${path}`);
  const looksAt = client.looksAt?.map((each) => origin + each) ?? [named!];
  let resource: Metadata | undefined;
  for (const place of looksAt) resource = await json<Metadata>(await fetch(place, ACCEPTS_JSON));
  expect(resource!['resource']).toBe(origin + path);
  expect(resource!['scopes_supported']).toEqual(['mcp']);
  const [issuer] = resource!['authorization_servers'] as [string];

  // Addresses that some clients try first have nothing, and ask for no credential.
  for (const other of ['openid-configuration', `oauth-authorization-server${path}`])
    expect((await fetch(`${issuer}/.well-known/${other}`, ACCEPTS_JSON)).status).toBe(404);
  const found = await fetch(`${issuer}/.well-known/oauth-authorization-server`, ACCEPTS_JSON);
  const server = await json<Metadata>(found);
  expect(server).toMatchObject({
    issuer,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    response_types_supported: ['code'],
    grant_types_supported: BOTH_GRANTS,
    code_challenge_methods_supported: ['S256'],
  });
  expect(server['token_endpoint_auth_methods_supported']).toContain('none');

  const registered = await identify(client, server['registration_endpoint']!);
  const names = (step: 'authorize' | 'token' | 'refresh'): Record<string, string> =>
    (namesResource ?? [step]).includes(step) ? { resource: origin + path } : {};

  const verifier = randomBytes(48).toString('base64url');
  const url = new URL(server['authorization_endpoint']!);
  const asked = {
    client_id: registered.id,
    response_type: 'code',
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...names('authorize'),
    ...asks,
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.append(name, value);
  const browser = new Browser();
  const page = await browser.submit(await browser.open(url), url, { key: ANN.key });
  expect(page.text).toContain(client.shows);
  const { location } = await browser.submit(page, url, { answer: 'allow' });
  expect(location!.href.startsWith(`${redirectUri}?`)).toBe(true);
  expect(location!.searchParams.get('iss')).toBe(issuer);
  expect(location!.searchParams.get('state')).toBe(asks['state'] ?? null);
  // VS Code reads it without decoding.
  const code = /[?&]code=([^&]+)/.exec(location!.search)![1]!;
  expect(code).toBe(location!.searchParams.get('code'));

  const post = (fields: Record<string, string>): Promise<Response> =>
    fetch(server['token_endpoint']!, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...registered.headers,
      },
      body: new URLSearchParams({ ...registered.fields, ...fields }).toString(),
    });
  const given = await post({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...names('token'),
  });
  expect(given.headers.get('cache-control')).toBe('no-store');
  const first = await json<Tokens>(given);
  expect(first).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'mcp' });
  const isAccepted = async (token: string): Promise<boolean> =>
    (await initialize(origin + (path === '/sse' ? '/mcp' : path), token)).status === 200;
  expect(await isAccepted(first.access_token)).toBe(true);

  // A client that did not ask for refresh tokens gets none.
  if (!(client.registration && !('grant_types' in client.registration))) {
    const renew = (token: string): Promise<Response> =>
      post({ grant_type: 'refresh_token', refresh_token: token, ...names('refresh') });
    const second = await json<Tokens>(await renew(first.refresh_token!));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await isAccepted(second.access_token)).toBe(true);
    // Two names for "sign in again": the refresh token is dead, or the client is unknown.
    const dead = await renew(first.refresh_token!);
    expect([dead.status, await dead.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    expect(await isAccepted(second.access_token)).toBe(false);
  } else expect(first.refresh_token).toBeUndefined();
  const unknown = await fetch(server['token_endpoint']!, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'client_removed' }),
  });
  expect([unknown.status, await unknown.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  for (const secret of [code, first.access_token, ANN.key])
    expect(gateway.stderr).not.toContain(secret);
});

type Metadata = Record<string, string> & {
  readonly authorization_servers?: readonly string[];
};

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
}

const ACCEPTS_JSON = {
  headers: { accept: 'application/json', 'mcp-protocol-version': '2025-11-25' },
};

async function json<Body>(response: Response): Promise<Body> {
  expect([200, 201]).toContain(response.status);
  expect(response.headers.get('content-type')).toContain('application/json');
  return (await response.json()) as Body;
}

interface Identified {
  readonly id: string;
  /** What it sends to the token endpoint to say who it is. */
  readonly fields: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The client gets an id, or has one. */
async function identify(client: KnownClient, endpoint: string): Promise<Identified> {
  const { registration } = client;
  if (!registration) {
    const own = client.id ?? `${documents}/${CLIENTS.indexOf(client)}/client.json`;
    return { id: own, fields: { client_id: own }, headers: {} };
  }
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(registration),
  });
  expect(response.status).toBe(201);
  const registered = await json<Record<string, string>>(response);
  const { client_id: given = '', client_secret: secret } = registered;
  const method = registered['token_endpoint_auth_method'];
  const wanted = registration as Record<string, unknown>;
  expect(registered['redirect_uris']).toEqual(wanted['redirect_uris']);
  expect(method).toBe(wanted['token_endpoint_auth_method'] ?? 'client_secret_basic');
  expect(secret === undefined).toBe(method === 'none');
  if (method === 'client_secret_basic') {
    const basic = Buffer.from(`${given}:${secret}`).toString('base64');
    return { id: given, fields: {}, headers: { authorization: `Basic ${basic}` } };
  }
  const shown: Record<string, string> = secret === undefined ? {} : { client_secret: secret };
  return { id: given, fields: { client_id: given, ...shown }, headers: {} };
}

function initialize(url: string, token?: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'known-client', version: '1' },
      },
    }),
  });
}

/** Starts a host that publishes the metadata documents of clients, each under its number. */
async function startDocuments(later: Finally): Promise<string> {
  const host = createWebServer(({ url = '' }, response) => {
    const { document } = CLIENTS[Number(url.split('/')[1])]!;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ client_id: documents + url, ...document }));
  });
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  later(() => {
    host.closeAllConnections();
    host.close();
  });
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
}

async function start(allowPrivate: readonly string[], later: Finally): Promise<GatewayProcess> {
  const port = await freePort();
  return startGateway(
    {
      servers: { kid: plain() },
      settings: {
        auth: {
          keys: [{ name: 'ann', hash: ANN.hash, roles: [] }],
          signIn: {
            origin: `http://127.0.0.1:${port}`,
            registration: true,
            clients: [{ id: CLAUDE_DOCUMENT, name: 'Claude', redirectUris: [CLAUDE_BACK] }],
          },
        },
        sets: { adding: { tools: ['kid:add'] } },
        network: { allowPrivate },
      },
      listener: 'http',
      flags: ['--http', String(port), '--verbose'],
      env: new Home(later).env(),
    },
    later,
  );
}
