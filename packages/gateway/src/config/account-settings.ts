/** The setting `accounts` of a server: every caller uses an account of their own there. */

import { EXCHANGE_SETTINGS } from '@callsign/auth';
import { text } from '@callsign/config';
import * as z from 'zod';

import { isForAll, loadsCode } from './child-environment.js';

/** The name of a header or of a variable. */
const NAME = /^[A-Za-z_][\w-]{0,99}$/;

const SLOT = z.lazy(() =>
  z
    .strictObject({
      label: text('What the page asks for.', 'Your token for Notes'),
      before: z.exactOptional(
        text('What is put before the value when it is sent.', 'Bearer ').regex(/^[\x20-\x7e]*$/, {
          error: 'must be plain characters',
        }),
      ),
    })
    .meta({ examples: [{ label: 'Your token for Notes' }] }),
);

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
      slots: z.exactOptional(
        z
          .record(
            z
              .string()
              .refine((name) => NAME.test(name), {
                error: 'is not the name of a header or a variable',
                params: { advice: 'write a name such as "X-Api-Key" or "DATABASE_URL"' },
              })
              .refine((name) => !loadsCode(name) && !isForAll(name.toUpperCase()), {
                error: 'decides which code the server runs, so callers must not set it',
                params: { advice: 'let callers set only what belongs to their accounts' },
              }),
            SLOT,
          )
          .refine((slots) => Object.keys(slots).length > 0, {
            error: 'is empty',
            params: { advice: 'name a header or a variable, or remove "slots"' },
          })
          .meta({
            description:
              'What each caller fills in, by name: headers of a remote server, variables of a server on this machine. Default: callers sign in with OAuth.',
            examples: [{ DATABASE_URL: { label: 'The address of your database' } }],
          }),
      ),
      exchange: z.exactOptional(EXCHANGE_SETTINGS),
    })
    .meta({
      description:
        'Each caller uses an account of their own at this server. Default: all callers use the one of this configuration.',
      examples: [{ by: 'caller' }],
    }),
);
