/**
 * Which servers get the credentials of a sign-in: remote servers for which the configuration has no
 * credentials.
 */

import { SignInCredentials, type SignInCredentialsOptions } from './sign-in-credentials.js';
import type { RemoteEntry } from './sign-in-record.js';

/** `undefined`: the entry has an `Authorization` header of its own, which is sent instead. */
export function credentialsFor(
  server: RemoteEntry & { readonly headers: Readonly<Record<string, string>> },
  options: SignInCredentialsOptions,
): SignInCredentials | undefined {
  const names = Object.keys(server.headers).map((name) => name.toLowerCase());
  return names.includes('authorization') ? undefined : new SignInCredentials(server, options);
}
