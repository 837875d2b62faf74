/** What one part of an HTTP operation says about its effect. */
export interface Statement {
  readonly where: 'name' | 'path' | 'parameter' | 'text';
  /** The word that says it. */
  readonly word: string;
  /** `unknown`: the word stands where an action stands, and is not known to be anything else. */
  readonly says: 'read' | 'change' | 'unknown';
}

/** What one part says for and against a read. */
export interface Statements {
  readonly reads: readonly Statement[];
  readonly against: readonly Statement[];
}
