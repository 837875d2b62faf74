/** Decides which addresses may be called. */

import { addressKind, type AddressKind } from './address-kind.js';

/** Whether addresses of a private network may be called. */
export type PrivateAddresses = 'refused' | 'allowed';

/** Kinds of private networks. The remaining kinds are never called: no API is served there. */
const PRIVATE_NETWORK: ReadonlySet<AddressKind> = new Set<AddressKind>([
  'loopback',
  'private',
  'uniqueLocal',
  'carrierGradeNat',
]);

/** Why an address may not be called; `undefined` if it may. */
export function addressProblem(address: string, rule: PrivateAddresses): string | undefined {
  const kind = addressKind(address);
  if (kind === 'unicast') return undefined;
  if (rule === 'allowed' && PRIVATE_NETWORK.has(kind)) return undefined;
  return `${address} is not a public address (${kind})`;
}
