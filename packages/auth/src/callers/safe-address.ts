/** Whether an address may give keys or get secrets: encrypted, or within this machine. */

import { isLoopback } from '@callsign/outbound';

export function isSafeAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password, hash } = new URL(value);
  if (username !== '' || password !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
