/** The codes of problems in an adapter's file. Programs read them, so they must not change. */

import type { DocumentProblemCode, Problem } from '@callsign/config/problems';

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
  | 'insecure-address';

export type AdapterProblem = Problem<AdapterProblemCode>;
