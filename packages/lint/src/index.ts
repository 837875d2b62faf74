export type { Finding, Flaw, Readers, Rule, Severity } from './rule.js';
export { runRules } from './run-rules.js';
