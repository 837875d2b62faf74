/** A lint rule and what it reports. */

/** `error`: breaks a client or hides something. `warning`: misleads. `info`: could be better. */
export type Severity = 'error' | 'warning' | 'info';

/** Who acts on a finding. Both unset: everyone. */
export interface Readers {
  /** Ids of client profiles. */
  readonly clients?: readonly string[];
  /** Other readers, such as directories. */
  readonly audiences?: readonly string[];
}

/** A fault of one tool. Message and fix are sentences that follow the tool's name. */
export interface Flaw extends Readers {
  /** The tool's name, as its server gives it. */
  readonly tool: string;
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** Default: the severity of the rule. */
  readonly severity?: Severity;
}

/** One check of the tools of a server. */
export interface Rule<Subject> {
  /** Stable; also the name of the rule's page in docs/lint. */
  readonly id: string;
  readonly severity: Severity;
  /** One line: what it finds. */
  readonly summary: string;
  /** Why it matters, and who is affected. */
  readonly why: string;
  /** Who acts on every flaw. Default: everyone, or the readers that a flaw names. */
  readonly who?: Readers;
  /** Must accept anything that a server may send, and never throw. */
  check(subject: Subject): Iterable<Flaw>;
}

/** A flaw with the rule that found it. */
export interface Finding extends Flaw {
  /** The rule's id; its page is `docs/lint/<id>.md`. */
  readonly rule: string;
  readonly severity: Severity;
}
