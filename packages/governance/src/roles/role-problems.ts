/** Finds roles that the settings assign but do not define. */

import type { Node } from 'jsonc-parser';

import { memberOf, membersOf } from '@callsign/config';
import { didYouMean } from '@callsign/config';
import type { ProblemLog } from '@callsign/config';

/** `settings` is the value of `callsign`. */
export function logRoleProblems(settings: Node, log: ProblemLog): void {
  const described = membersOf(memberOf(settings, 'roles')?.value).map(({ key }) => key);
  const all = described.length === 0 ? 'define it in "roles"' : `roles: ${described.join(', ')}`;
  const access = memberOf(settings, 'access')?.value;
  for (const node of memberOf(access, 'anonymous')?.value.children ?? []) {
    if (typeof node.value !== 'string' || described.includes(node.value)) continue;
    log.problem(
      'wrong-value',
      node,
      'is not a role in this file',
      didYouMean(node.value, described, all),
    );
  }
}
