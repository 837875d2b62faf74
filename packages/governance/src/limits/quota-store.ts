/**
 * The quotas that all instances share. An instance takes a block of calls out of a quota and uses
 * it without asking. A block counts as used until it is given back or its time is over, so the
 * quota is never exceeded.
 */

/** A request for more calls. It also reports what became of the last block. */
export interface BlockRequest {
  /** Such as `principal ann`, or `server github`. */
  readonly key: string;
  /** The id of the instance. */
  readonly holder: string;
  readonly perMinute: number;
  /** Unused calls of the last block that stay with the instance. */
  readonly kept: number;
  /** Unused calls of the last block that are given back. */
  readonly returned: number;
  readonly wanted: number;
  /** How long the block lasts, in milliseconds. */
  readonly ms: number;
}

/** The answer of the store. */
export interface Block {
  /** At most what was wanted. */
  readonly granted: number;
  /** If nothing was granted: the earliest time at which a call becomes free, in milliseconds. */
  readonly waitMs: number;
}

/** `take` must be atomic. */
export interface QuotaStore {
  take(request: BlockRequest): Promise<Block>;
}
