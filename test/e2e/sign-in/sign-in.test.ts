/** People sign in with the official SDK's clients, old and new, at a real gateway. */

import { createApiKey } from '@callsign/auth';
import { expect, it } from 'vitest';

import { freePort } from '../../../scripts/free-port.mjs';
import { Browser } from '../../../packages/auth/src/authorization/testing/browser.js';
import { v1, v2 } from '../clients/sdk.js';
import { Home } from '../cli/callsign.js';
import { type GatewayProcess, plain, startGateway } from '../gateway-process.js';
import { KNOWN_BACK, KNOWN_CLIENT } from './known-client.js';

const ANN = createApiKey();

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
}

/** What the SDKs keep of a sign-in. The person acts when it opens the browser. */
class Keeper {
  readonly redirectUrl = KNOWN_BACK;
  readonly clientMetadata;
  kept: Tokens | undefined;
  code: URLSearchParams | undefined;
  #client: { client_id: string } | undefined;
  #verifier = '';

  constructor(client?: { client_id: string }) {
    this.#client = client;
    this.clientMetadata = {
      client_name: 'SDK',
      redirect_uris: [KNOWN_BACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state = (): string => 'sdk-state';
  clientInformation = () => this.#client;
  saveClientInformation = (client: { client_id: string }) => void (this.#client = client);
  tokens = () => this.kept && { ...this.kept, token_type: 'Bearer' };
  saveTokens = (tokens: Tokens) => void (this.kept = tokens);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;

  async redirectToAuthorization(url: URL): Promise<void> {
    const browser = new Browser();
    const page = await browser.submit(await browser.open(url), url, { key: ANN.key });
    expect(page.text).toContain('that only read');
    const { location } = await browser.submit(page, url, { answer: 'allow' });
    expect(location!.href.startsWith(KNOWN_BACK)).toBe(true);
    this.code = location!.searchParams;
  }
}

async function start(home: Home): Promise<GatewayProcess> {
  const port = await freePort();
  return await startGateway({
    servers: { kid: plain() },
    settings: {
      audit: { mode: 'best-effort' },
      auth: {
        keys: [{ name: 'ann', hash: ANN.hash, roles: ['reader'] }],
        signIn: {
          origin: `http://127.0.0.1:${port}`,
          registration: true,
          clients: [KNOWN_CLIENT],
        },
      },
      roles: { reader: { allow: ['kid:add', 'kid:echo'] } },
    },
    listener: 'http',
    flags: ['--http', String(port)],
    env: home.env(),
  });
}

it('leads both SDKs from nothing to calls that are recorded under the name of the person', async () => {
  const home = new Home();
  const gateway = await start(home);
  const info = { name: 'sdk-client', version: '1' };
  const keepers = [new Keeper(), new Keeper({ client_id: 'known' })] as const;

  const old = new v1.StreamableHTTPClientTransport(new URL(gateway.url), {
    authProvider: keepers[0],
  });
  const first = new v1.Client(info);
  await expect(first.connect(old as never)).rejects.toThrow(/Unauthorized/);
  await old.finishAuth(keepers[0].code!.get('code')!);
  const second = new v1.Client(info);
  await second.connect(
    new v1.StreamableHTTPClientTransport(new URL(gateway.url), {
      authProvider: keepers[0],
    }) as never,
  );
  const { tools } = await second.listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual(['kid:add', 'kid:echo']);
  const added = await second.callTool({ name: 'kid:add', arguments: { a: 1, b: 2 } });
  expect(added.structuredContent).toEqual({ sum: 3 });

  const transport = (): InstanceType<typeof v2.StreamableHTTPClientTransport> =>
    new v2.StreamableHTTPClientTransport(new URL(gateway.url), { authProvider: keepers[1] });
  const opening = transport();
  await expect(new v2.Client(info).connect(opening)).rejects.toThrow();
  await opening.finishAuth(keepers[1].code!);
  const modern = new v2.Client(info);
  await modern.connect(transport());
  const echoed = await modern.callTool({ name: 'kid:echo', arguments: { a: 1 } });
  expect(echoed.structuredContent).toEqual({ a: 1 });

  const config = ['--config', gateway.config, '--json'];
  // A record is written soon after its call, not before the answer.
  await expect
    .poll(async () => (await home.run(['audit', 'list', ...config])).stdout)
    .toMatch(/"kid:add".*"key:ann".*"kid:echo".*"key:ann"/);

  const listed = JSON.parse((await home.run(['sign-ins', 'list', ...config])).stdout) as {
    signIns: { id: string; person: string; clientId: string; roles: string[] }[];
  };
  expect(listed.signIns).toMatchObject([
    { person: 'key:ann', roles: ['reader'] },
    { person: 'key:ann', clientId: 'known' },
  ]);
  // The new client gets new tokens with its refresh token, without a person.
  const before = keepers[1].kept!;
  keepers[1].kept = { ...before, access_token: 'callsign_access_expired' };
  keepers[1].code = undefined;
  const again = new v2.Client(info);
  await again.connect(transport());
  await again.listTools();
  expect(keepers[1].code).toBeUndefined();
  expect(keepers[1].kept!.refresh_token).not.toBe(before.refresh_token);

  const shown = (token: string): Promise<number> =>
    fetch(gateway.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    }).then(({ status }) => status);
  const tokens = keepers.map(({ kept }) => kept!.access_token) as [string, string];
  expect(await shown(tokens[0])).not.toBe(401);
  const revoked = await home.run(['sign-ins', 'revoke', listed.signIns[0]!.id, ...config]);
  expect(JSON.parse(revoked.stdout)).toMatchObject({ revoked: [listed.signIns[0]!.id] });
  expect(await shown(tokens[0])).toBe(401);
  expect(await shown(tokens[1])).not.toBe(401);
  const all = await home.run(['sign-ins', 'revoke', '--person', 'key:ann', ...config]);
  expect(all.code).toBe(0);
  expect(await shown(tokens[1])).toBe(401);

  for (const secret of [...tokens, before.refresh_token!, ANN.key])
    expect(gateway.stderr).not.toContain(secret);
  const admin = await fetch(new URL('/admin/v1/status', gateway.url), {
    headers: { authorization: `Bearer ${tokens[1]}` },
  });
  expect(admin.status).toBe(401);
  await Promise.all([second.close(), modern.close(), again.close()]);
});

it('checks the words of its commands', async () => {
  const home = new Home();
  home.configure({ kid: plain() });
  const none = await home.run(['sign-ins', 'list']);
  expect(none.code).toBe(1);
  expect(none.stderr).toContain('does not let people sign in');
  home.configure(
    { kid: plain() },
    { auth: { keys: [], signIn: { origin: 'https://gateway.example.com' } } },
  );
  expect((await home.run(['sign-ins', 'list'])).stderr).toContain('No one is signed in');
  for (const [words, message] of [
    [['sign-ins', 'revoke'], 'Name ids, or --person NAME, or --all'],
    [['sign-ins', 'revoke', 'x', '--all'], 'Name ids, or --person NAME, or --all'],
    [['sign-ins', 'revoke', 'x'], 'There is no sign-in "x"'],
    [['sign-ins', 'revoke', '--person', 'key:bob'], '"key:bob" is not signed in'],
  ] as const) {
    const ended = await home.run(words);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(message);
  }
  expect((await home.run(['sign-ins', 'revoke', '--all'])).code).toBe(0);
});
