export { redactArguments } from './redact.js';
export type { RedactOptions } from './redact.js';
export { createSecretWords } from './secret-words.js';
