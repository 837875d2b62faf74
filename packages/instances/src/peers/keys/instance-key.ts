/**
 * The key pair of this instance. It is created at the start, and the private half never leaves the
 * memory of the process. The public half is in the directory. Two instances compute the same secret
 * from their own private half and the other's public half. No third instance can.
 */

import { createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto';

/** The private half is not a member: it cannot be read or logged. */
export interface InstanceKey {
  /** The public half, for the directory. */
  readonly publicKey: string;
  /**
   * The secret shared with another instance. `first`: which end opened the connection. Throws if
   * the text is not a public key.
   */
  secretWith(publicKey: string, first: 'us' | 'them'): Buffer;
}

/** Separates this use of the keys from others. A new form of the secret needs a new label. */
const LABEL = 'callsign instance connection 1';
const SECRET_BYTES = 32;

/** A new key pair. Call it once per start. */
export function createInstanceKey(): InstanceKey {
  const pair = generateKeyPairSync('x25519');
  const own = pair.publicKey.export({ format: 'jwk' }).x!;
  return {
    publicKey: own,
    secretWith(other, first) {
      const publicKey = createPublicKey({
        key: { kty: 'OKP', crv: 'X25519', x: other },
        format: 'jwk',
      });
      const agreed = diffieHellman({ privateKey: pair.privateKey, publicKey });
      // Both ends must write the keys in the same order: the end that opened the connection first.
      const ends = first === 'us' ? `${own} ${other}` : `${other} ${own}`;
      return Buffer.from(hkdfSync('sha256', agreed, LABEL, ends, SECRET_BYTES));
    },
  };
}
