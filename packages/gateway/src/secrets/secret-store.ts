/**
 * Secrets by name. They are in the keychain of this system; where there is none, in a sealed file in the state folder.
 * The list of names is in that file too, because not every keychain can list what it has.
 */

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { exclusively, isRecord, readJson, replaceFile, type Secret } from '@callsign/config';
import { Seal } from '@callsign/instances';

import { type Keychain, NoKeychain } from './keychain.js';

/** Where a secret is. */
type SecretPlace = 'keychain' | 'file';

export interface StoredSecret {
  readonly name: string;
  readonly in: SecretPlace;
}

/** Where a secret was stored, and why not in the keychain. */
export type Stored =
  | { readonly in: 'keychain' }
  | { readonly in: 'file'; readonly file: string; readonly reason: string };

/** The names that secrets may have, as in `${keychain:NAME}`. */
export const SECRET_NAME = /^[\w.-]{1,100}$/;
/** Longer values are no secrets, and some keychains refuse them. */
export const LONGEST_SECRET = 2_500;

type Entry = { readonly in: 'keychain' } | { readonly in: 'file'; readonly sealed: string };

const LABEL = 'callsign secrets 1';

export class SecretStore {
  /** Holds the names, and what is sealed. */
  readonly file: string;
  readonly #keyFile: string;
  readonly #keychain: () => Promise<Keychain>;

  /** `folder`: the state folder. `keychain` rejects with `NoKeychain` if there is none. */
  constructor(folder: string, keychain: () => Promise<Keychain>) {
    this.file = join(folder, 'secrets.json');
    this.#keyFile = join(folder, 'secrets.key');
    this.#keychain = keychain;
  }

  async list(): Promise<StoredSecret[]> {
    const entries = await this.#read();
    return [...entries]
      .map(([name, entry]) => ({ name, in: entry.in }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Never rejects. A secret that another program has put into the keychain under our name is found too. */
  async get(name: string): Promise<Secret> {
    try {
      const entry = (await this.#read()).get(name);
      const value =
        entry?.in === 'file'
          ? (await this.#seal()).open(entry.sealed, name)
          : await (await this.#keychain()).get(name);
      if (value !== undefined) return { value };
      return { fault: entry?.in === 'file' ? `${this.file} cannot open` : 'is not stored' };
    } catch (error) {
      if (error instanceof NoKeychain) return { fault: `is not stored here: ${error.message}` };
      return { fault: `cannot be read: ${(error as Error).message}` };
    }
  }

  /** Rejects if it cannot be stored anywhere. */
  set(name: string, value: string): Promise<Stored> {
    return exclusively(this.file, async () => {
      const entries = await this.#read();
      try {
        await (await this.#keychain()).set(name, value);
      } catch (error) {
        if (!(error instanceof NoKeychain)) throw error;
        const sealed = (await this.#seal()).seal(value, name);
        this.#write(entries.set(name, { in: 'file', sealed }));
        return { in: 'file', file: this.file, reason: error.message };
      }
      this.#write(entries.set(name, { in: 'keychain' }));
      return { in: 'keychain' };
    });
  }

  /** Whether it was there. Rejects with `NoKeychain` if it is in a keychain that cannot be used now. */
  remove(name: string): Promise<boolean> {
    return exclusively(this.file, async () => {
      const entries = await this.#read();
      const entry = entries.get(name);
      if (!entry) return false;
      if (entry.in === 'keychain') await (await this.#keychain()).remove(name);
      entries.delete(name);
      this.#write(entries);
      return true;
    });
  }

  async #read(): Promise<Map<string, Entry>> {
    const text = await textOf(this.file);
    if (text === undefined) return new Map();
    const document = readJson(text);
    const secrets = isRecord(document) ? document['secrets'] : undefined;
    if (!isRecord(secrets)) throw new Error(`${this.file} is damaged; remove it`);
    return new Map(
      Object.entries(secrets).flatMap(([name, entry]): [string, Entry][] => {
        if (!isRecord(entry)) return [];
        const { in: place, sealed } = entry;
        if (place === 'keychain') return [[name, { in: place }]];
        return place === 'file' && typeof sealed === 'string'
          ? [[name, { in: place, sealed }]]
          : [];
      }),
    );
  }

  #write(entries: ReadonlyMap<string, Entry>): void {
    const document = { version: 1, secrets: Object.fromEntries(entries) };
    replaceFile(this.file, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
  }

  /** The key lies beside the sealed file: both are for their owner only. */
  async #seal(): Promise<Seal> {
    const stored = await textOf(this.#keyFile);
    if (stored !== undefined) return new Seal([stored.trim()], LABEL);
    const key = randomBytes(32).toString('base64url');
    replaceFile(this.#keyFile, `${key}\n`, { mode: 0o600, isDurable: true });
    return new Seal([key], LABEL);
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
