/** The keys `callsign.modules` and `callsign.stores`: code that the user adds. */

import { text } from '@callsign/config';
import * as z from 'zod';

export const MODULES = z.lazy(() =>
  z
    .array(
      z
        .strictObject({
          use: text('A path relative to this file, or a package.', './my-module.mjs'),
          before: z.exactOptional(
            text('The module that it runs before. Default: policy.', 'policy'),
          ),
          settings: z.exactOptional(
            z
              .record(z.string(), z.unknown())
              .meta({ description: 'Settings that the module gets.', examples: [{ limit: 10 }] }),
          ),
        })
        .meta({ examples: [{ use: './my-module.mjs', before: 'policy' }] }),
    )
    .meta({
      description: 'Your own modules, which run around calls.',
      examples: [[{ use: './my-module.mjs', before: 'policy' }]],
    }),
);

export const STORES = z.lazy(() =>
  z
    .array(
      z
        .strictObject({
          use: text('A path relative to this file, or a package.', './my-store.mjs'),
          settings: z.exactOptional(
            z.record(z.string(), z.unknown()).meta({
              description: 'Settings that the store gets.',
              examples: [{ table: 'calls' }],
            }),
          ),
        })
        .meta({ examples: [{ use: './my-store.mjs' }] }),
    )
    .meta({
      description: 'Your own stores for the tables of calls. "audit.store" names the one to use.',
      examples: [[{ use: './my-store.mjs' }]],
    }),
);
