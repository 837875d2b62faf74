/**
 * The key pair of this instance. It is created at the start, and the private half never leaves the
 * memory of the process. The public half is in the directory. Two instances compute the same secret
 * from their own private half, the other's public half, and a secret that all instances share. So a third instance cannot
 * compute it, and neither can a program that has only written a public key into the directory.
 */

import { createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto';

import type { Instance } from '../../directory/instance-directory.js';
import type { PeerSecret } from './peer-secrets.js';

/** The private half is not a member: it cannot be read or logged. */
export interface InstanceKey {
  /** The public half, for the directory. */
  readonly publicKey: string;
  /** The secret of a connection between two instances. Throws if a key is not a public key. */
  secretOf(ends: ConnectionEnds, shared: PeerSecret): Buffer;
}

/** One end of a connection, as the directory lists it. */
export type ConnectionEnd = Pick<Instance, 'id' | 'key'>;

/** The instance that opens a connection, and the one that listens. One of them is this one. */
interface ConnectionEnds {
  readonly from: ConnectionEnd;
  readonly to: ConnectionEnd;
}

/** Separates this use of the keys from others. A new form of the secret needs a new label. */
const LABEL = 'callsign instance connection 2';
const SECRET_BYTES = 32;

/** A new key pair. Call it once per start. */
export function createInstanceKey(): InstanceKey {
  const pair = generateKeyPairSync('x25519');
  const own = pair.publicKey.export({ format: 'jwk' }).x!;
  return {
    publicKey: own,
    secretOf({ from, to }, shared) {
      const x = from.key === own ? to.key : from.key;
      const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
      const agreed = diffieHellman({ privateKey: pair.privateKey, publicKey });
      const both = Buffer.concat([shared.key, agreed]);
      const ends = [from.id, from.key, to.id, to.key].join(' ');
      return Buffer.from(hkdfSync('sha256', both, LABEL, ends, SECRET_BYTES));
    },
  };
}
