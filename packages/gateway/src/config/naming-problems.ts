/** Settings about names that only the naming rules can judge: the pattern, and the key that clients put in front. */

import { compilePattern, nameRoom, type ProfileId, PROFILES, TOOL_SCOPE } from '@callsign/naming';
import type { Node } from 'jsonc-parser';

import { memberOf } from '@callsign/config';
import type { ProblemLog } from '@callsign/config';

export function logNamingProblems(settings: Node, log: ProblemLog): void {
  const id = textOf(settings, 'profile')?.value as ProfileId | undefined;
  const profile = id && PROFILES.get(id);

  const pattern = textOf(settings, 'pattern');
  if (pattern && !log.hasProblemAt(pattern)) {
    const characters = profile?.characters ?? undefined;
    const options = { scope: TOOL_SCOPE, ...(characters !== undefined && { characters }) };
    const compiled = compilePattern(pattern.value as string, options);
    for (const { message, advice } of compiled.ok ? [] : compiled.problems) {
      log.problem('wrong-value', pattern, message, advice);
    }
  }

  const clientKey = textOf(settings, 'clientKey');
  if (clientKey) {
    try {
      // Any client may call under "auto"; "portable" leaves as little room as the tightest of them.
      nameRoom(profile ?? PROFILES.get('portable')!, clientKey.value as string);
    } catch (error) {
      log.problem('wrong-value', clientKey, 'is too long', (error as RangeError).message);
    }
  }
}

function textOf(node: Node, key: string): Node | undefined {
  const value = memberOf(node, key)?.value;
  return value?.type === 'string' ? value : undefined;
}
