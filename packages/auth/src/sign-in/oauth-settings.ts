/** The key `oauth` of a server's settings: what we are at its authorization server, where that cannot be found out. */

import * as z from 'zod';

import { text } from '@callsign/config';

export interface OAuthSettings {
  /** We were registered there by hand; otherwise we register ourselves. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Where it was registered: its secret goes nowhere else. */
  readonly issuer?: string;
  /** The address of a document that says who we are, for servers that take one. */
  readonly clientMetadataUrl?: string;
  /** What to ask for; what the server asks for, if absent. */
  readonly scope?: string;
}

export const OAUTH_SETTINGS: z.ZodType<OAuthSettings> = z
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
    error: 'has a secret, and does not say whose',
    params: { advice: 'add "issuer", the authorization server that gave it: it goes nowhere else' },
  })
  .meta({ description: 'How Callsign signs in to the server.', examples: [{ scope: 'read' }] });
