/** People's sign-ins and accounts as operators see them, without anything that is secret. Times are ISO 8601. */

import type { Account, ApiKeySettings, CallerSignInState } from '@callsign/auth';

/** A client that may act for a person. */
export interface ShownSignIn {
  readonly id: string;
  /** As records show it. */
  readonly person: string;
  /** What people call the person. */
  readonly name?: string;
  readonly client: string;
  readonly clientId: string;
  readonly roles: readonly string[];
  readonly since: string;
  readonly lastTokens: string;
  readonly ends: string;
}

export interface SignInContext {
  /** The address of the gateway. Other gateways of this user keep theirs in the same store. */
  readonly resource: string;
  /** The keys that count now: a person who signed in with one has its roles. */
  readonly keys: readonly ApiKeySettings[];
}

/** The oldest first. */
export function shownSignIns(
  { signIns }: CallerSignInState,
  { resource, keys }: SignInContext,
): ShownSignIn[] {
  return signIns
    .filter((each) => each.resource === resource && each.endsAt > Date.now())
    .map(({ id, person, client, createdAt, renewedAt, endsAt }) => {
      const { name, label, keyHash, roles } = person;
      const key = keys.find(({ hash }) => hash === keyHash);
      return {
        id,
        person: name,
        ...(label === undefined ? {} : { name: label }),
        client: client.host,
        clientId: client.id,
        roles: keyHash === undefined ? roles : (key?.roles ?? []),
        since: timeOf(createdAt),
        lastTokens: timeOf(renewedAt),
        ends: timeOf(endsAt),
      };
    });
}

/** A person's account at a server. */
export interface ShownAccount {
  /** As records show it. */
  readonly person: string;
  /** What people call the person. */
  readonly name?: string;
  readonly server: string;
  readonly since: string;
}

/** By person, then by server. */
export function shownAccounts(accounts: readonly Account[]): ShownAccount[] {
  return accounts
    .map(({ person, label, server, createdAt }) => {
      const name = label === undefined ? {} : { name: label };
      return { person, ...name, server, since: timeOf(createdAt) };
    })
    .toSorted((a, b) => compared(a.person, b.person) || compared(a.server, b.server));
}

function compared(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function timeOf(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
