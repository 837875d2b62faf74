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

function isSameLoopback(registered: string, uri: string): boolean {
  if (!URL.canParse(registered) || !URL.canParse(uri)) return false;
  const [a, b] = [new URL(registered), new URL(uri)];
  if (a.protocol !== 'http:' || b.protocol !== 'http:' || !isLoopback(a.hostname)) return false;
  return a.hostname === b.hostname && a.pathname === b.pathname && a.search === b.search;
}
