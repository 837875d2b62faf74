/** A place in a journal. */

/** How far a journal was read. */
export interface Position {
  readonly part: number;
  /** Bytes from the start of the part. */
  readonly offset: number;
}
