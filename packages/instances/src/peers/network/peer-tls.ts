/**
 * TLS between instances, with a secret that only the two ends can compute. It needs the private half of a key in the
 * directory, and one of the secrets that the instances share. So both ends prove both, and there are no certificates.
 * TLS alone does not decide who may connect: the listener looks the other end up in the directory.
 */

import { constants } from 'node:crypto';
import type { SecureContextOptions, TlsOptions as ListenerOptions, TLSSocket } from 'node:tls';

import type { TlsOptions } from '@callsign/outbound';

import type { ConnectionEnd, InstanceKey } from '../keys/instance-key.js';
import type { PeerSecrets } from '../keys/peer-secrets.js';

/**
 * What the other end says about itself. The handshake proves the key and the secret, but not that the directory has them.
 */
export interface ClaimedPeer extends ConnectionEnd {
  /** The name of the secret that the connection uses. */
  readonly secret: string;
}

/** This end of connections. */
export interface OwnEnd {
  /** The id of this instance. */
  readonly self: string;
  readonly key: InstanceKey;
  readonly secrets: PeerSecrets;
}

/** What happens in a handshake, before the other end has proved anything. */
interface HandshakeEvents {
  /** The other end says who it is. */
  readonly onPeer: (socket: TLSSocket, peer: ClaimedPeer) => void;
  /** It names a secret that is not ours, or none. `id`: as it says. */
  readonly onUnproved: (socket: TLSSocket, id: string) => void;
}

/** Each connection has a new key exchange, so a stolen key does not decrypt recorded traffic. */
const TLS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const satisfies SecureContextOptions;
/** The id of an instance, its public key, and the name of a secret. Earlier versions name no secret. */
const IDENTITY = /^([\w-]{1,64})\.([\w-]{43})(?:\.([\w-]{11}))?$/;

/** Options for the end that listens. */
export function listeningTls(
  { self, key, secrets }: OwnEnd,
  { onPeer, onUnproved }: HandshakeEvents,
): ListenerOptions {
  return {
    ...TLS,
    // No tickets, so every connection proves the key again.
    secureOptions: constants.SSL_OP_NO_TICKET,
    pskCallback(socket, identity) {
      const [, id, publicKey, name = ''] = IDENTITY.exec(identity) ?? [];
      if (id === undefined || publicKey === undefined) return null;
      const secret = secrets.find(name);
      if (!secret) {
        onUnproved(socket, id);
        return null;
      }
      onPeer(socket, { id, key: publicKey, secret: name });
      const to = { id: self, key: key.publicKey };
      return key.secretOf({ from: { id, key: publicKey }, to }, secret);
    },
  };
}

/** Options for the end that connects. */
export function connectingTls({ self, key, secrets }: OwnEnd, to: ConnectionEnd): TlsOptions {
  return {
    ...TLS,
    maxCachedSessions: 0,
    // Requests of clients name other hosts, and share the connections.
    servername: 'callsign',
    pskCallback: () => {
      const { newest } = secrets;
      const from = { id: self, key: key.publicKey };
      return {
        identity: `${self}.${key.publicKey}.${newest.name}`,
        psk: key.secretOf({ from, to }, newest),
      };
    },
    // The secret authenticates the other end. There is no certificate to check.
    checkServerIdentity: () => undefined,
  };
}

/** Whether a connection failed because the other end does not know the secret of the connection, or speaks otherwise. */
export function isRefusedHandshake(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/.test(String(code));
}
