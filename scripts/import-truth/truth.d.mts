/** A GET operation with the truth about it, decided by hand. */
export interface TruthCase {
  readonly truth: 'reads' | 'changes' | 'unclear';
  readonly from: 'sample' | 'search' | 'tricky';
  readonly style: string;
  readonly path: string;
  readonly operation: object;
  readonly isMeasured: boolean;
}

export function readTruth(): TruthCase[];
