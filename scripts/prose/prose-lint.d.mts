export interface ProseFinding {
  readonly file: string;
  readonly line: number;
  readonly kind: 'comment' | 'message' | 'title' | 'page';
  /** The words that are wrong; what an exception quotes. */
  readonly text: string;
  readonly message: string;
}

export interface ProseException {
  readonly file: string;
  readonly text: string;
  readonly reason: string;
}

export interface ProseVerdict {
  readonly errors: readonly ProseFinding[];
  readonly unused: readonly ProseException[];
  readonly waiting: readonly (readonly [folder: string, findings: number])[];
  readonly clean: readonly string[];
}

export function lintFile(file: string, source: string): ProseFinding[];
export function judge(
  findings: readonly ProseFinding[],
  lists: { readonly allowed: readonly ProseException[]; readonly pending: readonly string[] },
): ProseVerdict;
