/** What a lint rule is, what it looks at and what it hands back; the rules themselves stand beside it. */

export type Severity = 'error' | 'warning' | 'info';

/** A tool of a `tools/list` answer. Strangers write these, so only the name is known to be text. */
export interface LintedTool {
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly annotations?: unknown;
}

/** What a rule found wrong with one tool. */
export interface Flaw {
  readonly tool: string;
  readonly message: string;
  readonly fix: string;
  /** Set where this flaw weighs less than the rule's worst. */
  readonly severity?: Severity;
}

export interface Rule {
  /** Stable; also the name of the rule's page in docs/lint. */
  readonly id: string;
  /** The worst that the rule reports. */
  readonly severity: Severity;
  readonly summary: string;
  readonly why: string;
  /** The clients and directories that act on it. */
  readonly who: readonly string[] | 'all';
  check(tools: readonly LintedTool[]): readonly Flaw[];
}

/** A flaw with the rule that found it, ready to be shown. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly tool: string;
  readonly message: string;
  readonly fix: string;
  readonly clients?: readonly string[];
}
