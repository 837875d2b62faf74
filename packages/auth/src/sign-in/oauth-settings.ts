/**
 * The setting `oauth` of a server: our client at its authorization server, if it cannot be
 * discovered.
 */

import * as z from 'zod';

import { type SettingOf, text } from '@callsign/config';

/** The schema of `oauth`. A server without it can still be signed in to. */
export const OAUTH_SETTINGS = z.lazy(() =>
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

/**
 * The setting `oauth` of a server. Default: everything is discovered, and we register a client
 * ourselves.
 */
export type OAuthSettings = SettingOf<typeof OAUTH_SETTINGS>;
