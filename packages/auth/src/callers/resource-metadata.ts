/** What an OAuth client must know to get a token for this gateway (RFC 9728), and where it stands. */

import type { HttpListenerOptions } from '@callsign/wire';

import type { TokenSettings } from './auth-settings.js';

type Page = NonNullable<ReturnType<NonNullable<HttpListenerOptions['pageAt']>>>;

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Where the metadata of a resource is, by its own address. */
export function metadataUrl({ resource }: TokenSettings): string {
  const { origin, pathname } = new URL(resource);
  return origin + WELL_KNOWN + (pathname === '/' ? '' : pathname);
}

/** The pages of the listener that hold it, open to everybody. */
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
  // The first is where clients look that were not told; the last may be as a proxy passes it on.
  const paths = [WELL_KNOWN, `${WELL_KNOWN}/mcp`, new URL(metadataUrl(settings)).pathname];
  return new Map(paths.map((path) => [path, page]));
}
