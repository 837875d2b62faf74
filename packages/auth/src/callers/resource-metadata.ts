/**
 * The metadata that an OAuth client needs to get a token for this gateway (RFC 9728), and its
 * address.
 */

import type { HttpListenerOptions } from '@callsign/wire';

import type { TokenSettings } from './auth-settings.js';

type Page = NonNullable<ReturnType<NonNullable<HttpListenerOptions['pageAt']>>>;

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The address of a resource's metadata. */
export function metadataUrl({ resource }: TokenSettings): string {
  const { origin, pathname } = new URL(resource);
  return origin + WELL_KNOWN + (pathname === '/' ? '' : pathname);
}

/** Pages for the listener. They are public, since clients need them before they have a token. */
export function metadataPages(settings: TokenSettings): ReadonlyMap<string, Page> {
  const { issuer, resource, scopes } = settings;
  const text = JSON.stringify({
    resource,
    resource_name: 'Callsign',
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
  });
  const page = { type: 'application/json', isPublic: true, text: () => text };
  // The first is the default address. The last is the path that a proxy may pass on.
  const paths = [WELL_KNOWN, `${WELL_KNOWN}/mcp`, new URL(metadataUrl(settings)).pathname];
  return new Map(paths.map((path) => [path, page]));
}
