/** The codes of problems in an adapter's file. */

import type { Problem } from '@callsign/config/problems';

export type AdapterProblemCode =
  // The file itself.
  | 'file-not-found'
  | 'file-unreadable'
  | 'file-not-utf8'
  | 'file-too-large'
  | 'front-matter'
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
  // Its meaning.
  | 'tool-names'
  | 'no-operations'
  | 'duplicate-operation'
  | 'reserved-operation'
  | 'wrong-mapping'
  | 'undeclared-param'
  | 'wrong-default'
  | 'wrong-pattern'
  | 'wrong-endpoint'
  | 'contradiction'
  | 'insecure-address';

export type AdapterProblem = Problem<AdapterProblemCode>;
