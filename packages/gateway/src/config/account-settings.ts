/** The setting `accounts` of a server: every caller uses an account of their own there. */

import * as z from 'zod';

export const ACCOUNTS = z.lazy(() =>
  z
    .strictObject({
      by: z.enum(['caller']).meta({ description: 'Every caller has an account of their own.' }),
      lists: z
        .enum(['own', 'shared'])
        .meta({
          description:
            'What a caller without an account sees. "own": the tool "sign_in" alone. "shared": what the account of this configuration lists; no call uses that account.',
        })
        .default('own'),
    })
    .meta({
      description:
        'Each caller uses an account of their own at this server. Default: all callers use the one of this configuration.',
      examples: [{ by: 'caller' }],
    }),
);
