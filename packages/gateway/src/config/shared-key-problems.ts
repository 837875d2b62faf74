/** Shared API keys that have no place, or no secret that encrypts them. */

import type { Node } from 'jsonc-parser';

import { memberOf, type ProblemLog } from '@callsign/config';

export function logSharedKeyProblems(settings: Node, log: ProblemLog): void {
  const shared = memberOf(memberOf(settings, 'auth')?.value, 'sharedKeys');
  if (shared?.value.value !== true) return;
  if (memberOf(memberOf(settings, 'storage')?.value, 'secrets')) return;
  const advice = 'add them, such as "secrets": ["${CALLSIGN_STORAGE_SECRET}"]; see docs/access.md';
  log.problem('wrong-value', shared.value, 'needs "storage" with "secrets"', advice);
}
