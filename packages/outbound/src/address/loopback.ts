/** The one loopback check of the product. */

import { addressKind } from './address-kind.js';

/** True if a host name or address means this machine and no other. Brackets around IPv6 addresses are optional. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || addressKind(host) === 'loopback';
}
