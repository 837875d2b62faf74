import { TestRunner } from 'vitest';

import { REGISTER } from './register.js';

export type RequirementId = (typeof REGISTER)[number]['id'];

declare module 'vitest' {
  interface TaskMeta {
    /** The requirements that this test has shown. Set after its function has passed. */
    requirements?: readonly string[];
  }
}

const KNOWN: ReadonlySet<string> = new Set(REGISTER.map(({ id }) => id));

/**
 * Marks a test as the evidence for requirements: `it('…', shows('AGG-01', () => …))`.
 * The ids are recorded on the running test once its function has passed, so a skipped or failing
 * test shows nothing. The requirement reporter reads them at the end of the run.
 */
export function shows<T extends (...args: never[]) => unknown>(
  ...idsThenTest: [...RequirementId[], T]
): T {
  const test = idsThenTest.at(-1) as T;
  const ids = idsThenTest.slice(0, -1) as string[];
  for (const id of ids) {
    if (!KNOWN.has(id)) throw new Error(`No requirement is called ${id}; see test/requirements`);
  }
  const recorded = async (...args: Parameters<T>): Promise<void> => {
    const task = TestRunner.getCurrentTest();
    // Vitest knows only one current test, so concurrent tests could record on each other.
    if (!task || task.concurrent) throw new Error('shows() needs a test that runs alone.');
    await test(...args);
    task.meta.requirements = [...(task.meta.requirements ?? []), ...ids];
  };
  return recorded as unknown as T;
}
