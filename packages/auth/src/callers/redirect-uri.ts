/** Addresses that a client may receive codes at. */

import { isLoopback } from '@callsign/outbound';

/** Schemes that run code or read files instead of opening an app. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'intent:',
  'javascript:',
  'mailto:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);
const LONGEST = 512;

/** Why codes may not be sent to an address; `undefined`: they may. */
export function redirectProblem(uri: string): string | undefined {
  if (uri.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  // URL would drop control characters, and then another address would be shown than is compared.
  if (!/^[\x21-\x7e]+$/.test(uri) || !URL.canParse(uri)) return 'it is not an address';
  const { protocol, hostname, username, password, hash } = new URL(uri);
  if (hash !== '' || uri.includes('#')) return 'it has a fragment';
  if (username !== '' || password !== '') return 'it contains a password';
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:') {
    return isLoopback(hostname) ? undefined : 'http is only possible on loopback';
  }
  return FORBIDDEN.has(protocol) ? `${protocol} is not the scheme of an app` : undefined;
}

/**
 * Whether a client registered an address. The texts must be equal, except for the port of a loopback address: an app
 * takes any free port (RFC 8252).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.some((each) => each === uri || isSameLoopback(each, uri));
}

/** Host and path. Other spellings, user info and fragments do not fit, or `URL` would read them away. */
const PLAIN_HTTP = /^http:\/\/([\w.-]+|\[[\da-f:.]+\])(?::\d+)?([/?][^#]*)?$/i;

function isSameLoopback(registered: string, uri: string): boolean {
  const [a, b] = [PLAIN_HTTP.exec(registered), PLAIN_HTTP.exec(uri)];
  if (!a || !b || !isLoopback(a[1]!) || !URL.canParse(uri)) return false;
  return a[1] === b[1] && (a[2] ?? '/') === (b[2] ?? '/');
}
