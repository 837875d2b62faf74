/**
 * The name that earlier versions gave a tool, before marks existed: exact, or with a fingerprint.
 * It stays callable but is never shown.
 */

import { createNameCheck, maxNameLength, type ClientProfile } from '../profile/client-profile.js';
import { endsInFingerprint } from '../identity/fingerprint.js';
import { createHashedNames } from './hashed-name.js';
import { profilePattern, takesAll, type RendererOptions } from './renderer.js';
import { canonicalName, type ToolRef } from '../identity/tool-ref.js';

/** Frozen: do not change what it returns, since people's configurations hold these names. */
export function createFormerNames(options: RendererOptions): (ref: ToolRef) => string {
  const pattern = options.pattern ?? profilePattern(options.profile);
  const profile: ClientProfile = { ...options.profile, ...options.profile.former };
  const maxLength = maxNameLength(profile, options.clientKey);
  const nameFaults = createNameCheck(profile, maxLength);
  const hashed = createHashedNames({ profile, pattern, maxLength });

  return function formerName(ref) {
    const values = { server: ref.server, tool: ref.tool };
    const name = pattern.format(values);
    if (takesAll(options)) return name;
    const parsed = pattern.parse(name);
    const isExact =
      nameFaults(name).length === 0 &&
      parsed?.['tool'] === ref.tool &&
      (parsed['server'] ?? ref.server) === ref.server &&
      !endsInFingerprint(name);
    return isExact ? name : hashed(values, canonicalName(ref));
  };
}

/**
 * Reads a former name. `unclear`: the name does not show its identity, so compare it with the former
 * names of all tools. `undefined`: no tool can have it.
 */
export function createFormerReader(
  options: RendererOptions,
): (name: string) => ToolRef | 'unclear' | undefined {
  const pattern = options.pattern ?? profilePattern(options.profile);
  return function readFormer(name) {
    if (!takesAll(options) && endsInFingerprint(name)) return 'unclear';
    const { server = '', tool } = pattern.parse(name) ?? {};
    if (tool === undefined) return undefined;
    return server === '' ? 'unclear' : { server, tool };
  };
}
