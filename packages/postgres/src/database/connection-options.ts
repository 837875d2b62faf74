/** How a connection is made: the URL of a database, and TLS. */

import { readFileSync } from 'node:fs';
import { type ConnectionOptions as TlsOptions } from 'node:tls';

import type { StorageTls } from '@callsign/instances';

export interface ConnectionOptions {
  readonly connectionString: string;
  readonly ssl: TlsOptions | false;
  readonly application_name: string;
}

/** Values of `sslmode` that leave a connection unencrypted. */
const UNENCRYPTED = [null, 'disable'];

/**
 * `sslmode` in the URL turns TLS on or off. A certificate is always checked: `require` and `prefer` count as
 * `verify-full`, since a connection to an unknown server protects nothing.
 */
export function connectionOptions(url: string, tls: StorageTls | undefined): ConnectionOptions {
  const parsed = new URL(url);
  const mode = parsed.searchParams.get('sslmode');
  const ca = tls?.ca ?? parsed.searchParams.get('sslrootcert');
  for (const name of ['sslmode', 'sslrootcert']) parsed.searchParams.delete(name);
  const isEncrypted = tls !== undefined || !UNENCRYPTED.includes(mode);
  return {
    connectionString: parsed.href,
    application_name: 'callsign',
    ssl: isEncrypted && {
      rejectUnauthorized: true,
      ...(ca && { ca: readFileSync(ca, 'utf8') }),
      ...(tls?.cert && { cert: readFileSync(tls.cert, 'utf8') }),
      ...(tls?.key && { key: readFileSync(tls.key, 'utf8') }),
      ...(tls?.serverName && { servername: tls.serverName }),
    },
  };
}
