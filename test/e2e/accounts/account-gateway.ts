/** A gateway at which Ann and Bob have keys and accounts, with an HTTP listener. It ends with the test. */

import { createApiKey } from '@callsign/auth';
import { createLog } from '@callsign/core';
import { HttpListener, PendingCalls } from '@callsign/wire';
import { onTestFinished } from 'vitest';

import { freePort } from '../../../scripts/free-port.mjs';
import { Browser, type Seen } from '../../../packages/auth/src/authorization/testing/browser.js';
import { Gateway } from '../../../packages/gateway/src/gateway/gateway.js';
import { configured } from '../../../packages/gateway/src/testing/served.js';
import { connectSdk, type SdkClient } from '../clients/connect-sdk.js';
import { temporaryFolder } from '../gateway-process.js';
import { KNOWN_CLIENT } from '../sign-in/known-client.js';
import type { AccountServer } from './account-server.js';

export const ANN = createApiKey();
export const BOB = createApiKey();
const KEYS = [
  { name: 'ann', hash: ANN.hash, roles: ['user'] },
  { name: 'bob', hash: BOB.hash, roles: ['user'] },
];

export interface Setup {
  /** Servers besides `notes`. */
  readonly servers?: object;
  /** Settings of `notes`. */
  readonly notes?: object;
  readonly settings?: object;
  /** Settings of `auth.signIn`, besides the origin. */
  readonly signIn?: object;
  /** Whether tokens of the server's provider count. */
  readonly tokens?: boolean;
}

export class AccountGateway {
  readonly gateway: Gateway;
  readonly origin: string;
  readonly server: AccountServer;
  readonly logged: string[];
  readonly folder: string;

  private constructor(parts: Omit<AccountGateway, keyof Methods>) {
    this.gateway = parts.gateway;
    this.origin = parts.origin;
    this.server = parts.server;
    this.logged = parts.logged;
    this.folder = parts.folder;
  }

  static async start(server: AccountServer, setup: Setup = {}): Promise<AccountGateway> {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const folder = temporaryFolder();
    const logged: string[] = [];
    const { servers = {}, notes = {}, settings = {}, signIn = {} } = setup;
    const tokens = setup.tokens
      ? { tokens: { issuer: server.issuer, resource: `${origin}/mcp` } }
      : {};
    const config = configured(
      { notes: { url: server.url }, ...servers },
      {
        audit: { mode: 'best-effort' },
        auth: { keys: KEYS, signIn: { origin, clients: [KNOWN_CLIENT], ...signIn }, ...tokens },
        roles: { user: { allow: ['*'] } },
        servers: { notes: { displayName: 'Notes', accounts: { by: 'caller' }, ...notes } },
        ...settings,
      },
    );
    const gateway = new Gateway(config, {
      self: { name: 'callsign', version: '0' },
      log: createLog('debug', (level, message) => logged.push(`${level}: ${message}`)),
      env: { PATH: process.env['PATH']!, HOME: folder, XDG_STATE_HOME: `${folder}/state` },
    });
    gateway.start();
    const listener = new HttpListener({
      host: '127.0.0.1',
      port,
      served: gateway.served(),
      pending: new PendingCalls(),
      maxBodyBytes: 1_000_000,
      viewOf: (profile, principal) => gateway.viewOf(profile, principal),
      health: () => ({}),
      authenticate: gateway.auth.authenticate,
      siteAt: gateway.auth.siteAt,
    });
    await listener.listen();
    onTestFinished(async () => {
      await listener.close();
      await gateway.stop();
    });
    return new AccountGateway({ gateway, origin, server, logged, folder });
  }

  /** A client of the official SDK with a person's key. */
  connect(key: string, capabilities: object = {}): Promise<SdkClient> {
    return connectSdk(`${this.origin}/mcp`, key, capabilities);
  }

  /** Signs in to the pages with a key. Returns the page that the address leads to. */
  async open(browser: Browser, url: string | URL, key: string): Promise<Seen> {
    const asked = await browser.open(url);
    const sent = await browser.submit(asked, url, { key });
    return sent.location ? await browser.follow(sent.location) : sent;
  }

  /** The whole way of a person from a link to an account: `name` is the person's name at the server. */
  async link(browser: Browser, url: string | URL, key: string, name: string): Promise<Seen> {
    const page = await this.open(browser, url, key);
    const back = await this.server.signIn(browser, continueTo(page), name);
    return await browser.follow(back);
  }

  get linkAddress(): string {
    return `${this.origin}/accounts/link?server=notes`;
  }
}

type Methods = Pick<AccountGateway, 'connect' | 'link' | 'linkAddress' | 'open'>;

/** Where the button of a link page leads. */
export function continueTo({ text }: Seen): URL {
  const found = /<a class="button" href="([^"]*)">Continue to/.exec(text)?.[1];
  if (found === undefined) throw new Error(`There is nothing to continue to in ${text}`);
  return new URL(
    found.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );
}

export { Browser };
