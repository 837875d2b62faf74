/** Which servers get credentials of a sign-in: remote ones for which the configuration has none itself. */

import type { RemoteServer } from '../config/server-config.js';
import { SignInCredentials, type SignInCredentialsOptions } from './sign-in-credentials.js';

export function credentialsFor(
  server: RemoteServer,
  options: SignInCredentialsOptions,
): SignInCredentials | undefined {
  const names = Object.keys(server.headers).map((name) => name.toLowerCase());
  return names.includes('authorization') ? undefined : new SignInCredentials(server, options);
}
