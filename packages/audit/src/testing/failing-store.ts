/** A store that fails at chosen writes: before it has written, or after, when nobody can tell. */

import type { Draft } from '../store/audit-store.js';
import { MemoryStore } from './memory-store.js';

export class FailingStore extends MemoryStore {
  readonly #fails: (write: number) => 'before' | 'after' | undefined;
  #writes = 0;

  constructor(fails: (write: number) => 'before' | 'after' | undefined) {
    super();
    this.#fails = fails;
  }

  override async append(writer: string, drafts: readonly Draft[]): Promise<void> {
    const fails = this.#fails(this.#writes++);
    if (fails === 'before') throw new Error('the disk is full');
    await super.append(writer, drafts);
    if (fails === 'after') throw new Error('the disk does not take it');
  }
}
