/** The one loopback check of the product. Do not write another: two checks would differ. */

import { addressKind } from './address-kind.js';

/**
 * Whether a host name or address means this machine and no other. Brackets around IPv6 are
 * optional.
 */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || addressKind(host) === 'loopback';
}
