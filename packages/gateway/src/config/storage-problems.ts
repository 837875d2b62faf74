/** Settings that need the database of `storage`, in a file that has none. */

import type { Node } from 'jsonc-parser';

import { memberOf, type ProblemLog } from '@callsign/config';

export function logStorageProblems(settings: Node, log: ProblemLog): void {
  const storage = memberOf(settings, 'storage')?.value;
  const instances = memberOf(settings, 'instances');
  if (instances && !storage) {
    const advice =
      'add the database that the instances share, such as "storage": { "postgres": "${DATABASE_URL}" }, or remove "instances"; see docs/many-instances.md';
    log.problem('wrong-value', instances.keyNode, 'needs "storage"', advice);
  }
  const shared = memberOf(memberOf(settings, 'auth')?.value, 'sharedKeys');
  if (shared?.value.value !== true || memberOf(storage, 'secrets')) return;
  const advice = 'add them, such as "secrets": ["${CALLSIGN_STORAGE_SECRET}"]; see docs/access.md';
  log.problem('wrong-value', shared.value, 'needs "storage" with "secrets"', advice);
}
