/**
 * Seals texts that others keep for us, such as the home of a session at a client, or a token in a
 * database: encrypted and authenticated (AES-256-GCM). All instances share the keys. The newest key
 * seals and all keys open, so a key can be replaced while others hold texts that it sealed.
 */

import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

interface SealingKey {
  /** Names the key in a sealed text. Reveals nothing about it. */
  readonly name: Buffer;
  readonly secret: Buffer;
}

const CIPHER = 'aes-256-gcm';
const NAME_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/**
 * For texts that clients bring back. Other purposes have other labels, so their keys open none of
 * these.
 */
const LABEL = 'callsign seal 1';

/** Texts are bound to a purpose (the label) and a place, and open only there. */
export class Seal {
  readonly #label: string;
  #keys: readonly SealingKey[] = [];

  /** `secrets`: shared by all instances, newest first. */
  constructor(secrets: readonly string[], label: string = LABEL) {
    this.#label = label;
    this.replace(secrets);
  }

  /**
   * Uses other secrets, newest first. Texts that were sealed with a secret that is left out no
   * longer open.
   */
  replace(secrets: readonly string[]): void {
    if (secrets.length === 0) throw new Error('A seal needs a secret.');
    this.#keys = secrets.map((secret) => keyOf(secret, this.#label));
  }

  /** `place`: where the text is kept. It opens only there. */
  seal(text: string, place = ''): string {
    const { name, secret } = this.#keys[0]!;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(bound(name, place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([name, nonce, sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** Whether the newest key sealed the text. If not, seal it again when convenient. */
  isNewest(sealed: string): boolean {
    return Buffer.from(sealed, 'base64url').subarray(0, NAME_BYTES).equals(this.#keys[0]!.name);
  }

  /**
   * The text; `undefined` if it was not sealed with one of our keys, was changed, or belongs to
   * another place.
   */
  open(sealed: string, place = ''): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < NAME_BYTES + NONCE_BYTES + TAG_BYTES) return undefined;
    // Node ignores characters outside the alphabet. Only one spelling of a text may open.
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
        // The text was changed, or another key has the same name.
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
