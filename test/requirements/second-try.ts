/** In CI, a test that fails runs a second time. The end of a run names each that passed only then. */

import type { Reporter, TestModule, Vitest } from 'vitest/node';

export class SecondTryReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests('passed')) {
        if (test.diagnostic()?.flaky !== true) continue;
        const [error] = test.result().errors ?? [];
        const name = `${module.relativeModuleId} > ${test.fullName}`;
        this.#vitest!.logger.log(`Passed at the second try: ${name}: ${error?.message ?? ''}`);
      }
    }
  }
}
