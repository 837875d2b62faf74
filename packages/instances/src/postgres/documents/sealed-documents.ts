/** Texts in the database that are encrypted with a secret that the database does not have. */

import { Seal } from '../../keys/seal.js';
import { StorageError } from '../../storage/storage-error.js';
import type { PostgresDocuments } from './postgres-documents.js';

export interface SealedDocumentsOptions {
  readonly documents: PostgresDocuments;
  /** The newest first. Default: nothing can be read or stored. */
  readonly secrets: readonly string[] | undefined;
  /** How the names of these documents begin. */
  readonly prefix: string;
  /** What the secrets are used for, so that they open nothing else. */
  readonly label: string;
  /** For messages, such as "a sign-in", "sign-ins" and "sign in again". */
  readonly words: { readonly one: string; readonly many: string; readonly again: string };
}

export class SealedDocuments {
  readonly #options: SealedDocumentsOptions;
  readonly #seal: Seal | undefined;

  constructor(options: SealedDocumentsOptions) {
    this.#options = options;
    const { secrets, label } = options;
    this.#seal = secrets && new Seal(secrets, label);
  }

  /** Fails if there are texts that no secret opens. Encrypts texts of older secrets with the newest one. */
  async check(): Promise<void> {
    const { documents, prefix } = this.#options;
    for (const name of documents.names(prefix)) {
      const sealed = documents.get(name)!;
      const text = this.#open(name, sealed);
      if (this.#required.isNewest(sealed)) continue;
      await documents.change(name, (now) =>
        now === sealed ? this.#required.seal(text, name) : now,
      );
    }
  }

  /** Fails, with what to do, if nothing can be stored. */
  requireSecret(): void {
    void this.#required;
  }

  /** The names without the prefix, in order. */
  names(): string[] {
    const { documents, prefix } = this.#options;
    return documents.names(prefix).map((name) => name.slice(prefix.length));
  }

  /** The copy of a text. Missing if there is none, or no secret opens it. */
  get(id: string): string | undefined {
    const name = this.#nameOf(id);
    const sealed = this.#options.documents.get(name);
    return sealed === undefined ? undefined : this.#seal?.open(sealed, name);
  }

  /** Brings the copies up to date. */
  refresh(): Promise<void> {
    return this.#options.documents.refresh();
  }

  /** The text as it is in the database now. Fails if no secret opens it. */
  async read(id: string): Promise<string | undefined> {
    const name = this.#nameOf(id);
    const sealed = await this.#options.documents.read(name);
    return sealed === undefined ? undefined : this.#open(name, sealed);
  }

  /** Changes a text, one instance at a time. `change` gets the current text. Fails if no secret opens it. */
  change(id: string, change: (before: string | undefined) => string): Promise<void> {
    return this.replace(id, change);
  }

  /** Changes or removes a text, one instance at a time. Fails if no secret opens it. */
  async replace(
    id: string,
    change: (before: string | undefined) => string | undefined,
  ): Promise<void> {
    const name = this.#nameOf(id);
    const seal = this.#required;
    await this.#options.documents.change(name, (sealed) => {
      const before = sealed === undefined ? undefined : this.#open(name, sealed);
      const after = change(before);
      return after === before ? sealed : after === undefined ? undefined : seal.seal(after, name);
    });
  }

  async save(id: string, text: string): Promise<void> {
    const name = this.#nameOf(id);
    const sealed = this.#required.seal(text, name);
    await this.#options.documents.change(name, () => sealed);
  }

  /** Saves a text unless there is one, readable or not. Returns false if there is one. */
  async create(id: string, text: string): Promise<boolean> {
    const name = this.#nameOf(id);
    const sealed = this.#required.seal(text, name);
    let isNew = false;
    await this.#options.documents.change(name, (before) => {
      isNew = before === undefined;
      return before ?? sealed;
    });
    return isNew;
  }

  /** Returns false if there was none. */
  async remove(id: string): Promise<boolean> {
    let wasThere = false;
    await this.#options.documents.change(this.#nameOf(id), (before) => {
      wasThere = before !== undefined;
      return undefined;
    });
    return wasThere;
  }

  watch(listener: () => void): () => void {
    return this.#options.documents.watch(this.#options.prefix, listener);
  }

  #nameOf(id: string): string {
    return this.#options.prefix + id;
  }

  get #required(): Seal {
    if (this.#seal) return this.#seal;
    const { many } = this.#options.words;
    throw new StorageError(
      `storage.secrets is not set, but ${many} in the database are encrypted with it`,
    );
  }

  #open(name: string, sealed: string): string {
    const text = this.#required.open(sealed, name);
    if (text !== undefined) return text;
    const { prefix, words } = this.#options;
    throw new StorageError(
      `${words.one} in the database was encrypted with another secret; add that secret to storage.secrets, or delete the rows of "documents" whose names start with "${prefix}" and ${words.again}`,
    );
  }
}
