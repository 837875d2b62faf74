/** The problem model for documents that are not JSON. */

export { fileProblem, pathText } from './document/problem.js';
export type { DocumentProblemCode, Path, Problem } from './document/problem.js';
export { createProblemList } from './document/problem-list.js';
export type { ProblemList } from './document/problem-list.js';
export { checkSchema } from './document/schema-problems.js';
export type { CheckedDocument, Notation } from './document/schema-problems.js';
