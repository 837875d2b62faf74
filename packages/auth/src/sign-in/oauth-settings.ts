/**
 * The setting `oauth` of a server: our client at its authorization server, if it cannot be
 * discovered.
 */

import * as z from 'zod';

import { text } from '@callsign/config';

/**
 * The setting `oauth` of a server. Unset: everything is discovered, and we register a client
 * ourselves.
 */
export interface OAuthSettings {
  /** Set if a client was registered by hand. Unset: we register ourselves. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The authorization server where the client was registered. Its secret is sent nowhere else. */
  readonly issuer?: string;
  /** The address of a client metadata document, for servers that accept one. */
  readonly clientMetadataUrl?: string;
  /** The scopes to request. Unset: those that the server asks for. */
  readonly scope?: string;
}

/** The schema of `oauth`. A server without it can still be signed in to. */
export const OAUTH_SETTINGS: z.ZodType<OAuthSettings> = z.lazy(() =>
  z
    .strictObject({
      clientId: z.exactOptional(text('Client id, if one was registered by hand.', 'callsign')),
      clientSecret: z.exactOptional(text('Its secret, from a variable.', '${CLIENT_SECRET}')),
      issuer: z.exactOptional(
        text('The authorization server where it was registered.', 'https://login.example.com'),
      ),
      clientMetadataUrl: z.exactOptional(
        text('Address of a client metadata document.', 'https://example.com/callsign.json').refine(
          (value) => URL.canParse(value) && new URL(value).protocol === 'https:',
          {
            error: 'must be an https address',
            params: { advice: 'host the document where the authorization server can fetch it' },
          },
        ),
      ),
      scope: z.exactOptional(text('Scopes to ask for, with spaces in between.', 'read write')),
    })
    .refine(({ clientId, clientSecret }) => clientId !== undefined || clientSecret === undefined, {
      error: 'has a secret without a client id',
      params: { advice: 'add "clientId", or remove "clientSecret"' },
    })
    .refine(({ clientSecret, issuer }) => clientSecret === undefined || issuer !== undefined, {
      error: 'has a secret without an issuer',
      params: {
        advice:
          'add "issuer", the authorization server that issued the secret; it is sent nowhere else',
      },
    })
    .meta({ description: 'How Callsign signs in to the server.', examples: [{ scope: 'read' }] }),
);
