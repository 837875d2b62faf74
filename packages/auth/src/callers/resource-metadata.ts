/**
 * The metadata that an OAuth client needs to get a token for this gateway (RFC 9728), and its
 * address.
 */

import type { HttpListenerOptions } from '@callsign/wire';

import type { AuthSettings } from './auth-settings.js';

type Page = NonNullable<ReturnType<NonNullable<HttpListenerOptions['pageAt']>>>;

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Paths that clients connect to, besides `/mcp`. */
const OTHER_ENDPOINT = /^\/(?:sse|mcp\/(?:profile|set)\/[\w.~%-]+)$/;

/** Our address for clients, and who gives tokens for it. */
export interface ProtectedResource {
  readonly resource: string;
  readonly issuers: readonly string[];
  readonly scopes: readonly string[];
  /**
   * Our origin if we issue the tokens: then our metadata names the address that a client asks about, because many clients
   * accept no other. Otherwise `resource` is what the tokens are for, at every address.
   */
  readonly origin?: string;
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
    origin: signIn.origin,
    resource: `${signIn.origin}/mcp`,
    issuers: [signIn.origin, ...(tokens ? [tokens.issuer] : [])],
    scopes: [OWN_SCOPE],
  };
}

/** The resource at the address of a request, `resource` by default. */
export function resourceAt(settings: ProtectedResource, url = ''): ProtectedResource {
  const { origin } = settings;
  if (origin === undefined || !URL.canParse(url, origin)) return settings;
  const { pathname } = new URL(url, origin);
  return OTHER_ENDPOINT.test(pathname) ? { ...settings, resource: origin + pathname } : settings;
}

/** The address of a resource's metadata. */
export function metadataUrl({ resource }: Pick<ProtectedResource, 'resource'>): string {
  const { origin, pathname } = new URL(resource);
  return origin + WELL_KNOWN + (pathname === '/' ? '' : pathname);
}

/** A page for the listener. It is public, since clients need it before they have a token. */
export function metadataPage(settings: ProtectedResource, path: string): Page | undefined {
  if (!path.startsWith(WELL_KNOWN)) return undefined;
  const asked = resourceAt(settings, path.slice(WELL_KNOWN.length));
  // The first is the default address. The last is the path that a proxy may pass on.
  const usual = [WELL_KNOWN, `${WELL_KNOWN}/mcp`, new URL(metadataUrl(settings)).pathname];
  if (asked === settings && !usual.includes(path)) return undefined;
  const { issuers, resource, scopes } = asked;
  const text = JSON.stringify({
    resource,
    resource_name: 'Callsign',
    authorization_servers: issuers,
    bearer_methods_supported: ['header'],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
  });
  return { type: 'application/json', isPublic: true, text: () => text };
}
