/** What instances of one gateway know, and no other program: keys that are made from `instances.secrets`. */

import { createHash, hkdfSync } from 'node:crypto';

/** One of the secrets, as a key for connections. */
export interface PeerSecret {
  /** Names the secret to the other end. Reveals nothing about it. */
  readonly name: string;
  readonly key: Buffer;
}

const LABEL = 'callsign instance secret 1';
const KEY_BYTES = 32;
const NAME_BYTES = 8;

/** The newest one opens connections, and all are accepted. So a secret can be replaced while instances run. */
export class PeerSecrets {
  #all: readonly PeerSecret[] = [];

  /** `secrets`: the newest first. */
  constructor(secrets: readonly string[]) {
    this.replace(secrets);
  }

  replace(secrets: readonly string[]): void {
    if (secrets.length === 0) throw new Error('Instances need a secret.');
    this.#all = secrets.map(secretOf);
  }

  get newest(): PeerSecret {
    return this.#all[0]!;
  }

  find(name: string): PeerSecret | undefined {
    return this.#all.find((secret) => secret.name === name);
  }
}

function secretOf(secret: string): PeerSecret {
  const key = Buffer.from(hkdfSync('sha256', secret, LABEL, 'key', KEY_BYTES));
  const name = createHash('sha256').update(key).digest().subarray(0, NAME_BYTES);
  return { key, name: name.toString('base64url') };
}
