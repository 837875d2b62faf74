/**
 * The file of tokens: only its owner can read it, several processes may change it, and links are
 * refused.
 */

import { constants, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { exclusively, replaceFile, watchConfig } from '@callsign/config';
import { holderOf, signInId, SIGN_INS } from './sign-in-record.js';
import type { RemoteEntry, SignInRecord } from './sign-in-record.js';
import type { SignInStore } from './sign-in-store.js';

const OTHERS = 0o077;

/**
 * The tokens of one user on one machine. Instances that share a database keep them there instead.
 */
export class SignInFile implements SignInStore {
  readonly path: string;

  /** `folder`: the user's state folder. */
  constructor(folder: string) {
    this.path = join(folder, 'sign-ins.json');
  }

  async probe(): Promise<void> {
    await this.#read();
  }

  async find(server: RemoteEntry): Promise<SignInRecord | undefined> {
    return (await this.#read()).find((record) => isOf(record, server));
  }

  /** Reads the file without checking its permissions, since it returns no tokens. */
  holder(server: RemoteEntry): string | undefined {
    try {
      const { signIns } = SIGN_INS.parse(JSON.parse(readFileSync(this.path, 'utf8')));
      const record = signIns.find((each) => isOf(each, server));
      return record && holderOf(record);
    } catch {
      // A problem with the file is reported when its tokens are needed.
      return undefined;
    }
  }

  async save(record: SignInRecord): Promise<void> {
    await this.#change((records) => [
      ...records.filter((each) => !isOf(each, { key: record.server, url: record.url })),
      record,
    ]);
  }

  async remove(server: RemoteEntry): Promise<void> {
    await this.#change((records) => records.filter((each) => !isOf(each, server)));
  }

  alone<T>(server: RemoteEntry, run: () => Promise<T>): Promise<T> {
    return exclusively(`${this.path}.${signInId(server).slice(0, 16)}`, run);
  }

  watch(listener: () => void): () => void {
    const watch = watchConfig(this.path, listener);
    return () => watch.close();
  }

  #change(change: (records: readonly SignInRecord[]) => readonly SignInRecord[]): Promise<void> {
    return exclusively(this.path, async () => {
      const signIns = change(await this.#read());
      const text = `${JSON.stringify({ version: 1, signIns }, null, 2)}\n`;
      replaceFile(this.path, text, { mode: 0o600, isDurable: true });
    });
  }

  /** Rejects with advice, which never contains the content of the file. */
  async #read(): Promise<readonly SignInRecord[]> {
    const text = await this.#text();
    if (text === undefined) return [];
    try {
      return SIGN_INS.parse(JSON.parse(text)).signIns;
    } catch {
      throw new Error(`${this.path} is not a file of sign-ins. Delete it, and sign in again.`);
    }
  }

  /**
   * The text of the file. The checks use the open file and not its path, so that the file cannot be
   * exchanged between a check and the reading.
   */
  async #text(): Promise<string | undefined> {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
    const handle = await open(this.path, flags).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      const isLink = error.code === 'ELOOP' || error.code === 'EMLINK';
      const advice = isLink ? 'It is a link, which is not followed; delete it.' : error.code;
      throw new Error(`${this.path} cannot be read. ${advice}`);
    });
    if (!handle) return undefined;
    try {
      const { mode, uid } = await handle.stat();
      const isOurs = process.getuid === undefined || uid === process.getuid();
      // Windows has no such permissions: every file looks open.
      const isOpen = process.platform !== 'win32' && (mode & OTHERS) !== 0;
      if (!isOurs || isOpen) {
        const advice = `Others may have read its tokens: sign out and in again, after chmod 600 ${this.path}`;
        throw new Error(`${this.path} can be read or was written by others. ${advice}`);
      }
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  }
}

function isOf({ server, url }: SignInRecord, entry: RemoteEntry): boolean {
  return server === entry.key && url === entry.url;
}
