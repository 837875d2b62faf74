/**
 * Clients that are known by the address of their metadata document. The address comes from anyone, so it is fetched
 * through the guard, without redirects, and only a little is read.
 */

import { HttpClient, readText } from '@callsign/outbound';
import * as z from 'zod';

import { redirectProblem } from '../callers/redirect-uri.js';
import type { NetworkSettings } from '../network/network-settings.js';
import { ClientProblem, type SignInClient } from './sign-in-client.js';

const MAX_BYTES = 5 * 1024;
const TIMEOUT_MS = 5_000;
/** How long a document is not fetched again. */
const FRESH_MS = 10 * 60_000;
/** How long an old document still counts if it cannot be fetched. */
const STALE_MS = 7 * 24 * 60 * 60_000;
/** How long an address is left alone after a failure, since anyone can name it. */
const PAUSE_MS = 10_000;
const MOST_DOCUMENTS = 200;
const MOST_AT_ONCE = 8;
const LONGEST_ID = 512;

const DOCUMENT = z.lazy(() =>
  z.object({
    client_id: z.string(),
    client_name: z.exactOptional(z.string()),
    redirect_uris: z.array(z.string()).min(1).max(50),
    grant_types: z.exactOptional(z.array(z.string())),
    response_types: z.exactOptional(z.array(z.string())),
    token_endpoint_auth_method: z.exactOptional(z.string()),
    token_endpoint_auth_methods_supported: z.exactOptional(z.array(z.string())),
  }),
);

interface Known {
  readonly client?: SignInClient;
  readonly problem?: ClientProblem;
  readonly fetchedAt: number;
  /** When it was last tried to fetch it again. */
  readonly triedAt: number;
}

/** Whether a client id is the address of a document. */
export function isDocumentAddress(id: string): boolean {
  return /^https?:\/\//i.test(id);
}

export class ClientDocuments {
  readonly #client: HttpClient;
  readonly #allowed: ReadonlySet<string>;
  readonly #known = new Map<string, Known>();
  readonly #fetching = new Map<string, Promise<SignInClient>>();

  constructor({ allowPrivate }: NetworkSettings) {
    this.#client = new HttpClient({ guard: { trustedOrigins: allowPrivate } });
    this.#allowed = new Set(allowPrivate);
  }

  /** Rejects with a `ClientProblem` if there is no such client. */
  async find(id: string, now: number): Promise<SignInClient> {
    const url = this.#checked(id);
    const known = this.#known.get(id);
    if (known?.client && known.fetchedAt + FRESH_MS > now) return known.client;
    if (known && known.triedAt + PAUSE_MS > now) return answered(known, now);
    const running = this.#fetching.get(id);
    if (running) return await running;
    const isFull = this.#fetching.size >= MOST_AT_ONCE;
    // Anyone can keep all places busy with slow addresses. That must not end what is known already.
    if (isFull && known) return answered(known, now);
    if (isFull)
      throw new ClientProblem('Too many clients are being looked up. Try again in a moment.');
    const fetching = this.#fetchedAgain(url, id, known, now).finally(() => {
      this.#fetching.delete(id);
    });
    this.#fetching.set(id, fetching);
    return await fetching;
  }

  close(): void {
    this.#client.close();
  }

  async #fetchedAgain(
    url: URL,
    id: string,
    before: Known | undefined,
    now: number,
  ): Promise<SignInClient> {
    const next = await this.#fetch(url, id).then(
      (client): Known => ({ client, fetchedAt: now, triedAt: now }),
      (problem: ClientProblem): Known => ({
        ...(before?.client ? { client: before.client } : {}),
        problem,
        fetchedAt: before?.fetchedAt ?? 0,
        triedAt: now,
      }),
    );
    this.#known.delete(id);
    this.#known.set(id, next);
    if (this.#known.size > MOST_DOCUMENTS) {
      const addresses = [...this.#known.keys()];
      this.#known.delete(addresses.find((each) => !this.#known.get(each)!.client) ?? addresses[0]!);
    }
    return answered(next, now);
  }

  #checked(id: string): URL {
    if (id.length > LONGEST_ID) throw badAddress('it is too long');
    if (!URL.canParse(id)) throw badAddress('it is not an address');
    const url = new URL(id);
    if (url.protocol !== 'https:' && !this.#allowed.has(url.origin))
      throw badAddress('it is not https');
    if (url.username !== '' || url.password !== '') throw badAddress('it contains a password');
    if (id.includes('#')) throw badAddress('it has a fragment');
    // Another spelling of an address would be another client with the same host.
    if (url.href !== id || url.pathname === '/') throw badAddress('write it in full, with a path');
    return url;
  }

  async #fetch(url: URL, id: string): Promise<SignInClient> {
    let text: string;
    try {
      const { status, body } = await this.#client.request(url, {
        headers: { accept: 'application/json' },
        redirects: 'none',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (status !== 200) {
        body.destroy();
        throw new Error(`it answers with ${status}`);
      }
      text = await readText(body, MAX_BYTES);
    } catch (error) {
      // The reason may describe an internal network, and the page is shown to anyone.
      throw new ClientProblem(`The metadata document of ${url.host} cannot be fetched.`, {
        cause: error,
      });
    }
    return clientIn(text, id, url.host);
  }
}

function badAddress(why: string): ClientProblem {
  return new ClientProblem(`The client id is not the address of a metadata document: ${why}.`);
}

function answered({ client, problem, fetchedAt }: Known, now: number): SignInClient {
  if (client && fetchedAt + STALE_MS > now) return client;
  throw problem ?? new ClientProblem('The client is unknown.');
}

function clientIn(text: string, id: string, host: string): SignInClient {
  const bad = (why: string): ClientProblem =>
    new ClientProblem(`The metadata document of ${host} cannot be used: ${why}.`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw bad('it is not JSON');
  }
  const read = DOCUMENT.safeParse(json);
  if (!read.success) throw bad(`"${read.error.issues[0]!.path.join('.')}" is missing or wrong`);
  const document = read.data;
  if (document.client_id !== id) throw bad('it names another client id');
  // A client may list methods, grants and addresses for other servers. The rest is what we have in common.
  const { token_endpoint_auth_method: method = 'none' } = document;
  const methods = [method, ...(document.token_endpoint_auth_methods_supported ?? [])];
  if (!methods.includes('none'))
    throw bad(`the authentication method "${method}" is not supported`);
  const { grant_types: grants = ['authorization_code'] } = document;
  if (!grants.includes('authorization_code')) throw bad('it does not list authorization_code');
  const redirectUris = document.redirect_uris.filter((uri) => redirectProblem(uri) === undefined);
  if (redirectUris.length === 0) throw bad('none of its redirect_uris is possible');
  return {
    id,
    name: document.client_name ?? host,
    host,
    redirectUris,
    refreshes: grants.includes('refresh_token'),
  };
}
