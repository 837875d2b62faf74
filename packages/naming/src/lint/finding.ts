/** What the linter says of one tool, and the shape of a rule that says it. */

export type Severity = 'error' | 'warning' | 'info';

export interface Finding {
  /** The rule's id; its page is `docs/lint/<id>.md`. */
  readonly rule: string;
  readonly severity: Severity;
  /** The tool's name, as its server gives it. */
  readonly tool: string;
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** Ids of the clients in which it matters, where it is not all of them. */
  readonly clients?: readonly string[];
}

/** A tool as a stranger's `tools/list` gives it: nothing about it is certain. */
export interface LintedName {
  readonly name?: unknown;
}
