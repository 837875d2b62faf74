/**
 * TLS between instances, with a secret that only the two ends can compute. The secret authenticates
 * both ends, so there are no certificates. TLS alone does not decide who may connect: the listener
 * looks the other end up in the directory.
 */

import { constants } from 'node:crypto';
import type { AgentOptions } from 'node:https';
import type { SecureContextOptions, TlsOptions, TLSSocket } from 'node:tls';

import type { InstanceKey } from '../keys/instance-key.js';

/**
 * What the other end says about itself. The handshake proves the key, but not that the id belongs
 * to it.
 */
export interface ClaimedPeer {
  readonly id: string;
  readonly key: string;
}

/** Each connection has a new key exchange, so a stolen key does not decrypt recorded traffic. */
const TLS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const satisfies SecureContextOptions;
/** The id of an instance and its public key. */
const IDENTITY = /^([\w-]{1,64})\.([\w-]{43})$/;

/**
 * Options for the end that listens. `onPeer` is called during the handshake, before the key is
 * proved.
 */
export function listeningTls(
  key: InstanceKey,
  onPeer: (socket: TLSSocket, peer: ClaimedPeer) => void,
): TlsOptions {
  return {
    ...TLS,
    // No tickets, so every connection proves the key again.
    secureOptions: constants.SSL_OP_NO_TICKET,
    pskCallback(socket, identity) {
      const [, id, publicKey] = IDENTITY.exec(identity) ?? [];
      if (id === undefined || publicKey === undefined) return null;
      onPeer(socket, { id, key: publicKey });
      return key.secretWith(publicKey, 'them');
    },
  };
}

/** Options for the end that connects. `self` is the id of this instance. */
export function connectingTls(key: InstanceKey, self: string, other: string): AgentOptions {
  return {
    ...TLS,
    maxCachedSessions: 0,
    pskCallback: () => ({
      identity: `${self}.${key.publicKey}`,
      psk: key.secretWith(other, 'us'),
    }),
    // The secret authenticates the other end. There is no certificate to check.
    checkServerIdentity: () => undefined,
  };
}
