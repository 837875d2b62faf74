/**
 * The metadata that an OAuth client needs to get a token for this gateway (RFC 9728), and its
 * address.
 */

import type { HttpListenerOptions } from '@callsign/wire';

import type { AuthSettings } from './auth-settings.js';

type Page = NonNullable<ReturnType<NonNullable<HttpListenerOptions['pageAt']>>>;

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Our address for clients, and who gives tokens for it. */
export interface ProtectedResource {
  readonly resource: string;
  readonly issuers: readonly string[];
  readonly scopes: readonly string[];
}

/** The scope of the tokens that we issue ourselves. Roles decide what a caller may do. */
export const OWN_SCOPE = 'mcp';

/** `undefined`: no tokens are accepted. Clients take the first issuer. */
export function protectedResource({
  tokens,
  signIn,
}: {
  readonly tokens?: AuthSettings['tokens'] | undefined;
  readonly signIn?: AuthSettings['signIn'] | undefined;
}): ProtectedResource | undefined {
  if (!signIn) return tokens && { ...tokens, issuers: [tokens.issuer] };
  return {
    resource: `${signIn.origin}/mcp`,
    issuers: [signIn.origin, ...(tokens ? [tokens.issuer] : [])],
    scopes: [OWN_SCOPE],
  };
}

/** The address of a resource's metadata. */
export function metadataUrl({ resource }: Pick<ProtectedResource, 'resource'>): string {
  const { origin, pathname } = new URL(resource);
  return origin + WELL_KNOWN + (pathname === '/' ? '' : pathname);
}

/** Pages for the listener. They are public, since clients need them before they have a token. */
export function metadataPages(settings: ProtectedResource): ReadonlyMap<string, Page> {
  const { issuers, resource, scopes } = settings;
  const text = JSON.stringify({
    resource,
    resource_name: 'Callsign',
    authorization_servers: issuers,
    bearer_methods_supported: ['header'],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
  });
  const page = { type: 'application/json', isPublic: true, text: () => text };
  // The first is the default address. The last is the path that a proxy may pass on.
  const paths = [WELL_KNOWN, `${WELL_KNOWN}/mcp`, new URL(metadataUrl(settings)).pathname];
  return new Map(paths.map((path) => [path, page]));
}
