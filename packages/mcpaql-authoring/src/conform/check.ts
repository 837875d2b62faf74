/** One rule of the protocol, and whether a server keeps it. */

export interface Check {
  readonly id: string;
  /** What is held to, as a sentence. */
  readonly says: string;
  readonly level: 'must' | 'should';
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** What was seen, where it did not pass. */
  readonly detail?: string;
}
