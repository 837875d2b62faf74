/** People's accounts in a file of the user who runs the gateway. Each is encrypted with a key that lies beside it. */

import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import {
  type Account,
  accountKey,
  type AccountPlace,
  type AccountStore,
  parseAccount,
} from '@callsign/auth';
import { exclusively, isRecord, readJson, replaceFile, watchConfig } from '@callsign/config';
import { Seal } from '@callsign/instances';

const LABEL = 'callsign accounts 1';

/** Sealed accounts, by the key of their place. */
type Entries = ReadonlyMap<string, string>;

/** Several gateways of one user share the file. */
export class AccountFile implements AccountStore {
  readonly path: string;
  readonly #keyFile: string;
  /** What was read, and of which file: another process replaces the file. */
  #known: { readonly accounts: readonly Account[]; readonly mark: string } | undefined;
  #seal: Seal | undefined;

  /** `folder`: the user's state folder. */
  constructor(folder: string) {
    this.path = join(folder, 'accounts.json');
    this.#keyFile = join(folder, 'accounts.key');
  }

  async probe(): Promise<void> {
    this.#read();
  }

  /** Looks at the file each time, so that an account that another process removed is gone at once. */
  list(): readonly Account[] {
    const mark = this.#mark();
    if (this.#known?.mark === mark) return this.#known.accounts;
    let accounts: readonly Account[] = [];
    try {
      accounts = [...this.#read()].flatMap(([key, sealed]) => this.#open(key, sealed) ?? []);
    } catch {
      // A file that cannot be read holds no accounts. The next change says why.
    }
    this.#known = { accounts, mark };
    return accounts;
  }

  async read({ person, server }: AccountPlace): Promise<Account | undefined> {
    return this.list().find((each) => each.person === person && each.server === server);
  }

  change(
    place: AccountPlace,
    change: (before: Account | undefined) => Account | undefined,
  ): Promise<void> {
    return exclusively(this.path, async () => {
      const entries = new Map(this.#read());
      const key = accountKey(place);
      const sealed = entries.get(key);
      const before = sealed === undefined ? undefined : this.#open(key, sealed);
      const after = change(before);
      if (after === before && (after !== undefined || sealed === undefined)) return;
      if (after) entries.set(key, this.#sealWith(true).seal(JSON.stringify(after), key));
      else entries.delete(key);
      const document = { version: 1, accounts: Object.fromEntries(entries) };
      const text = `${JSON.stringify(document, null, 2)}\n`;
      replaceFile(this.path, text, { mode: 0o600, isDurable: true });
    });
  }

  alone<T>(place: AccountPlace, run: () => Promise<T>): Promise<T> {
    return exclusively(`${this.path}.${accountKey(place).slice(0, 16)}`, run);
  }

  watch(listener: () => void): () => void {
    const watch = watchConfig(this.path, listener);
    return () => watch.close();
  }

  /** Differs for every version of the file, because each one is a new file. */
  #mark(): string {
    const found = statSync(this.path, { bigint: true, throwIfNoEntry: false });
    return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : '';
  }

  /** `undefined`: no key opens it. The person then has no account there. */
  #open(key: string, sealed: string): Account | undefined {
    const text = this.#sealWith(false).open(sealed, key);
    return text === undefined ? undefined : parseAccount(text);
  }

  /** Throws with advice, which never contains the content of the file. */
  #read(): Entries {
    const text = textOf(this.path);
    if (text === undefined) return new Map();
    const document = readJson(text);
    const accounts = isRecord(document) ? document['accounts'] : undefined;
    if (!isRecord(accounts))
      throw new Error(`${this.path} is not a file of accounts. Delete it; people then link again.`);
    return new Map(
      Object.entries(accounts).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
  }

  #sealWith(mayCreate: boolean): Seal {
    if (this.#seal) return this.#seal;
    const stored = textOf(this.#keyFile);
    if (stored === undefined && !mayCreate) throw new Error(`${this.#keyFile} is missing.`);
    const key = stored?.trim() ?? randomBytes(32).toString('base64url');
    if (stored === undefined)
      replaceFile(this.#keyFile, `${key}\n`, { mode: 0o600, isDurable: true });
    return (this.#seal = new Seal([key], LABEL));
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read (${code}).`, { cause: error });
  }
}
