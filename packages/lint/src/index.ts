/**
 * The lint engine, and the types of rules and findings. Rules are in the packages that know the
 * subject.
 */

export type { Finding, Flaw, Readers, Rule, Severity } from './rule.js';
export { runRules } from './run-rules.js';
