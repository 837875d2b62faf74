/** Where records stay. One contract, held by every store (testing/store-contract.ts). */

import type { Head } from '../record/audit-record.js';
import type { Block, Segment } from './chain.js';

/** Records that have no place in the chain yet: a segment to be. */
export interface Draft extends Block {
  /** Of the last of them. Counts up per writer, so that a draft that was given twice is kept once. */
  readonly n: number;
}

export interface ReadOptions {
  /** Only segments with records behind this place. */
  readonly after?: number;
  /** Backwards, from the end. */
  readonly newestFirst?: boolean;
}

export interface Retention {
  /** Segments whose records are all before this moment go; ISO 8601. */
  readonly before: string;
  readonly maxBytes: number;
}

export interface AuditStore {
  /**
   * Adds segments to the end of the chain, all or none; when it resolves they are on disk. Several
   * writers may do so at once. Drafts of a writer up to one that it has given before are there already.
   */
  append(writer: string, drafts: readonly Draft[]): Promise<void>;
  /** The segments as of now, oldest first; what is appended meanwhile is not among them. */
  read(options?: ReadOptions): AsyncIterable<Segment>;
  /** The end as it is known apart from the records themselves; `undefined` if that knowledge is gone. */
  anchor(): Promise<Head | undefined>;
  /** Deletes what need not be kept, and says so in the chain. Returns how many records are gone. */
  prune(retention: Retention): Promise<number>;
  close(): Promise<void>;
}
