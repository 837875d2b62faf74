/** What is wrong with a configuration, where, and what to do about it. A warning has the same shape. */

export type ProblemCode =
  // The file itself.
  | 'file-not-found'
  | 'file-is-directory'
  | 'file-unreadable'
  | 'file-not-utf8'
  | 'file-empty'
  // Its text.
  | 'syntax'
  | 'too-deep'
  | 'duplicate-key'
  | 'reserved-key'
  // The shape of what it says.
  | 'unknown-key'
  | 'missing-key'
  | 'wrong-type'
  | 'wrong-value'
  // Servers.
  | 'no-servers'
  | 'server-key'
  | 'contradiction'
  | 'ignored-key'
  | 'unsupported'
  | 'not-text'
  // Variables in servers.
  | 'missing-variable'
  | 'editor-variable'
  | 'malformed-variable'
  // Modules of the user.
  | 'module'
  // What our settings refer to.
  | 'unknown-server'
  | 'renamed-server';

export interface Problem {
  readonly code: ProblemCode;
  readonly file: string;
  /** From 1; 0 where the file itself is meant. */
  readonly line: number;
  /** From 1; 0 where the file itself is meant. */
  readonly column: number;
  /** Such as `mcpServers.github.env.TOKEN`; empty for the whole document. */
  readonly path: string;
  /** What is wrong. Holds no value of a server entry: any of them may be a secret. */
  readonly message: string;
  /** What to do about it. */
  readonly advice: string;
}
