/**
 * What a sign-in page carries from one request to the next. It is encrypted, so the gateway stores nothing before a
 * person has said yes, and no one can change it.
 */

import type { Consent, Person } from './caller-sign-in-state.js';

/** A client's request, after it was checked. `name` is what the client calls itself. */
export interface AuthorizationRequest extends Omit<Consent, 'person'> {
  /** The client's `state`. */
  readonly state?: string;
  /** Whether the client proved that it belongs to its host. */
  readonly isKnownHost: boolean;
}

/** What the pages and the cookie of a sign-in hold. */
export interface Carried {
  /** What a client asks for. Missing if the person came for their own accounts. */
  readonly request?: AuthorizationRequest;
  /** Which account the person came for. */
  readonly link?: LinkRequest;
  /** The hash of the browser's cookie: the page works in no other browser. */
  readonly browser: string;
  /** Missing until the person has signed in. */
  readonly person?: Person;
  /** What an operator decides about the person. */
  readonly waiting?: WaitingPerson;
  /** What the OpenID provider must answer to. */
  readonly provider?: {
    readonly state: string;
    readonly nonce: string;
    readonly verifier: string;
  };
  /** What the authorization server of a server must answer to. */
  readonly attempt?: LinkAttempt;
}

/** A person who waits for an operator. */
export interface WaitingPerson {
  /** What the person calls themselves. */
  readonly name: string;
  /** The person reads it to the operator. */
  readonly code: string;
  /** The operator's answer is stored under it. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Which account a person wants to link. Without a server: the page that lists them. */
export interface LinkRequest {
  readonly server?: string;
  /** The mark of the person that the link was made for. */
  readonly mark?: string;
}

/** A sign-in at the authorization server of a server. */
interface LinkAttempt {
  readonly server: string;
  /** Of the server, as it was in the configuration. */
  readonly url: string;
  readonly state: string;
  readonly authorizationServer: string;
  readonly client: { readonly client_id: string; readonly client_secret?: string | undefined };
  readonly resource?: string | undefined;
  readonly codeVerifier: string;
}

/** Which step a seal belongs to. A seal of one step opens nothing in another. */
export type Step = 'sign-in' | 'wait' | 'provider' | 'consent' | 'person' | 'accounts' | 'link';

/** How long a page may be open. */
const PAGE = '15m';

export class PageSeal {
  readonly #key: Uint8Array;
  readonly #origin: string;

  /** `origin`: gateways that share a database share the key, and a page of one opens nothing at another. */
  constructor(key: Uint8Array, origin: string) {
    [this.#key, this.#origin] = [key, origin];
  }

  async seal(step: Step, carried: Carried): Promise<string> {
    const { EncryptJWT } = await import('jose');
    return await new EncryptJWT({ carried })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setIssuer(this.#origin)
      .setAudience(step)
      .setExpirationTime(PAGE)
      .encrypt(this.#key);
  }

  /** `undefined`: it is too old, of another step or gateway, or not ours. */
  async open(step: Step, sealed: string): Promise<Carried | undefined> {
    const { jwtDecrypt } = await import('jose');
    try {
      const { payload } = await jwtDecrypt(sealed, this.#key, {
        issuer: this.#origin,
        audience: step,
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return payload['carried'] as Carried;
    } catch {
      return undefined;
    }
  }
}
