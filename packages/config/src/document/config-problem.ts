/** The codes of problems in a configuration. */

import type { Problem } from './problem.js';

export type ConfigProblemCode =
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
  // Its shape.
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
  // Servers that settings refer to.
  | 'unknown-server'
  | 'renamed-server';

export type ConfigProblem = Problem<ConfigProblemCode>;
