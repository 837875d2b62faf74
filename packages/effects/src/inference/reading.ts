/** What one part of a tool's definition says about its risk. */

import type { Risk } from '../hints/risk.js';

/**
 * - `read`, `write`, `destructive`: the part says so.
 * - `change`: it changes something, but the part does not say how much.
 * - `likely-read`, `maybe-read`: it reads if another part says so too.
 * - `mixed`: it names both a read and a change.
 */
export interface Reading {
  readonly says: Risk | 'change' | 'likely-read' | 'maybe-read' | 'mixed';
  /** The verb or the parameter that says it. */
  readonly word: string;
  /** The same as a clause for people: `the name says list`. */
  readonly because: string;
  /** The values of the parameter that change something, where the schema lists all values. */
  readonly changes?: readonly string[];
}
