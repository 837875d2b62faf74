/** The tokens of one person at one server, exchanged for the token that the person showed to the gateway (RFC 8693). */

import type { HttpOptions } from '@callsign/wire';

import type { OutboundFetch } from '../network/outbound-fetch.js';
import { reasonOf } from '../sign-in/sign-in-error.js';
import type { ExchangeSettings } from './exchange-settings.js';

type HttpCredentials = NonNullable<HttpOptions['credentials']>;
type Headers = Awaited<ReturnType<HttpCredentials['headers']>>;

export interface ExchangedCredentialsOptions {
  readonly settings: ExchangeSettings;
  /** The server. */
  readonly server: { readonly key: string; readonly url: string };
  readonly fetch: OutboundFetch;
  /** The token of the person; `undefined` if there is none that counts. */
  readonly subject: () => string | undefined;
  /** The authorization server gives nothing for this token. */
  readonly onRefused: (subject: string) => void;
  /** Receives warnings for the operator, without secrets. */
  readonly onProblem: (message: string) => void;
  readonly advice: string;
}

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const ISSUED: readonly unknown[] = [
  undefined,
  ACCESS_TOKEN,
  'urn:ietf:params:oauth:token-type:jwt',
];
/** Errors that are about the token of the person, not about us. */
const REFUSALS: readonly unknown[] = [
  'access_denied',
  'invalid_grant',
  'invalid_request',
  'invalid_target',
];
const TIMEOUT_MS = 10_000;
/** How long the authorization server is not asked after a failure. */
const PAUSE_MS = 10_000;
/** If the authorization server does not say how long a token works. */
const SHORT_S = 300;
const RENEW_BEFORE_MS = 60_000;
const NONE: Headers = {};

/** The authorization server has answered with something that must not be sent to a server. */
class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/** Never rejects: without a token the server's refusal leads to the advice. */
export class ExchangedCredentials implements HttpCredentials {
  readonly advice: string;
  readonly #options: ExchangedCredentialsOptions;
  #headers: Headers = NONE;
  #renewAt = -Infinity;
  #pausedUntil = -Infinity;
  #exchanging: Promise<boolean> | undefined;

  constructor(options: ExchangedCredentialsOptions) {
    this.#options = options;
    this.advice = options.advice;
  }

  /** Returns at once while the token is valid for some time. */
  headers(): Headers | Promise<Headers> {
    if (Date.now() < this.#renewAt) return this.#headers;
    return this.#once().then(() => this.#headers);
  }

  async renew({ authorization }: Headers): Promise<boolean> {
    // The token may have been exchanged in the meantime.
    if (this.#headers !== NONE && this.#headers['authorization'] !== authorization) return true;
    return await this.#once();
  }

  /** One exchange at a time. Requests that come in between share its result. */
  #once(): Promise<boolean> {
    this.#exchanging ??= this.#exchange().finally(() => {
      this.#exchanging = undefined;
    });
    return this.#exchanging;
  }

  async #exchange(): Promise<boolean> {
    if (Date.now() < this.#pausedUntil) return false;
    this.#headers = NONE;
    this.#renewAt = -Infinity;
    const subject = this.#options.subject();
    if (subject === undefined) return false;
    try {
      const { token, lastsMs } = await this.#issued(subject);
      this.#headers = { authorization: `Bearer ${token}` };
      this.#renewAt = Date.now() + lastsMs - Math.min(RENEW_BEFORE_MS, lastsMs / 5);
      return true;
    } catch (error) {
      const { error: code } = error as { readonly error?: unknown };
      const reason = error instanceof UnusableAnswer ? error.message : reasonOf(error);
      this.#complain(typeof code === 'string' ? `the answer is ${quotedCode(code)}` : reason);
      if (REFUSALS.includes(code)) this.#options.onRefused(subject);
      else this.#pausedUntil = Date.now() + PAUSE_MS;
      return false;
    }
  }

  async #issued(subject: string): Promise<{ readonly token: string; readonly lastsMs: number }> {
    const library = await import('oauth4webapi');
    const { settings, server, fetch } = this.#options;
    const { tokenUrl, clientId, clientSecret, audience, scope } = settings;
    const resource = settings.resource ?? (audience === undefined ? server.url : undefined);
    const at = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl };
    const client = { client_id: clientId };
    const response = await library.genericTokenEndpointRequest(
      at,
      client,
      clientSecret === undefined ? library.None() : library.ClientSecretBasic(clientSecret),
      GRANT,
      {
        subject_token: subject,
        subject_token_type: ACCESS_TOKEN,
        requested_token_type: ACCESS_TOKEN,
        ...(audience === undefined ? {} : { audience }),
        ...(resource === undefined ? {} : { resource }),
        ...(scope === undefined ? {} : { scope }),
      },
      {
        [library.customFetch]: fetch,
        // The settings allow http for this machine only.
        [library.allowInsecureRequests]: tokenUrl.startsWith('http:'),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
    );
    const answer = await library.processGenericTokenEndpointResponse(at, client, response);
    const { access_token: token, expires_in: lastsS = SHORT_S } = answer;
    // What the caller showed to us must not reach a server.
    if (token === subject) throw new UnusableAnswer('the answer is the token of the caller itself');
    if (!ISSUED.includes(answer['issued_token_type']))
      throw new UnusableAnswer('the answer is no access token');
    if (!/^[\x21-\x7e]+$/.test(token))
      throw new UnusableAnswer('the answer is a token that cannot be sent');
    return { token, lastsMs: lastsS * 1_000 };
  }

  #complain(reason: string): void {
    const { server, onProblem } = this.#options;
    onProblem(`[${server.key}] a token could not be exchanged: ${reason}`);
  }
}

/** An error code of OAuth has few letters. Anything else is not repeated. */
function quotedCode(code: string): string {
  return /^[a-z_]{1,40}$/.test(code) ? `"${code}"` : 'an unknown error';
}
