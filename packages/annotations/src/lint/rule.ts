/** What a lint rule is, what it looks at and what it hands back; the rules themselves stand beside it. */

/** An error breaks a client or hides something; a warning misleads; an info could be better. */
export type Severity = 'error' | 'warning' | 'info';

/** A tool of a `tools/list` answer. Strangers write these, so only the name is known to be text. */
export interface LintedTool {
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

/** Ids of client profiles, as the naming room has them. */
export type ClientId = 'claude-code' | 'claude-desktop' | 'codex' | 'cursor' | 'openai' | 'vscode';

/** Who acts on a label: clients, and other readers such as directories. */
export interface Readers {
  readonly clients?: readonly ClientId[];
  readonly audiences?: readonly string[];
}

/** What a rule found wrong with one tool. */
export interface Flaw {
  readonly tool: string;
  readonly message: string;
  readonly fix: string;
  /** Set where this flaw weighs less than the rule's worst. */
  readonly severity?: Severity;
}

/** One thing to look for in a list of tools. */
export interface Rule {
  /** Stable; also the name of the rule's page in docs/lint. */
  readonly id: string;
  /** The worst that the rule reports. */
  readonly severity: Severity;
  readonly summary: string;
  readonly why: string;
  /** Who acts on it. */
  readonly who: Readers | 'all';
  check(tools: readonly LintedTool[]): readonly Flaw[];
}

/** A flaw with the rule that found it, ready to be shown. It names no readers where all are meant. */
export interface Finding extends Readers {
  /** The rule's id; its page is `docs/lint/<id>.md`. */
  readonly rule: string;
  readonly severity: Severity;
  readonly tool: string;
  readonly message: string;
  readonly fix: string;
}
