/** The setting `accounts.exchange` of a server: the tokens of callers are exchanged for tokens of the server (RFC 8693). */

import { type SettingOf, text } from '@callsign/config';
import * as z from 'zod';

import { isSafeAddress } from '../callers/safe-address.js';

export const EXCHANGE_SETTINGS = z.lazy(() =>
  z
    .strictObject({
      tokenUrl: text('The token endpoint.', 'https://login.example.com/token').refine(
        isSafeAddress,
        {
          error: 'must be an https address, or an http address of this machine',
          params: { advice: 'write the whole address, such as "https://login.example.com/token"' },
        },
      ),
      clientId: text('Our client id there.', 'callsign'),
      clientSecret: z.exactOptional(
        text(
          'Our client secret there; write a variable. Default: we are a public client.',
          '${EXCHANGE_SECRET}',
        ),
      ),
      audience: z.exactOptional(text('What the server is called there.', 'notes')),
      resource: z.exactOptional(
        text(
          'The address that the tokens are for. Default: the address of the server, unless "audience" is set.',
          'https://notes.example.com/mcp',
        ),
      ),
      scope: z.exactOptional(text('Scopes to ask for, with spaces in between.', 'read write')),
    })
    .meta({
      description:
        'The token of a caller is exchanged for one of the server (RFC 8693), if the caller has linked no account. Needs "auth.tokens".',
      examples: [
        {
          tokenUrl: 'https://login.example.com/token',
          clientId: 'callsign',
          clientSecret: '${EXCHANGE_SECRET}',
        },
      ],
    }),
);

/** How tokens of callers are exchanged. */
export type ExchangeSettings = SettingOf<typeof EXCHANGE_SETTINGS>;
