/** Places in journals, from which reading continues. */

/** How far a journal was read. */
export interface Position {
  readonly part: number;
  /** Bytes from the start of the part. */
  readonly offset: number;
}

/** By the name of the journal. */
export type Positions = Map<string, Position>;
