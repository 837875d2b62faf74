/** Checks settings about names with the naming rules: profiles, the pattern and the client key. */

import {
  compilePattern,
  createOwnProfile,
  createProfileSet,
  maxNameLength,
  PROFILES,
  TOOL_SCOPE,
} from '@callsign/naming';
import type { ClientProfile, OwnProfile } from '@callsign/naming';
import { getNodeValue, type Node } from 'jsonc-parser';

import { didYouMean, memberOf, type ProblemLog } from '@callsign/config';

/**
 * Runs after the schema check and skips values that it has reported, so no problem appears twice.
 */
export function logNamingProblems(settings: Node, log: ProblemLog): void {
  const own = ownProfiles(settings, log);
  const profiles = createProfileSet({ own });
  const chosen = textOf(settings, 'profile');
  const id = chosen?.value as string | undefined;
  const profile = id === undefined ? undefined : profiles.get(id);
  if (chosen && id !== 'auto' && !profile && !Object.hasOwn(own, id!)) {
    const words = ['auto', ...profiles.ids];
    const advice = didYouMean(id!, words, `write one of ${words.join(', ')}`);
    log.problem('wrong-value', chosen, 'is not a known profile', advice);
  }
  logPatternProblems(settings, profile, log);

  const clientKey = textOf(settings, 'clientKey');
  if (clientKey) {
    try {
      // Under "auto" any client may call; "portable" is as strict as the strictest of them.
      maxNameLength(profile ?? PROFILES.get('portable')!, clientKey.value as string);
    } catch (error) {
      log.problem('wrong-value', clientKey, 'is too long', (error as RangeError).message);
    }
  }
}

/** The operator's own profiles as written. Logs their problems. */
function ownProfiles(settings: Node, log: ProblemLog): Record<string, OwnProfile> {
  const node = memberOf(settings, 'profiles')?.value;
  if (node?.type !== 'object') return {};
  const own: Record<string, OwnProfile> = {};
  for (const { children: [key, value] = [] } of node.children ?? []) {
    // The schema reports values of the wrong shape.
    if (!key || value?.type !== 'object' || hasProblemIn(value, log)) continue;
    const id = key.value as string;
    const written = getNodeValue(value) as OwnProfile;
    const checked = createOwnProfile(id, written);
    Object.defineProperty(own, id, { value: written, enumerable: true });
    for (const { field, message, advice } of checked.ok ? [] : checked.problems) {
      const at = field === undefined ? key : memberOf(value, field)?.value;
      log.problem('wrong-value', at ?? key, message, advice);
    }
  }
  return own;
}

function hasProblemIn(node: Node, log: ProblemLog): boolean {
  return log.hasProblemAt(node) || (node.children ?? []).some((child) => hasProblemIn(child, log));
}

function logPatternProblems(
  settings: Node,
  profile: ClientProfile | undefined,
  log: ProblemLog,
): void {
  const pattern = textOf(settings, 'pattern');
  if (!pattern || log.hasProblemAt(pattern)) return;
  const characters = profile?.characters ?? undefined;
  const options = { scope: TOOL_SCOPE, ...(characters !== undefined && { characters }) };
  const compiled = compilePattern(pattern.value as string, options);
  for (const { message, advice } of compiled.ok ? [] : compiled.problems) {
    log.problem('wrong-value', pattern, message, advice);
  }
}

function textOf(node: Node, key: string): Node | undefined {
  const value = memberOf(node, key)?.value;
  return value?.type === 'string' ? value : undefined;
}
