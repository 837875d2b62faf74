/** Checks a live MCPAQL server against its protocol. Sends only harmless requests. */

import { answerChecks } from './answer-checks.js';
import type { Check } from './check.js';
import { readServer, type ToolClient } from './checked-server.js';
import { labelChecks } from './label-checks.js';

/** The result of `adapter check`, for people and as JSON for programs. */
export interface ConformanceReport {
  /** Whether every rule of the level `must` passed or was skipped. */
  readonly conforms: boolean;
  readonly tools: readonly string[];
  readonly checks: readonly Check[];
  readonly summary: Readonly<Record<Check['outcome'], number>>;
}

/** Rejects only if the server cannot be asked. A broken rule is a failed check. */
export async function checkConformance(client: ToolClient): Promise<ConformanceReport> {
  const server = await readServer(client);
  const checks = [...labelChecks(server), ...(await answerChecks(server))];
  const count = (outcome: Check['outcome']): number =>
    checks.filter((check) => check.outcome === outcome).length;
  return {
    conforms: checks.every(({ level, outcome }) => level === 'should' || outcome !== 'failed'),
    tools: server.tools.map(({ name }) => name),
    checks,
    summary: { passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
  };
}
