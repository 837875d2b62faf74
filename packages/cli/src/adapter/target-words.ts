/** Describes for people where an adapter's requests go, and with which credentials. */

import { type Adapter, authVariables } from '@callsign/mcpaql';
import { onOneLine } from '@callsign/terminal';

export function targetWords({ target }: Adapter): string {
  switch (target.transport) {
    case 'http':
      return onOneLine(target.base_url);
    case 'mcp':
      return `the server "${onOneLine(target.server)}"`;
    case 'native':
      return 'a program on this machine';
  }
}

/** Names the variables of the credentials, never their values. */
export function credentialWords({ auth }: Adapter): string {
  const variables = authVariables(auth);
  if (variables.length === 0) return 'They carry no credentials.';
  return `They include credentials from ${variables.map(onOneLine).join(' and ')}.`;
}
