/** Signs people in to this gateway. Its pages are loaded when someone opens the first one. */

import type { Principal } from '@callsign/core';

import type { SignedInPeople, SignedInPerson } from '../callers/authentication.js';
import type { AuthorizationServer, AuthorizationServerOptions } from './authorization-server.js';
import { ACCOUNT_PATHS, SIGN_IN_PATHS, type Site } from './sign-in-path.js';
import { SignedIn } from './signed-in.js';

/** Close it when the settings change: the sign-ins stay in the store. */
export class SignInSite implements SignedInPeople {
  readonly #options: AuthorizationServerOptions;
  readonly #people: SignedIn;
  #server: Promise<AuthorizationServer> | undefined;

  constructor(options: AuthorizationServerOptions) {
    this.#options = options;
    this.#people = new SignedIn(options.store, `${options.settings.origin}/mcp`);
  }

  /** The handler for a path; `undefined` if the path is not ours. */
  siteAt(path: string): Site | undefined {
    const own = SIGN_IN_PATHS.find((each) => each === path);
    if (own === undefined) return undefined;
    if (own === '/register' && !this.#options.settings.registration) return undefined;
    const isAccounts = ACCOUNT_PATHS.some((each) => each === own);
    if (isAccounts && this.#options.accounts?.isUsed() !== true) return undefined;
    return async (request, response) => {
      const { sites } = await (this.#server ??= this.#load());
      await sites[own](request, response);
    };
  }

  personWith(tokenHash: string): SignedInPerson | undefined {
    return this.#people.personWith(tokenHash);
  }

  refresh(): Promise<void> | undefined {
    return this.#people.refresh();
  }

  isSignedIn(principal: Principal): boolean {
    return this.#people.isSignedIn(principal);
  }

  close(): void {
    void this.#server?.then((server) => server.close());
  }

  async #load(): Promise<AuthorizationServer> {
    const { AuthorizationServer: Loaded } = await import('./authorization-server.js');
    return new Loaded(this.#options);
  }
}
