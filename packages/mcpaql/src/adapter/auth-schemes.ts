/** The parts of a sign-in, and the environment variables that they need. */

import type { Auth, AuthScheme } from './adapter-document.js';

/** Every scheme whose credentials a request carries. */
export function schemesOf(auth: Auth): readonly AuthScheme[] {
  if (auth.type === 'none') return [];
  return auth.type === 'all' ? auth.schemes : [auth];
}

/** The names of the variables that hold the credentials. */
export function authVariables(auth: Auth): string[] {
  return schemesOf(auth).flatMap((scheme) =>
    Object.entries(scheme).flatMap(([key, value]) => (key.endsWith('_env') ? String(value) : [])),
  );
}
