/** A GET operation, and whether it reads or changes something. */
export interface ImportCase {
  readonly truth: 'reads' | 'changes' | 'unclear';
  readonly from: 'sample' | 'search' | 'tricky';
  readonly style: string;
  readonly path: string;
  readonly operation: Readonly<Record<string, unknown>>;
  readonly isMeasured: boolean;
}

export function readImports(): ImportCase[];
