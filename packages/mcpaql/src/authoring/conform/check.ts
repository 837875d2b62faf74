/** One rule of the protocol, and whether a server follows it. */

/** `skipped`: the server offers nothing that the rule is about. */
export interface Check {
  readonly id: string;
  /** The rule, as a sentence. */
  readonly says: string;
  readonly level: 'must' | 'should';
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** What was seen, if it did not pass. */
  readonly detail?: string;
}
