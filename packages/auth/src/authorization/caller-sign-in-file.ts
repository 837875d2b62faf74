/** People's sign-ins in a file of the user who runs the gateway. It holds hashes, and no token. */

import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { exclusively, replaceFile } from '@callsign/config';

import { CALLER_SIGN_INS, emptyState, type CallerSignInState } from './caller-sign-in-state.js';
import type { CallerSignInStore } from './caller-sign-in-store.js';

/** Several gateways of one user share the file. */
export class CallerSignInFile implements CallerSignInStore {
  readonly path: string;
  /** Of this process only: a page that a person left open over a restart must be opened again. */
  readonly pageKey: Uint8Array = randomBytes(32);
  /** What was read, and of which file: another process replaces the file. */
  #known: { readonly state: CallerSignInState; readonly mark: string } | undefined;

  /** `folder`: the user's state folder. */
  constructor(folder: string) {
    this.path = join(folder, 'caller-sign-ins.json');
  }

  /**
   * Looks at the file each time, so that a sign-in that another process revoked ends at once. A file that cannot be
   * read holds no sign-ins; the next change says why.
   */
  get(): CallerSignInState {
    const mark = this.#mark();
    if (this.#known?.mark === mark) return this.#known.state;
    let state: CallerSignInState;
    try {
      state = this.#read();
    } catch {
      state = emptyState();
    }
    this.#known = { state, mark };
    return state;
  }

  change<T>(change: (state: CallerSignInState) => T): Promise<T> {
    return exclusively(this.path, async () => {
      const state = this.#read();
      const before = textOf(state);
      const result = change(state);
      const after = textOf(state);
      if (after !== before) replaceFile(this.path, after, { mode: 0o600, isDurable: true });
      return result;
    });
  }

  /** Differs for every version of the file, because each one is a new file. */
  #mark(): string {
    const found = statSync(this.path, { bigint: true, throwIfNoEntry: false });
    return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : '';
  }

  /** Throws with advice, which never contains the content of the file. */
  #read(): CallerSignInState {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return emptyState();
      throw new Error(`${this.path} cannot be read (${code}).`, { cause: error });
    }
    try {
      return CALLER_SIGN_INS.parse(JSON.parse(text));
    } catch {
      throw new Error(
        `${this.path} is not a file of sign-ins. Delete it; people then sign in again.`,
      );
    }
  }
}

function textOf(state: CallerSignInState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}
