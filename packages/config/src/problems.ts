/** The problem model for documents that are not JSON, and a fast reader of plain YAML. */

export { fileProblem, pathText } from './document/problem.js';
export type { DocumentProblemCode, Path, Problem } from './document/problem.js';
export { createProblemList } from './document/problem-list.js';
export type { ProblemList } from './document/problem-list.js';
export { checkSchema } from './document/schema-problems.js';
export type { CheckedDocument, Notation } from './document/schema-problems.js';
export { readPlainYaml } from './document/plain-yaml.js';
