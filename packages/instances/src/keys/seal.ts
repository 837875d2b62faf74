/**
 * Seals texts that others keep for us, such as the home of a session at a client or a token in a database:
 * encrypted and authenticated (AES-256-GCM). All instances share the keys. The newest seals, and all of them
 * open, so that a key can be replaced while others hold what it sealed.
 */

import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

interface SealingKey {
  /** Names the key in a sealed text. Says nothing about it. */
  readonly name: Buffer;
  readonly secret: Buffer;
}

const CIPHER = 'aes-256-gcm';
const NAME_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** For what clients bring back. Another purpose has another label, so its keys open nothing of this one. */
const LABEL = 'callsign seal 1';

export class Seal {
  readonly #label: string;
  #keys: readonly SealingKey[] = [];

  /** The secrets that all instances share, the newest first. */
  constructor(secrets: readonly string[], label: string = LABEL) {
    this.#label = label;
    this.replace(secrets);
  }

  /** Takes other secrets, the newest first. What was sealed with a secret that is left out opens no more. */
  replace(secrets: readonly string[]): void {
    if (secrets.length === 0) throw new Error('A seal needs a secret.');
    this.#keys = secrets.map((secret) => keyOf(secret, this.#label));
  }

  /** `place`: where the text is kept. It opens there alone. */
  seal(text: string, place = ''): string {
    const { name, secret } = this.#keys[0]!;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(bound(name, place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([name, nonce, sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** Whether the newest key sealed it. */
  isNewest(sealed: string): boolean {
    return Buffer.from(sealed, 'base64url').subarray(0, NAME_BYTES).equals(this.#keys[0]!.name);
  }

  /** The text; `undefined` if it was not sealed with one of our keys, or for another place. */
  open(sealed: string, place = ''): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < NAME_BYTES + NONCE_BYTES + TAG_BYTES) return undefined;
    // One text has one spelling: Node ignores characters that are not of the alphabet.
    if (bytes.toString('base64url') !== sealed) return undefined;
    const name = bytes.subarray(0, NAME_BYTES);
    const nonce = bytes.subarray(NAME_BYTES, NAME_BYTES + NONCE_BYTES);
    const text = bytes.subarray(NAME_BYTES + NONCE_BYTES, -TAG_BYTES);
    for (const key of this.#keys) {
      if (!key.name.equals(name)) continue;
      const decipher = createDecipheriv(CIPHER, key.secret, nonce, { authTagLength: TAG_BYTES })
        .setAAD(bound(name, place))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return decipher.update(text, undefined, 'utf8') + decipher.final('utf8');
      } catch {
        // Changed on its way, or another key with the same name.
      }
    }
    return undefined;
  }
}

function bound(name: Buffer, place: string): Buffer {
  return Buffer.concat([name, Buffer.from(place)]);
}

function keyOf(secret: string, label: string): SealingKey {
  const key = Buffer.from(hkdfSync('sha256', secret, label, 'key', KEY_BYTES));
  return { secret: key, name: createHash('sha256').update(key).digest().subarray(0, NAME_BYTES) };
}
