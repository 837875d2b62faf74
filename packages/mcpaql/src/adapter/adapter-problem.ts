/** The codes of problems in an adapter's file. Programs read them, so they must not change. */

import type { DocumentProblemCode, Problem } from '@callsign/config/problems';

/** What is wrong. `DocumentProblemCode` has the codes that any document can have. */
export type AdapterProblemCode =
  | DocumentProblemCode
  // Problems of the file itself.
  | 'file-too-large'
  | 'front-matter'
  // Problems of its meaning.
  | 'tool-names'
  | 'no-operations'
  | 'duplicate-operation'
  | 'reserved-operation'
  | 'wrong-mapping'
  | 'undeclared-param'
  | 'wrong-default'
  | 'wrong-pattern'
  | 'wrong-shape'
  | 'wrong-endpoint'
  | 'insecure-address'
  | 'written-secret';

/** A problem with its line, its path in the file, and advice. */
export type AdapterProblem = Problem<AdapterProblemCode>;
