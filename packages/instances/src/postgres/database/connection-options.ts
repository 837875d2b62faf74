/** How to connect: reads the URL of a database and the settings for TLS. */

import { readFileSync } from 'node:fs';
import { type ConnectionOptions as TlsOptions } from 'node:tls';

import type { StorageTls } from '../../storage/storage-settings.js';

export interface ConnectionOptions {
  readonly connectionString: string;
  readonly ssl: TlsOptions | false;
  readonly application_name: string;
}

/** Values of `sslmode` without TLS. `null`: it is not in the URL. */
const UNENCRYPTED = [null, 'disable'];

/**
 * `sslmode` turns TLS on or off, and `tls` always turns it on. Certificates are always checked, so
 * `require` and `prefer` mean `verify-full`: an encrypted connection to an unknown server protects
 * nothing. Throws if a file cannot be read.
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
