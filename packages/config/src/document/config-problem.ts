/** The codes of problems in a configuration. Programs read them: keep them stable. */

import type { DocumentProblemCode, Problem } from './problem.js';

/** One code per kind of mistake. */
export type ConfigProblemCode =
  | DocumentProblemCode
  // The file itself.
  | 'file-is-directory'
  | 'file-empty'
  // Servers.
  | 'no-servers'
  | 'server-key'
  | 'ignored-key'
  | 'unsupported'
  | 'not-text'
  // Variables in servers.
  | 'missing-variable'
  | 'missing-secret'
  | 'editor-variable'
  | 'malformed-variable'
  // Modules of the user.
  | 'module'
  // Servers that settings refer to.
  | 'unknown-server'
  | 'renamed-server';

export type ConfigProblem = Problem<ConfigProblemCode>;
