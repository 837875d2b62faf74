/** Tests that a machine cannot run say why in their titles. The end of a run says it once for each reason. */

import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** `reason` says what is missing, and what to do. */
export function leftOutTitle(title: string, reason: string): string {
  return `${title} (left out: ${reason})`;
}

/** Why the test with this title was left out. */
export function reasonIn(title: string): string | undefined {
  return /\(left out: ([^)]*)\)/.exec(title)?.[1];
}

export class LeftOutReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const reason = reasonIn(test.fullName);
        if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
    }
    for (const [reason, count] of counts) {
      this.#vitest!.logger.log(`Left out: ${count} tests, because ${reason}.`);
    }
  }
}
