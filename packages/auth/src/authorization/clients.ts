/** Finds clients by id, and registers those that ask for it. */

import * as z from 'zod';

import { hashOf } from '../callers/api-key.js';
import { redirectProblem } from '../callers/redirect-uri.js';
import type { SignInSettings } from '../callers/sign-in-settings.js';
import type { NetworkSettings } from '../network/network-settings.js';
import { addClient, random, type RegisteredClient } from './caller-sign-in-state.js';
import type { CallerSignInStore } from './caller-sign-in-store.js';
import { ClientDocuments, isDocumentAddress } from './client-document.js';
import { ClientProblem, type SignInClient } from './sign-in-client.js';

export const CLIENT_METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;

const REGISTRATION = z.lazy(() =>
  z.object({
    redirect_uris: z.array(z.string()).min(1).max(20),
    client_name: z.exactOptional(z.string().max(200)),
    grant_types: z.exactOptional(z.array(z.string())),
    token_endpoint_auth_method: z.exactOptional(z.string()),
  }),
);

/** New clients in one minute, since anyone may register any number. */
const MOST_A_MINUTE = 30;
const MINUTE_MS = 60_000;

/** The error of a registration, in the words of RFC 7591. */
export interface NotRegistered {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata' | 'temporarily_unavailable';
  readonly why: string;
}

export class Clients {
  readonly #settings: SignInSettings;
  readonly #store: CallerSignInStore;
  readonly #documents: ClientDocuments;
  #registrations: number[] = [];

  constructor(settings: SignInSettings, store: CallerSignInStore, network: NetworkSettings) {
    this.#settings = settings;
    this.#store = store;
    this.#documents = new ClientDocuments(network);
  }

  /** Rejects with a `ClientProblem` if there is no such client. */
  async find(id: string): Promise<SignInClient> {
    const { clients, clientDocuments, registration } = this.#settings;
    const configured = clients.find((each) => each.id === id);
    if (configured) return { ...configured, refreshes: true };
    if (clientDocuments && isDocumentAddress(id)) return await this.#documents.find(id, Date.now());
    const registered = registration
      ? this.#store.get().clients.find((each) => each.id === id)
      : undefined;
    if (registered) return registered;
    throw new ClientProblem(
      'This client is not known here. Remove the connection in the client and add it again, or ask the operator of this gateway.',
    );
  }

  /**
   * The client that shows a code or a token. A client with a document has no secret and is known by what it shows: people
   * stay signed in when the host of the document is down.
   */
  async findForTokens(id: string): Promise<Pick<SignInClient, 'id' | 'secretHash'>> {
    const { clients, clientDocuments } = this.#settings;
    const isOfDocument = clientDocuments && isDocumentAddress(id);
    return isOfDocument && !clients.some((each) => each.id === id) ? { id } : await this.find(id);
  }

  /** The answer to a client that registers itself, or why it cannot. */
  async register(body: unknown): Promise<Record<string, unknown> | NotRegistered> {
    const read = REGISTRATION.safeParse(body);
    if (!read.success) {
      const place = read.error.issues[0]!.path.join('.');
      return { error: 'invalid_client_metadata', why: `"${place}" is missing or wrong` };
    }
    const {
      redirect_uris: redirectUris,
      client_name: name = '',
      grant_types: wanted = ['authorization_code'],
      token_endpoint_auth_method: method = 'client_secret_basic',
    } = read.data;
    for (const uri of redirectUris) {
      const problem = redirectProblem(uri);
      if (problem !== undefined) return { error: 'invalid_redirect_uri', why: problem };
    }
    const grants = ['authorization_code', 'refresh_token'].filter((each) => wanted.includes(each));
    if (!grants.includes('authorization_code'))
      return { error: 'invalid_client_metadata', why: 'only authorization_code is possible' };
    if (!CLIENT_METHODS.some((each) => each === method))
      return { error: 'invalid_client_metadata', why: `${method} is not supported` };
    const now = Date.now();
    this.#registrations = this.#registrations.filter((at) => at + MINUTE_MS > now);
    if (this.#registrations.length >= MOST_A_MINUTE)
      return { error: 'temporarily_unavailable', why: 'too many clients register now' };
    this.#registrations.push(now);
    const secret = method === 'none' ? undefined : `callsign_client_${random()}`;
    const client: RegisteredClient = {
      id: `client_${random().slice(0, 22)}`,
      name,
      redirectUris,
      refreshes: grants.includes('refresh_token'),
      ...(secret === undefined ? {} : { secretHash: hashOf(secret) }),
      createdAt: now,
    };
    await this.#store.change((state) => addClient(state, client));
    return {
      client_id: client.id,
      client_id_issued_at: Math.floor(now / 1000),
      ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: grants,
      response_types: ['code'],
      token_endpoint_auth_method: method,
    };
  }

  close(): void {
    this.#documents.close();
  }
}
