/**
 * Whether keys may come from an address, or secrets go to it: it must be encrypted, or on this
 * machine.
 */

import { isLoopback } from '@callsign/outbound';

export function isSafeAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password, hash } = new URL(value);
  if (username !== '' || password !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
