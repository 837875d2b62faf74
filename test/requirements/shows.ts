import { REGISTER } from './register.js';

export type RequirementId = (typeof REGISTER)[number]['id'];

/**
 * Marks a test as the evidence for requirements: `it('…', shows('AGG-01', () => …))`.
 * The coverage test reads these calls in the sources, so the ids must be written as literals.
 */
export function shows<T extends (...args: never[]) => unknown>(
  ...idsThenTest: [...RequirementId[], T]
): T {
  const known = new Set<string>(REGISTER.map(({ id }) => id));
  const test = idsThenTest.at(-1) as T;
  for (const id of idsThenTest.slice(0, -1) as string[]) {
    if (!known.has(id)) throw new Error(`No requirement is called ${id}; see test/requirements`);
  }
  return test;
}
