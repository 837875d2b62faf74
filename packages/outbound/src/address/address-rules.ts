/** Which addresses may be called. */

import { addressKind, type AddressKind } from './address-kind.js';

/** Whether addresses of a private network may be called. */
export type PrivateAddresses = 'refused' | 'allowed';

/** Kinds of addresses in private networks. No API is served on any other kind, except on public addresses. */
const PRIVATE_NETWORK: ReadonlySet<AddressKind> = new Set<AddressKind>([
  'loopback',
  'private',
  'uniqueLocal',
  'carrierGradeNat',
]);

/** The reason for which an address may not be called, or `undefined` if it may. */
export function addressProblem(address: string, rule: PrivateAddresses): string | undefined {
  const kind = addressKind(address);
  if (kind === 'unicast') return undefined;
  if (rule === 'allowed' && PRIVATE_NETWORK.has(kind)) return undefined;
  return `${address} is no public address (${kind})`;
}
