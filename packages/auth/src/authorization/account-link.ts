/** The address where a person links their account at a server. It opens nothing: the person must sign in. */

import { createHmac } from 'node:crypto';

/** Says for which person a link was made, without a name. Others cannot make it. */
export function personMark(pageKey: Uint8Array, person: string): string {
  return createHmac('sha256', pageKey).update(`link\0${person}`).digest('base64url').slice(0, 22);
}

export interface AccountLink {
  readonly origin: string;
  readonly pageKey: Uint8Array;
  readonly server: string;
  readonly person: string;
}

export function accountLink({ origin, pageKey, server, person }: AccountLink): string {
  const url = new URL(`${origin}/accounts/link`);
  url.searchParams.set('server', server);
  url.searchParams.set('for', personMark(pageKey, person));
  return url.href;
}
