/** The setting `network`: from which private addresses the gateway itself may fetch. */

import * as z from 'zod';

import { type SettingOf, texts } from '@callsign/config';

/** The schema of `callsign.network`. Default: no private address is allowed. */
export const NETWORK_SETTINGS = z.lazy(() =>
  z
    .strictObject({
      allowPrivate: texts(
        'Addresses of your own network that metadata and imports may come from, by origin.',
        'http://login.internal:8080',
        z.string().regex(/^https?:\/\/[^/?#\s@]+$/, { error: 'must be an origin, without a path' }),
      ).default([]),
    })
    .meta({
      description: 'The addresses that Callsign itself may fetch from.',
      examples: [{ allowPrivate: ['http://login.internal:8080'] }],
    })
    .prefault({}),
);

/**
 * The setting `callsign.network`. It limits what the gateway itself fetches, not the addresses of
 * your servers.
 */
export type NetworkSettings = SettingOf<typeof NETWORK_SETTINGS>;
