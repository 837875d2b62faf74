/** The setting `storage`: the database that several instances share. */

import { count, type SettingOf, text } from '@callsign/config';
import * as z from 'zod';

const url = (description: string) =>
  z
    .string()
    .regex(/^(postgres(ql)?:\/\/|\$)/, {
      error:
        'must be a URL that starts with "postgres://", or a variable such as "${DATABASE_URL}"',
    })
    .meta({ description, examples: ['${DATABASE_URL}'] });

const TLS = z.lazy(() =>
  z
    .strictObject({
      ca: z.exactOptional(text('File with the certificates to trust.', '/etc/callsign/ca.pem')),
      cert: z.exactOptional(text('File with the certificate of the client.', 'client.pem')),
      key: z.exactOptional(text('File with the key of the client.', 'client.key')),
      serverName: z.exactOptional(
        text('The name in the certificate, if it is not the host of the URL.', 'db.internal'),
      ),
    })
    .meta({
      description: 'Encrypted connections, with a verified certificate. Default: as the URL says.',
      examples: [{ ca: '/etc/callsign/ca.pem' }],
    }),
);

/** `cert` and `key` are needed only if the database asks for a client certificate. */
export type StorageTls = SettingOf<typeof TLS>;

/**
 * The schema of `callsign.storage`. Its URLs and secrets may contain variables, which are replaced
 * later.
 */
export const STORAGE_SETTINGS = z.lazy(() =>
  z
    .strictObject({
      postgres: url('URL of the PostgreSQL database that all instances share.'),
      direct: z.exactOptional(
        url('The same database without a pooler, for news between instances. Default: "postgres".'),
      ),
      schema: z
        .string()
        .regex(/^[a-z_][a-z0-9_]{0,30}$/, {
          error: 'must be 1 to 31 lower-case letters, digits or underscores',
        })
        .meta({ description: 'The schema of the tables.', examples: ['callsign'] })
        .default('callsign'),
      connections: count(
        'The highest number of connections per instance, besides one for news.',
        1,
        8,
      ),
      tls: z.exactOptional(TLS),
      secrets: z.exactOptional(
        z
          .array(z.string().min(1, { error: 'must not be empty' }))
          .min(1, { error: 'must contain a secret' })
          .meta({
            description:
              'Secrets that encrypt sign-ins and API keys in the database, the newest first; the older ones only decrypt.',
            examples: [['${CALLSIGN_STORAGE_SECRET}']],
          }),
      ),
    })
    .meta({
      description:
        'The database that several instances share. Default: this instance keeps everything in files.',
      examples: [{ postgres: '${DATABASE_URL}' }],
    }),
);

/** The setting `callsign.storage`. Default: this instance shares nothing. */
export type StorageSettings = SettingOf<typeof STORAGE_SETTINGS>;
