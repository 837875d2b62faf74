/** Finds roles that the settings assign but do not define, and roles that limit no one or allow no tool. */

import type { Node } from 'jsonc-parser';

import { memberOf, membersOf } from '@callsign/config';
import { didYouMean } from '@callsign/config';
import type { ProblemLog } from '@callsign/config';

/** `settings` is the value of `callsign`. */
export function logRoleProblems(settings: Node, log: ProblemLog): void {
  const roles = memberOf(settings, 'roles');
  if (!roles) warnOfNoLimit(settings, log);
  if (membersOf(memberOf(settings, 'annotations')?.value).length === 0)
    warnOfNoTool(roles?.value, log);
  const described = membersOf(roles?.value).map(({ key }) => key);
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

/** Without `roles`, callers have roles that limit nothing. One warning is enough: the cause is the same. */
function warnOfNoLimit(settings: Node, log: ProblemLog): void {
  const auth = memberOf(settings, 'auth')?.value;
  const signIn = memberOf(auth, 'signIn')?.value;
  const keys = memberOf(auth, 'keys')?.value.children ?? [];
  const given = [...keys, memberOf(signIn, 'operator')?.value]
    .map((holder) => memberOf(holder, 'roles'))
    .filter((list) => (list?.value.children ?? []).length > 0);
  const claims = [memberOf(auth, 'tokens')?.value, memberOf(signIn, 'oidc')?.value].map((issuer) =>
    memberOf(issuer, 'rolesClaim'),
  );
  const first = [...given, ...claims].find((each) => each !== undefined);
  if (!first) return;
  const message = 'limits no one: without "roles", every caller may use every tool';
  log.warning('wrong-value', first.value, message, 'define "roles"; see docs/policy.md');
}

/** Without annotations, every tool of a server counts as destructive for `maxRisk`. */
function warnOfNoTool(roles: Node | undefined, log: ProblemLog): void {
  for (const { value: role } of membersOf(roles)) {
    const limit = memberOf(role, 'maxRisk')?.value;
    if (limit?.value !== 'read' && limit?.value !== 'write') continue;
    const message =
      'allows no tool of a server: it counts only "annotations" of this file, and there are none';
    log.warning(
      'wrong-value',
      limit,
      message,
      'state hints of tools in "annotations", or remove "maxRisk"',
    );
  }
}
