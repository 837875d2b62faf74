/** Fails a full run of the tests in which a requirement or a finding was not shown by a passed test. */

import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';

import { notShown, type Evidence } from './coverage.js';
import { findingsIn } from './findings.js';
import { reasonIn } from './left-out.js';

/** A requirement, or a finding. */
interface Registered {
  readonly id: string;
  readonly says: string;
  /** The package that must show it. */
  readonly owner?: string;
}

export class RequirementReporter implements Reporter {
  readonly #register: readonly Registered[];
  readonly #testFiles: () => readonly string[];
  #vitest: Vitest | undefined;

  /** `testFiles` returns every test file on disk: a run that leaves one out is not judged. */
  constructor(register: readonly Registered[], testFiles: () => readonly string[]) {
    this.#register = register;
    this.#testFiles = testFiles;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], _: unknown, reason: TestRunEndReason): void {
    if (reason === 'interrupted' || !this.#isFull(modules)) return;
    const missing = notShown(this.#register, evidenceOf(modules));
    if (missing.length === 0) return;
    const lines = missing.map(({ id, owner = 'finding', says }) => `  ${id} (${owner}): ${says}`);
    this.#vitest!.logger.error(
      `\nRequirements without a passed test: ${missing.length}\n${lines.join('\n')}\n`,
    );
    process.exitCode = 1;
  }

  #isFull(modules: readonly TestModule[]): boolean {
    // Tools that run single tests through the API add reporters after the start.
    if (!this.#vitest || this.#vitest.config.testNamePattern !== undefined) return false;
    const ran = new Set(modules.map(({ moduleId }) => moduleId));
    return this.#testFiles().every((file) => ran.has(file));
  }
}

function* evidenceOf(modules: readonly TestModule[]): Iterable<Evidence> {
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const passed = test.result().state === 'passed';
      const ids = [...(test.meta().requirements ?? []), ...findingsIn(test.fullName)];
      yield { passed, isLeftOut: reasonIn(test.fullName) !== undefined, ids };
    }
  }
}
