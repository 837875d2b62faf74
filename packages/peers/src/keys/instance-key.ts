/**
 * The key of this instance. It is created at the start and never leaves the memory of the process. The directory
 * holds the public half. Two instances compute the same secret from their own key and the other's public half,
 * and no third one can.
 */

import { createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto';

export interface InstanceKey {
  /** The public half, for the directory. */
  readonly publicKey: string;
  /** The secret shared with another instance. `first` opened the connection. Throws if the text is no public key. */
  secretWith(publicKey: string, first: 'us' | 'them'): Buffer;
}

const LABEL = 'callsign instance connection 1';
const SECRET_BYTES = 32;

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
      const ends = first === 'us' ? `${own} ${other}` : `${other} ${own}`;
      return Buffer.from(hkdfSync('sha256', agreed, LABEL, ends, SECRET_BYTES));
    },
  };
}
