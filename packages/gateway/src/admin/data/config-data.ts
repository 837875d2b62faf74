/** Changes of the configuration as the admin API sends them. */

/** One line of a changed file. Unchanged lines are left out. */
export interface DiffLine {
  readonly sign: '+' | '-';
  readonly line: number;
  readonly text: string;
}

/** A change of the configuration: proposed, or saved. */
export interface ConfigChange {
  readonly file: string;
  readonly diff: readonly DiffLine[];
  /**
   * Identifies the file before the change. A request to save must send it, so that no other change
   * is lost.
   */
  readonly base: string;
  readonly isSaved: boolean;
  /** False if this user cannot write the file. */
  readonly canSave: boolean;
}

/** `POST /servers` without `save`: the change, or what is wrong with the server. */
export type ConfigProposal = ConfigChange | { readonly problem: string };
